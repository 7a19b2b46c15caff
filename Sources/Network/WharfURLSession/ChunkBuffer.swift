internal import Foundation
internal import WharfCore

/// A FIFO buffer of chunks: in memory up to a limit, then in a file until the reader has caught up.
struct ChunkBuffer {
    private let limit: Int
    // Invariants: chunks before `firstChunk` are taken and empty. `bytesInMemory` counts the
    // others. While there is a file, each new chunk goes there, so memory is read before the file.
    private var chunks: [Data] = []
    private var firstChunk = 0
    private var bytesInMemory = 0
    private var overflow: OverflowFile?

    init(limit: Int) { self.limit = limit }

    mutating func append(_ chunk: Data) throws(TransportError) {
        // Until the file is read to its end, later chunks follow earlier ones into it. Memory alone
        // would change their order.
        if overflow == nil, bytesInMemory + chunk.count > limit { overflow = try OverflowFile() }
        if let overflow { return try overflow.append(chunk) }
        bytesInMemory += chunk.count
        chunks.append(chunk)
    }

    mutating func removeFirst() throws(TransportError) -> Data? {
        guard firstChunk < chunks.count else {
            if let chunk = try overflow?.read() { return chunk }
            // The reader has caught up, so memory has room again.
            overflow = nil
            return nil
        }
        let chunk = chunks[firstChunk]
        // The bytes are released now; moving all later chunks forward would cost quadratic time.
        chunks[firstChunk] = Data()
        firstChunk += 1
        bytesInMemory -= chunk.count
        if firstChunk == chunks.count {
            chunks.removeAll(keepingCapacity: true)
            firstChunk = 0
        }
        return chunk
    }
}
