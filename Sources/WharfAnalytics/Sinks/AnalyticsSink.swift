public import WharfCore
internal import WharfPrimitives

/// The end of events' way: a collector, a file, a screen.
///
/// ```swift
/// struct LogSink: AnalyticsSink {
///     let name = "log"
///     let limits = BatchLimits(entries: 100)
///     func send(_ batch: [KeyedEvent]) async -> [Delivery.Verdict] {
///         for event in batch.map(\.event) { logger.info("\(event.name)") }
///         return batch.map { _ in .delivered }
///     }
/// }
/// ```
///
/// An ``AnalyticsDestination`` makes a destination of the outbox of it. It is asked at least once
/// for each event, again after a failure.
public protocol AnalyticsSink: Sendable {
    /// The sink's name in the outbox.
    ///
    /// It must not change from one version of an app to the next.
    var name: String { get }

    /// How much goes into one call, and how long it may wait for that.
    var limits: BatchLimits { get }

    /// The size of an event in the sink's form; nil if the sink has no limit.
    ///
    /// An event that is too large for one of the sinks is refused when it is tracked, with
    /// ``AnalyticsError/Code/tooLarge``.
    func size(of event: TrackedEvent) -> EventSize?

    /// Sends a batch.
    ///
    /// - Parameter batch: in the order in which they were tracked, at least one.
    /// - Returns: what became of each, in the same order.
    func send(_ batch: [KeyedEvent]) async -> [Delivery.Verdict]

    /// The same for a sink that sends a batch in several parts. The others need only the one above.
    ///
    /// - Parameter isWanted: whether there is consent still; to be asked before each part. If it
    ///   says no, the rest is not sent and gets a retry, before which the consent is looked at
    ///   anew.
    func send(_ batch: [KeyedEvent], while isWanted: @Sendable (TrackedEvent) -> Bool) async -> [Delivery.Verdict]
}

extension AnalyticsSink {
    public func size(of event: TrackedEvent) -> EventSize? { nil }

    public func send(
        _ batch: [KeyedEvent], while isWanted: @Sendable (TrackedEvent) -> Bool
    ) async -> [Delivery.Verdict] { await send(batch) }
}

/// An event with the key that is the same on every attempt.
public struct KeyedEvent: Hashable, Sendable {
    /// The event.
    public var event: TrackedEvent
    /// The key of its entry in the outbox.
    public var key: IdempotencyKey

    /// Creates an event with its key.
    public init(_ event: TrackedEvent, key: IdempotencyKey) {
        self.event = event
        self.key = key
    }
}

extension Collection<KeyedEvent> {
    /// The key of a batch: the same for the same events in the same order.
    ///
    /// A batch of one event has the key of that event. Batches are assembled again for each
    /// attempt: with more events by then it is another batch, under another key. A receiver that
    /// counts each event once goes by ``TrackedEvent/id``.
    public var key: IdempotencyKey {
        if count == 1, let first { return first.key }
        // Keys are told apart by their lengths: "ab", "c" is not "a", "bc".
        let bytes = flatMap { item in Array("\(item.key.text.utf8.count):\(item.key.text)".utf8) }
        let halves = [XXH64.hash(bytes), XXH64.hash(bytes, seed: 1)]
        return IdempotencyKey("batch-" + halves.map { Hexadecimal.text($0) }.joined())
    }
}
