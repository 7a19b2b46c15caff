/// The fault behind a failure that a plan brought about: the `cause` of its `TransportError`.
public struct InjectedFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// A latency that had jitter is here as it was drawn.
    public let fault: Fault
    /// The number of the exchange; the first one is 1.
    public let exchange: Int
    /// With the same plan, this seed brings it back.
    public let seed: UInt64

    package init(fault: Fault, exchange: Int, seed: UInt64) {
        self.fault = fault
        self.exchange = exchange
        self.seed = seed
    }

    public var description: String { "fault injected by seed \(seed), exchange \(exchange): \(fault)" }
}
