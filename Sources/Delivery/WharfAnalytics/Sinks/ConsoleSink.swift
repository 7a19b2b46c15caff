public import WharfCore

/// A sink that prints events, for development.
public struct ConsoleSink: AnalyticsSink {
    public let name: String
    public let limits: BatchLimits
    private let write: @Sendable (String) -> Void

    /// Creates a sink.
    ///
    /// - Parameter write: called with one line for each event.
    public init(
        name: String = "console", limits: BatchLimits = BatchLimits(entries: 100),
        write: @escaping @Sendable (String) -> Void = { print($0) }
    ) {
        self.name = name
        self.limits = limits
        self.write = write
    }

    public func send(_ batch: [KeyedEvent]) async -> [Delivery.Verdict] {
        for item in batch { write("\(item.event.json)") }
        return batch.map { _ in .delivered }
    }
}
