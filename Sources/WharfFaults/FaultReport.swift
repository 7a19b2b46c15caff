/// What a carrier of faults tells while it works: which faults met which exchange, and what it
/// could not do.
public struct FaultReport: Sendable, CustomStringConvertible {
    /// What happened, as an extensible name.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let name: String
        public init(_ name: String) { self.name = name }
        public var description: String { name }

        /// An exchange began, with `faults` in force; none of them may have had its effect yet.
        public static let began = Self("began")
        /// The exchange is over, as the message says.
        public static let ended = Self("ended")
        /// A fault could not be applied to what went by, and was not: a status to a connection that
        /// is no HTTP.
        public static let skipped = Self("skipped")
        /// The origin could not be reached.
        public static let originUnreachable = Self("originUnreachable")
        /// The proxy's port could not be used any more.
        public static let listenerFailed = Self("listenerFailed")
    }

    public let code: Code
    /// The number of the exchange; nil for what concerns none.
    public let exchange: Int?
    public let seed: UInt64
    public let faults: [Fault]
    public let message: String

    package init(_ code: Code, exchange: Int? = nil, seed: UInt64, faults: [Fault] = [], message: String) {
        self.code = code
        self.exchange = exchange
        self.seed = seed
        self.faults = faults
        self.message = message
    }

    package static func began(_ exchange: ExchangeFaults) -> FaultReport {
        let shown = exchange.faults.isEmpty ? "no fault" : exchange.faults.map(\.description).joined(separator: ";")
        return FaultReport(
            .began, exchange: exchange.number, seed: exchange.seed, faults: exchange.faults, message: shown)
    }

    public var description: String {
        let place = exchange.map { ", exchange \($0)" } ?? ""
        return "seed \(seed)\(place): \(message)"
    }
}

/// Receives reports, on any thread; it must return quickly.
public typealias FaultReportHandler = @Sendable (FaultReport) -> Void
