/// Back-pressure between the task that reads a socket and the one that parses it.
///
/// The reader reads even while a route holds its answer, because only that shows that a client has
/// left. Without a bound, a client that keeps sending meanwhile would exhaust the memory.
struct ReadAhead: Sendable {
    /// The number of bytes that may be read before the parser has taken earlier ones.
    static let limit = 1 << 20

    /// The parser has ended.
    struct Ended: Error {}

    private let limit: Int
    /// The number of bytes that the parser took, each time.
    private let taken: AsyncStream<Int>

    init(limit: Int = ReadAhead.limit, taken: AsyncStream<Int>) {
        self.limit = limit
        self.taken = taken
    }

    /// Reads until `read` throws, as it also does at the end of a connection.
    func run(into source: AsyncStream<[UInt8]>.Continuation, _ read: () async throws -> [UInt8]) async throws {
        var taken = taken.makeAsyncIterator()
        // The bytes read less those parsed. At most one read goes beyond the limit.
        var ahead = 0
        while true {
            let bytes = try await read()
            ahead += bytes.count
            source.yield(bytes)
            while ahead > limit {
                guard let count = await taken.next() else { throw Ended() }
                ahead -= count
            }
        }
    }
}
