internal import WharfCore
internal import WharfPrimitives

/// A wait group of a store's operations, which closing waits for.
///
/// Later operations are rejected.
final class OperationGroup: Sendable {
    // `isOver` is fulfilled once, when `end` has returned or thrown. No operation enters after
    // `operations.close()`.
    private let operations = WaitGroup()
    private let isOver = Promise<Void>()

    var isClosed: Bool { operations.isClosed }

    /// Enters an operation. Call ``leave()`` once after it.
    func enter() throws(StoreError) {
        if !operations.enter() { throw .closed }
    }

    func leave() { operations.leave() }

    /// Rejects operations from now on, and returns when the last running one has left.
    ///
    /// - Parameter end: run by the first caller after that; a second caller waits for it.
    func close<E: Error>(_ end: () async throws(E) -> Void) async throws(E) {
        // The second caller waits too: after `close` returns, the file must be closed.
        guard operations.close() else { return await isOver.wait() }
        await operations.wait()
        // Fulfilled even if `end` throws, or the second caller would wait for ever.
        defer { isOver.fulfil() }
        try await end()
    }
}
