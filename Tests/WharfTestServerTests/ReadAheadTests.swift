#if TestServer
import Synchronization
import Testing

@testable import WharfTestServer

struct ReadAheadTests {
    private struct EndOfInput: Error {}

    /// Reads ten bytes at a time, a hundred times at most.
    ///
    /// - Parameter takes: how often the parser takes ten bytes.
    /// - Returns: how often the reader read.
    private func reads(limit: Int, takes: Int) async -> Int {
        let (incoming, source) = AsyncStream.makeStream(of: [UInt8].self)
        let (taken, credit) = AsyncStream.makeStream(of: Int.self)
        let count = Atomic(0)
        for _ in 0..<takes { credit.yield(10) }
        // What the reader waits for after those never comes.
        credit.finish()
        do {
            try await ReadAhead(limit: limit, taken: taken).run(into: source) {
                guard count.wrappingAdd(1, ordering: .relaxed).newValue <= 100 else { throw EndOfInput() }
                return [UInt8](repeating: 0, count: 10)
            }
        } catch {
            source.finish()
        }
        var bytes = 0
        for await piece in incoming { bytes += piece.count }
        #expect(bytes == min(count.load(ordering: .relaxed), 100) * 10)
        return count.load(ordering: .relaxed)
    }

    @Test func theReaderStopsAtTheLimit() async { #expect(await reads(limit: 50, takes: 0) == 6) }

    @Test func theReaderGoesOnByWhatTheParserTakes() async { #expect(await reads(limit: 50, takes: 20) == 26) }

    @Test func aParserThatKeepsUpGetsAll() async { #expect(await reads(limit: 50, takes: 100) == 101) }
}
#endif
