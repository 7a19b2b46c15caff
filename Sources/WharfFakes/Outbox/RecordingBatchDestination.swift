internal import Synchronization
public import WharfCore

/// A destination of batches that remembers them, and answers as a test says.
public final class RecordingBatchDestination: BatchDestination {
    public typealias Answer = @Sendable (_ batch: [OutboxEntry]) async -> [Delivery]

    public let name: String
    public let kinds: Set<String>
    public let limits: BatchLimits
    private let answer: Mutex<Answer>
    private let record = DeliveryRecord()
    private let calls = Mutex<[[OutboxEntry]]>([])

    public init(
        _ name: String, kinds: Set<String>, limits: BatchLimits,
        answer: @escaping Answer = { $0.map { _ in .delivered } }
    ) {
        self.name = name
        self.kinds = kinds
        self.limits = limits
        self.answer = Mutex(answer)
    }

    /// In the order of the calls.
    public var batches: [[OutboxEntry]] { calls.withLock { $0 } }

    /// How it answers from now on.
    public func answers(_ answer: @escaping Answer) { self.answer.withLock { $0 = answer } }

    /// Returns once it was given so many entries in all.
    public func untilReceived(_ count: Int) async { await record.untilCount(count) }

    public func deliver(_ batch: [OutboxEntry]) async -> [Delivery] {
        calls.withLock { $0.append(batch) }
        _ = record.begin(batch)
        defer { record.end() }
        return await answer.withLock { $0 }(batch)
    }
}
