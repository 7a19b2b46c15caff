internal import WharfPrimitives

/// Tells any number of readers the state now, then each change: what a ``Player`` gives out by
/// ``Player/states()``.
///
/// A reader who is slow misses states in between and never the last one. All sequences end with the
/// feed.
public final class StateFeed<State: Sendable & Equatable>: Sendable {
    private let fanOut: StreamFanOut<State>
    private let initial: State

    public init(_ state: State) {
        fanOut = StreamFanOut(latest: state)
        initial = state
    }

    deinit { finish() }

    public var state: State { fanOut.latest ?? initial }

    /// Tells all readers. A state like the one before is not told, and none is after the end.
    public func update(_ state: State) { fanOut.yield(state) { $0 != state } }

    /// Ends at once where the feed has ended.
    public func states() -> AsyncStream<State> {
        fanOut.subscribe(bufferingPolicy: .bufferingNewest(1), beginsWithLatest: true)
    }

    /// Ends all sequences, each behind the last state.
    public func finish() { fanOut.finish() }
}
