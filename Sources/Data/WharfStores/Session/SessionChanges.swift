public import WharfCore

/// The current session and its changes; see ``SessionStore/changes``.
///
/// The sequence ends when the reading task is cancelled, and throws the store's errors. A new
/// iteration begins with the current session.
public struct SessionChanges<Session: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Session?
    public typealias Failure = StoreError

    let store: SessionStore<Session>

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let store: SessionStore<Session>
        fileprivate var signals: AsyncStream<Void>.Iterator

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(StoreError) -> Session?? {
            guard await signals.next(isolation: actor) != nil else { return nil }
            // Read after the signal: a change during the read signals again.
            return .some(try await store.current)
        }
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(store: store, signals: store.subscribe().makeAsyncIterator())
    }
}
