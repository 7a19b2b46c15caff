#if SQLite
internal import WharfCore
internal import WharfPrimitives

/// A wait group of a store's operations, which closing waits for.
///
/// Later operations are rejected.
final class Usage: Sendable {
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
        guard operations.close() else { return await isOver.wait() }
        await operations.wait()
        defer { isOver.fulfil() }
        try await end()
    }
}
#endif
