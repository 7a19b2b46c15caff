internal import WharfPrimitives

/// The state of the network and its readers: the shared part of the connectivities.
package final class ConnectivityChanges: Connectivity {
    private let turns: StreamFanOut<Bool>

    package init(isOnline: Bool) { turns = StreamFanOut(latest: isOnline) }

    package var isOnline: Bool { turns.latest ?? true }

    /// The number of readers of changes.
    package var readers: Int { turns.readers }

    /// Reports a state to all readers, even if it is equal to the previous one.
    package func tell(online isOnline: Bool) { turns.yield(isOnline) }

    package func changes() -> AsyncStream<Bool> { turns.subscribe() }

    /// Ends all sequences, because there are no more changes.
    package func finish() { turns.finish() }
}
