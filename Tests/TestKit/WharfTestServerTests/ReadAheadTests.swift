import Synchronization
import Testing

@testable import WharfTestServer

struct ReadAheadTests {
    private struct EndOfInput: Error {}

    /// Reads ten bytes at a time, and at most a hundred times.
    ///
    /// - Parameter takes: the number of times that the parser takes ten bytes.
    /// - Returns: the number of reads.
    private func reads(limit: Int, takes: Int) async -> Int {
        let (incoming, source) = AsyncStream.makeStream(of: [UInt8].self)
        let (taken, credit) = AsyncStream.makeStream(of: Int.self)
        let count = Atomic(0)
        for _ in 0..<takes { credit.yield(10) }
        // After those, the reader waits for bytes that never come.
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

    @Test func readerAdvancesAsTheParserConsumes() async { #expect(await reads(limit: 50, takes: 20) == 26) }

    @Test func aParserThatKeepsUpGetsAll() async { #expect(await reads(limit: 50, takes: 100) == 101) }
}
