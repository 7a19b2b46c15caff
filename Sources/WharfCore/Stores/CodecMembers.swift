/// The members of encoded bytes, which edits change and merge one by one.
public struct CodecMembers: Sendable {
    /// A named part of an object.
    public struct Member: Hashable, Sendable {
        public var name: String
        public var part: Part

        public init(_ name: String, _ part: Part) {
            self.name = name
            self.part = part
        }

        /// A member that changes as a whole.
        ///
        /// - Parameter bytes: the encoded value; the same for equal values.
        public init(_ name: String, _ bytes: [UInt8]) { self.init(name, .value(bytes)) }
    }

    /// A part of a list, recognised by its identity.
    public struct Element: Hashable, Sendable {
        /// The encoded identity; no other element of the list has it.
        public var id: [UInt8]
        public var part: Part

        public init(_ id: [UInt8], _ part: Part) {
            self.id = id
            self.part = part
        }
    }

    /// The value of a member or an element.
    public indirect enum Part: Hashable, Sendable {
        /// Changes as a whole. The bytes are the same for equal values.
        case value([UInt8])
        /// Changes member by member. The members are sorted by name, and no name comes twice.
        case object([Member])
        /// Changes element by element.
        case list([Element])
    }

    /// The members of the bytes; nil if they are not an object.
    public let split: @Sendable ([UInt8]) -> [Member]?
    /// The bytes of an object with these members.
    public let join: @Sendable ([Member]) -> [UInt8]

    public init(
        split: @escaping @Sendable ([UInt8]) -> [Member]?, join: @escaping @Sendable ([Member]) -> [UInt8]
    ) {
        self.split = split
        self.join = join
    }
}
