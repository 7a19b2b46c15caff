#if TestServer
/// Back-pressure between the task that reads a socket and the task that parses what came.
///
/// The reader reads even while a route holds its answer, because that shows that a client left.
/// Without a bound a client that goes on sending meanwhile would fill the memory.
struct ReadAhead: Sendable {
    /// Bytes that are read before the parser has taken those that came earlier.
    static let limit = 1 << 20

    /// The parser has ended.
    struct Ended: Error {}

    private let limit: Int
    /// How many bytes the parser took, each time that it took some.
    private let taken: AsyncStream<Int>

    init(limit: Int = ReadAhead.limit, taken: AsyncStream<Int>) {
        self.limit = limit
        self.taken = taken
    }

    /// Reads until `read` throws, which is also how the end of a connection shows.
    func run(into source: AsyncStream<[UInt8]>.Continuation, _ read: () async throws -> [UInt8]) async throws {
        var taken = taken.makeAsyncIterator()
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
#endif
