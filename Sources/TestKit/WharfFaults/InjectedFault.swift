/// The injected fault behind a failure, as the `cause` of its `TransportError`.
public struct InjectedFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// The fault. A latency with jitter is the drawn one.
    public let fault: Fault
    /// The number of the exchange, counted from 1.
    public let exchange: Int
    /// The seed, which reproduces the failure with the same plan.
    public let seed: UInt64

    package init(fault: Fault, exchange: Int, seed: UInt64) {
        self.fault = fault
        self.exchange = exchange
        self.seed = seed
    }

    public var description: String { "fault injected by seed \(seed), exchange \(exchange): \(fault)" }
}
