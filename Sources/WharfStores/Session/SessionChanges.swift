public import WharfCore

/// Who is signed in, as it changes; see ``SessionStore/changes``.
///
/// It ends when the task that reads is cancelled, and throws what the store throws; who reads anew
/// begins with what is there.
public struct SessionChanges<Session: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Session?
    public typealias Failure = StoreError

    let store: SessionStore<Session>

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let store: SessionStore<Session>
        fileprivate var signals: AsyncStream<Void>.Iterator

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(StoreError) -> Session?? {
            guard await signals.next(isolation: actor) != nil else { return nil }
            // Read after the signal: a change that comes meanwhile signals again.
            return .some(try await store.current)
        }
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(store: store, signals: store.subscribe().makeAsyncIterator())
    }
}
