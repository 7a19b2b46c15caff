internal import WharfPrimitives

/// Whether there is a network, and the readers of its changes: what is the same in every
/// ``Connectivity``.
package final class ConnectivityTurns: Connectivity {
    private let turns: StreamFanOut<Bool>

    package init(isOnline: Bool) { turns = StreamFanOut(latest: isOnline) }

    package var isOnline: Bool { turns.latest ?? true }

    /// How many are told of turns.
    package var readers: Int { turns.readers }

    /// Tells all readers, also if the network was so before.
    package func tell(online isOnline: Bool) { turns.yield(isOnline) }

    package func changes() -> AsyncStream<Bool> { turns.subscribe() }

    /// Ends all sequences: no turn comes any more.
    package func finish() { turns.finish() }
}
