internal import Synchronization
public import WharfCore

/// A destination of batches that records them and gives scripted answers.
public final class RecordingBatchDestination: BatchDestination {
    /// Returns an answer for each entry of a batch.
    public typealias Answer = @Sendable (_ batch: [OutboxEntry]) async -> [Delivery]

    public let name: String
    public let kinds: Set<String>
    public let limits: BatchLimits
    private let answer: Mutex<Answer>
    private let record = DeliveryRecord()
    private let calls = Mutex<[[OutboxEntry]]>([])

    /// Creates a destination. By default all entries are delivered.
    public init(
        _ name: String, kinds: Set<String>, limits: BatchLimits,
        answer: @escaping Answer = { $0.map { _ in .delivered } }
    ) {
        self.name = name
        self.kinds = kinds
        self.limits = limits
        self.answer = Mutex(answer)
    }

    /// The batches in the order of the calls.
    public var batches: [[OutboxEntry]] { calls.withLock { $0 } }

    /// Sets the answer for all later calls.
    public func answers(_ answer: @escaping Answer) { self.answer.withLock { $0 = answer } }

    /// Waits until the destination has received this many entries in all.
    public func untilReceived(_ count: Int) async { await record.untilCount(count) }

    public func deliver(_ batch: [OutboxEntry]) async -> [Delivery] {
        calls.withLock { $0.append(batch) }
        _ = record.begin(batch)
        defer { record.end() }
        return await answer.withLock { $0 }(batch)
    }
}
