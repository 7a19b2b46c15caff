/// The members of encoded bytes. Edits change and merge them one by one.
public struct CodecMembers: Sendable {
    /// A named part of an object.
    public struct Member: Hashable, Sendable {
        /// The name of the member.
        public var name: String
        /// The value of the member.
        public var part: Part

        /// Creates a member.
        public init(_ name: String, _ part: Part) {
            self.name = name
            self.part = part
        }

        /// Creates a member that changes as a whole.
        ///
        /// - Parameter bytes: the encoded value. Equal values must have equal bytes.
        public init(_ name: String, _ bytes: [UInt8]) { self.init(name, .value(bytes)) }
    }

    /// An element of a list, identified by its id.
    public struct Element: Hashable, Sendable {
        /// The encoded id, unique in the list.
        public var id: [UInt8]
        /// The value of the element.
        public var part: Part

        /// Creates an element.
        public init(_ id: [UInt8], _ part: Part) {
            self.id = id
            self.part = part
        }
    }

    /// The value of a member or an element.
    public indirect enum Part: Hashable, Sendable {
        /// A value that changes as a whole. Equal values have equal bytes.
        case value([UInt8])
        /// An object that changes member by member.
        ///
        /// The members are sorted by name, and each name occurs once.
        case object([Member])
        /// A list that changes element by element.
        case list([Element])
    }

    /// Returns the members of the bytes; nil if the bytes are not an object.
    public let split: @Sendable ([UInt8]) -> [Member]?
    /// Returns the bytes of an object with these members.
    public let join: @Sendable ([Member]) -> [UInt8]

    /// Creates members from the two functions.
    public init(
        split: @escaping @Sendable ([UInt8]) -> [Member]?, join: @escaping @Sendable ([Member]) -> [UInt8]
    ) {
        self.split = split
        self.join = join
    }
}
