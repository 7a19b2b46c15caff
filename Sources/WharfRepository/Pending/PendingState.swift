public import WharfCore
internal import WharfPrimitives

/// Where the changes of a model stand that wait in an outbox.
///
/// Of several changes of one model the state is that of the one which says most: one that was set aside before one that is on its
/// way, and that before one that waits.
public enum PendingState: Hashable, Sendable {
    /// The service is being asked by this repository.
    case sending
    /// Its turn comes later: why it was not delivered until now, where that is known. By `offline` it waits for the network, by
    /// `needsAuthentication` until somebody has signed in.
    case waiting(DeliveryFailure?)
    /// Set aside, and shown no longer: refused, in conflict, or tried too often. It is a dead letter now, for a person to decide.
    case failed(DeliveryFailure)
}

/// The models whose changes wait or were set aside, as ``Repository/observePending()`` tells them: all of them at first, and
/// all of them again whenever something is different.
///
/// Each iteration is an observation of its own. A slow reader gets the newest and skips what it missed. It ends when the repository
/// is closed.
public struct PendingStates<ID: Hashable & Sendable>: AsyncSequence, Sendable {
    public typealias Element = [ID: PendingState]
    public typealias Failure = Never

    /// Those of now, with how often any was another by then, nil before they are known; and a version to wait behind.
    typealias Read = @Sendable () -> (told: (states: Element, number: UInt64)?, version: Broadcast<Bool>.Version)

    let current: Broadcast<Bool>
    let read: Read

    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate let current: Broadcast<Bool>
        fileprivate let read: Read
        fileprivate var version = Broadcast<Bool>.Version.none
        fileprivate var last: UInt64?

        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            while await current.next(after: version) != nil {
                let (told, version) = read()
                self.version = version
                guard let told, told.number != last else { continue }
                last = told.number
                return told.states
            }
            return nil
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(current: current, read: read) }
}
