public import WharfCore
internal import WharfPrimitives

/// The state of a model's changes in an outbox.
///
/// A model with several changes has the first of these states that one of them has: `failed`,
/// `sending`, `waiting` with a failure, `waiting` without.
public enum PendingState: Hashable, Sendable {
    /// This repository is sending a change.
    case sending
    /// The change is sent later, with the failure of the last attempt if there was one.
    ///
    /// With `offline` it waits for the network, with `needsAuthentication` for a sign-in.
    case waiting(DeliveryFailure?)
    /// The change is a dead letter: it was refused, is in conflict, or was tried too often. It is
    /// no longer shown.
    case failed(DeliveryFailure)
}

/// A sequence of the states of all models with pending changes.
///
/// It has a new element when a state changes. See ``Repository/observePending()``. Each iteration
/// observes by itself. A slow reader gets the newest element. The sequence ends when the repository
/// is closed.
public struct PendingStates<ID: Hashable & Sendable>: AsyncSequence, Sendable {
    public typealias Element = [ID: PendingState]
    public typealias Failure = Never

    /// Returns the present states with their number, and a version to wait behind.
    ///
    /// The number counts the changes of states. States and number are nil before they are known.
    typealias Read = @Sendable () -> (published: (states: Element, number: UInt64)?, version: Broadcast<Bool>.Version)

    let current: Broadcast<Bool>
    let read: Read

    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate let current: Broadcast<Bool>
        fileprivate let read: Read
        fileprivate var version = Broadcast<Bool>.Version.none
        fileprivate var last: UInt64?

        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            while await current.next(after: version) != nil {
                let (published, version) = read()
                self.version = version
                // The broadcast is set again for changes of which this iterator has already read
                // the state.
                guard let published, published.number != last else { continue }
                last = published.number
                return published.states
            }
            return nil
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(current: current, read: read) }
}
