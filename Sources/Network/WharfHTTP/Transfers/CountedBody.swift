internal import Synchronization
package import WharfCore

/// A body that reports each piece of another body when a transport reads it.
///
/// A transport that knows when bytes are sent uses the other body directly, and reports that.
package final class CountedBody: BodyStream.Producer {
    package let total: Int64?
    package let onProgress: @Sendable (TransferProgress) -> Void
    // Nil after `cancel` or `takeBase`. Releasing the stream inside cancels it.
    private let base: Mutex<BodyStream?>
    // -1 until the first read, so that 0 is reported once.
    private let completed = Atomic<Int64>(-1)

    package init(_ base: BodyStream, _ total: Int64?, _ onProgress: @escaping @Sendable (TransferProgress) -> Void) {
        self.base = Mutex(base)
        self.total = total
        self.onProgress = onProgress
    }

    package func next() async throws(TransportError) -> [UInt8]? {
        guard let base = base.withLock({ $0 }) else { throw .cancelled }
        // The first call of a pass reports 0. Two concurrent first calls can't both win the
        // exchange.
        if completed.compareExchange(expected: -1, desired: 0, ordering: .relaxed).exchanged { tell(0) }
        var chunks = base.makeAsyncIterator()
        guard let chunk = try await chunks.next(isolation: #isolation) else { return nil }
        tell(completed.add(Int64(chunk.count), ordering: .relaxed).newValue)
        return chunk
    }

    /// Cancels the other body by releasing it.
    package func cancel() { base.withLock { $0 = nil } }

    /// Returns the other body, for a transport that reports by itself.
    package func takeBase() -> BodyStream? {
        base.withLock { base in
            // Taken once: two readers of one stream would each get a part of it.
            defer { base = nil }
            return base
        }
    }

    private func tell(_ completed: Int64) { onProgress(TransferProgress(completed: completed, total: total)) }
}
