internal import Synchronization
public import WharfCore

/// A destination that remembers what it was given, and answers as a test says.
///
/// ```swift
/// let api = RecordingDestination("api", kinds: ["note"])
/// api.answers { _, attempt in attempt == 1 ? .unavailable : .delivered }
/// …
/// await api.untilReceived(2)
/// #expect(api.received.map(\.key) == [note.key, note.key])
/// ```
public final class RecordingDestination: Destination {
    /// - Parameter attempt: of this entry here, counted from 1.
    public typealias Answer = @Sendable (_ entry: OutboxEntry, _ attempt: Int) async -> Delivery
    public typealias Rewriting = @Sendable (_ payload: [UInt8], _ ids: [String: String]) throws -> [UInt8]
    public typealias Merging = @Sendable (ConflictRecord) async -> [UInt8]?

    public let name: String
    public let kinds: Set<String>
    private let rewriting: Rewriting
    private let merging: Merging
    private let answer: Mutex<Answer>
    private let record = DeliveryRecord()

    public init(
        _ name: String, kinds: Set<String>, answer: @escaping Answer = { _, _ in .delivered },
        rewriting: @escaping Rewriting = { payload, _ in payload }, merging: @escaping Merging = { _ in nil }
    ) {
        self.name = name
        self.kinds = kinds
        self.rewriting = rewriting
        self.merging = merging
        self.answer = Mutex(answer)
    }

    /// What it was given, in the order of the calls.
    public var received: [OutboxEntry] { record.entries }

    /// How many of its calls have not been answered.
    public var underWay: Int { record.underWay }

    /// How it answers from now on.
    public func answers(_ answer: @escaping Answer) { self.answer.withLock { $0 = answer } }

    /// Returns once it was given so many in all.
    public func untilReceived(_ count: Int) async { await record.untilCount(count) }

    public func deliver(_ entry: OutboxEntry) async -> Delivery {
        let attempt = record.begin([entry])[0]
        defer { record.end() }
        return await answer.withLock { $0 }(entry, attempt)
    }

    public func rewriting(_ payload: [UInt8], of kind: OutboxEntry.Kind, ids: [String: String]) throws -> [UInt8] {
        try rewriting(payload, ids)
    }

    public func merging(_ conflict: ConflictRecord) async -> [UInt8]? { await merging(conflict) }
}

extension Delivery {
    public static var delivered: Delivery { Delivery(.delivered) }
    public static var unavailable: Delivery {
        Delivery(.retry(DeliveryFailure(.unavailable, message: "scripted", status: 503)))
    }
    public static func rateLimited(after pause: Duration? = nil) -> Delivery {
        Delivery(.rateLimited(DeliveryFailure(.rateLimited, message: "scripted", status: 429), after: pause))
    }
    public static var offline: Delivery { Delivery(.offline(DeliveryFailure(.offline, message: "scripted"))) }
    public static var rejected: Delivery {
        Delivery(.rejected(DeliveryFailure(.rejected, message: "scripted", status: 422)))
    }
    public static var needsAuthentication: Delivery {
        Delivery(.needsAuthentication(DeliveryFailure(.needsAuthentication, message: "scripted", status: 401)))
    }

    public static func conflict(theirs: [UInt8]? = nil) -> Delivery {
        Delivery(.conflict(DeliveryFailure(.conflict, message: "scripted", status: 412), theirs: theirs))
    }
}
