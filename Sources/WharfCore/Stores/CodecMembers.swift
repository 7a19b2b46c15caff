/// How encoded bytes fall into members that can be changed one by one.
public struct CodecMembers: Sendable {
    public struct Member: Hashable, Sendable {
        public var name: String
        /// Name and value as they stand in the whole, encoded; the same for the same value.
        public var bytes: [UInt8]

        public init(_ name: String, _ bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }
    }

    /// nil where the bytes are something else than an object of members.
    public let split: @Sendable ([UInt8]) -> [Member]?
    public let join: @Sendable ([Member]) -> [UInt8]

    public init(
        split: @escaping @Sendable ([UInt8]) -> [Member]?, join: @escaping @Sendable ([Member]) -> [UInt8]
    ) {
        self.split = split
        self.join = join
    }
}
