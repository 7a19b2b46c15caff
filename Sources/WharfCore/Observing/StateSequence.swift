package import WharfPrimitives

/// The states of something that changes: the present one first, then the newest whenever there is a
/// newer one.
///
/// Each iteration is an observation of its own. A slow reader gets the newest state and skips what
/// it missed; the newest is never skipped, whenever it comes. The sequence ends when what has the
/// state is gone, which no observer prevents.
public struct StateSequence<State: Sendable>: AsyncSequence, Sendable {
    public typealias Element = State
    public typealias Failure = Never

    private let current: Broadcast<State>

    package init(_ current: Broadcast<State>) { self.current = current }

    /// The present state; after the end the last one.
    public var latest: State { current.latest.state }

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

    /// The present state, and what comes after it: between the two nothing is lost.
    package func presentAndNewer() -> (present: State, newer: AsyncIterator) {
        let (state, version) = current.latest
        return (state, AsyncIterator(current: current, version: version))
    }
}
