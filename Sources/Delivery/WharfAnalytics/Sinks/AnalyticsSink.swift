public import WharfCore
internal import WharfPrimitives

/// A receiver of events: a collector, a file, a screen.
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
/// An ``AnalyticsDestination`` makes it a destination of the outbox. It is called at least once for
/// each event, and again after a failure.
///
/// To conform, hold these laws (`AnalyticsSinkLaws` in `WharfAnalyticsLaws` checks them):
///
/// - Events arrive complete and in the order of the batch, and each has a verdict of its own in
///   this order.
/// - The same batch is the same to the receiver each time. It has its key if the sink can pass one
///   on.
/// - While the receiver can't take events, the verdict is `.retry`, `.rateLimited` or `.offline`.
/// - An event that the receiver never takes is rejected, and no other event of its batch with it.
/// - An event as large as the limit of ``size(of:)`` is taken.
public protocol AnalyticsSink: Sendable {
    /// The sink's name in the outbox.
    ///
    /// It must not change from one version of an app to the next.
    var name: String { get }

    /// The largest batch of one call, and how long it may wait to fill.
    var limits: BatchLimits { get }

    /// The size of an event in the sink's form; nil if the sink has no limit.
    ///
    /// It is the same for the same event each time, and grows with the event. The limit is the same
    /// for all events.
    ///
    /// An event that is too large for one of the sinks is refused when it is tracked, with
    /// ``AnalyticsError/Code/tooLarge``.
    func size(of event: TrackedEvent) -> EventSize?

    /// Sends a batch.
    ///
    /// - Parameter batch: at least one event, in the order in which they were tracked.
    /// - Returns: a verdict for each event, in the same order.
    func send(_ batch: [KeyedEvent]) async -> [Delivery.Verdict]

    /// Sends a batch in several parts.
    ///
    /// A sink that sends it as one part needs only ``send(_:)``.
    ///
    /// - Parameter isWanted: whether there is still consent. The sink asks before each part. If the
    ///   answer is false, the sink does not send the rest, and its verdict is a retry. Consent is
    ///   checked again before that.
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
    /// attempt. With more events by then it is another batch, under another key. A receiver that
    /// counts each event once deduplicates by ``TrackedEvent/id``.
    public var key: IdempotencyKey {
        // A single event keeps its own key, also when it is sent again alone after a batch was
        // halved.
        if count == 1, let first { return first.key }
        // The lengths separate the keys: "ab", "c" is not "a", "bc".
        let bytes = flatMap { item in Array("\(item.key.text.utf8.count):\(item.key.text)".utf8) }
        // Two hashes make 128 bits. With 64, two batches out of a few billion would share a key,
        // and the collector would drop one.
        let halves = [XXH64.hash(bytes), XXH64.hash(bytes, seed: 1)]
        return IdempotencyKey("batch-" + halves.map { Hexadecimal.text($0) }.joined())
    }
}
