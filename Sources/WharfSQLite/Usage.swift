#if SQLite
internal import WharfCore
internal import WharfPrimitives

/// The operations inside a store: closing it waits for them, and turns later ones away.
final class Usage: Sendable {
    private let operations = WaitGroup()
    private let isOver = Promise<Void>()

    var isClosed: Bool { operations.isClosed }

    /// Each to be followed by one ``leave()``.
    func enter() throws(StoreError) {
        if !operations.enter() { throw .closed }
    }

    func leave() { operations.leave() }

    /// Turns all operations away from now on, and returns when the last one inside has left.
    ///
    /// - Parameter end: what the first caller does then; a second caller waits for it.
    func close<E: Error>(_ end: () async throws(E) -> Void) async throws(E) {
        guard operations.close() else { return await isOver.wait() }
        await operations.wait()
        defer { isOver.fulfil() }
        try await end()
    }
}
#endif
