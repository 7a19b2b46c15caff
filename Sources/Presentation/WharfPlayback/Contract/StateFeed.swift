internal import WharfPrimitives

/// A broadcast of a state to any number of readers, for ``Player/states()``.
///
/// Each reader gets the current state, then each change. A slow reader skips states, but always
/// gets the last one. All sequences end with the feed.
public final class StateFeed<State: Sendable & Equatable>: Sendable {
    private let fanOut: StreamFanOut<State>
    private let initial: State

    /// Creates a feed with its first state.
    public init(_ state: State) {
        fanOut = StreamFanOut(latest: state)
        initial = state
    }

    deinit { finish() }

    /// The current state.
    public var state: State { fanOut.latest ?? initial }

    /// Broadcasts a state. It has no effect if the state is unchanged or the feed has finished.
    public func update(_ state: State) { fanOut.yield(state) { $0 != state } }

    /// Returns the current state, then each change. Ends at once if the feed has finished.
    public func states() -> AsyncStream<State> {
        fanOut.subscribe(bufferingPolicy: .bufferingNewest(1), beginsWithLatest: true)
    }

    /// Ends all sequences after the last state.
    public func finish() { fanOut.finish() }
}
