package import WharfPrimitives

/// The states of a changing value: the present one first, then the newest ones.
///
/// Each iteration is an observation of its own. A slow reader skips intermediate states and gets
/// the newest one; the last state is always delivered. The sequence ends when the owner of the
/// state is released. An observer does not keep the owner alive.
public struct StateSequence<State: Sendable>: AsyncSequence, Sendable {
    public typealias Element = State
    public typealias Failure = Never

    private let current: Broadcast<State>

    package init(_ current: Broadcast<State>) { self.current = current }

    /// The present state; after the end, the last one.
    public var latest: State { current.latest.state }

    /// Reads the states, and waits until there is a newer one.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate let current: Broadcast<State>
        fileprivate var version: Broadcast<State>.Version

        public mutating func next(isolation actor: isolated (any Actor)?) async -> State? {
            guard let newer = await current.next(after: version) else { return nil }
            version = newer.version
            return newer.state
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(current: current, version: .none) }

    /// Returns the present state and an iterator over the newer ones. No state is lost between
    /// them.
    package func presentAndNewer() -> (present: State, newer: AsyncIterator) {
        let (state, version) = current.latest
        return (state, AsyncIterator(current: current, version: version))
    }
}
