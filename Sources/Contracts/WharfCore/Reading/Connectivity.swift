/// The state of the network, as far as the system knows it.
///
/// An offline repository with a connectivity answers at once with the kept value instead of after a
/// timeout. It refreshes observed values when the network is back. The state is a hint: if the
/// system is online, a service may still not answer.
///
/// To conform, keep this law: a reader that first subscribes and then reads `isOnline` is told of
/// every change that the read did not see.
public protocol Connectivity: Sendable {
    /// Whether there is a network now.
    var isOnline: Bool { get }

    /// Returns the state after each change, from this call until the reader stops.
    func changes() -> AsyncStream<Bool>
}
