/// A report of a fault carrier: an exchange's faults, or the carrier's error.
public struct FaultReport: Sendable, CustomStringConvertible {
    /// The kind of a report, as an extensible name.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name, which is the code's description.
        public let name: String
        /// Creates a code of your own.
        public init(_ name: String) { self.name = name }
        public var description: String { name }

        /// An exchange began with `faults` in force. None of them may have had its effect yet.
        public static let began = Self("began")
        /// The exchange ended; the message says how.
        public static let ended = Self("ended")
        /// A fault was not applied, because it did not fit.
        ///
        /// An example is a status to a connection without HTTP.
        public static let skipped = Self("skipped")
        /// The origin is unreachable.
        public static let originUnreachable = Self("originUnreachable")
        /// The proxy's port became unusable.
        public static let listenerFailed = Self("listenerFailed")
    }

    /// The kind of the report.
    public let code: Code
    /// The number of the exchange; nil for a report that concerns none.
    public let exchange: Int?
    /// The seed that reproduces the faults.
    public let seed: UInt64
    /// The faults in force.
    public let faults: [Fault]
    /// A text for logs.
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

/// Receives reports on any thread; it must return quickly.
public typealias FaultReportHandler = @Sendable (FaultReport) -> Void
