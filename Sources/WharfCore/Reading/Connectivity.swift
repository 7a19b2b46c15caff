/// Whether there is a network at all, as far as the system knows.
///
/// With one, a repository that is offline answers at once with what is kept instead of waiting for
/// a timeout, and refreshes what is observed when the network is back. It is a hint: that the
/// system is online does not mean that a service answers.
///
/// To conform, hold this law: whoever subscribes first and asks `isOnline` then hears of every turn
/// that the question did not see.
public protocol Connectivity: Sendable {
    var isOnline: Bool { get }

    /// The state after each turn, until the reader leaves. Subscribes at the call.
    func changes() -> AsyncStream<Bool>
}
