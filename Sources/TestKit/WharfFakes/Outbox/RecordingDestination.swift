internal import Synchronization
public import WharfCore

/// A destination that records its entries and gives scripted answers.
///
/// ```swift
/// let api = RecordingDestination("api", kinds: ["note"])
/// api.answers { _, attempt in attempt == 1 ? .unavailable : .delivered }
/// …
/// await api.untilReceived(2)
/// #expect(api.received.map(\.key) == [note.key, note.key])
/// ```
public final class RecordingDestination: Destination {
    /// Returns the answer to an entry.
    ///
    /// - Parameter attempt: the number of the attempt of this entry here, counted from 1.
    public typealias Answer = @Sendable (_ entry: OutboxEntry, _ attempt: Int) async -> Delivery
    /// Returns a payload with replaced ids.
    public typealias Rewriting = @Sendable (_ payload: [UInt8], _ ids: [String: String]) throws -> [UInt8]
    /// Returns the payload that resolves a conflict, or nil.
    public typealias Merging = @Sendable (ConflictRecord) async -> [UInt8]?

    public let name: String
    public let kinds: Set<String>
    private let rewriting: Rewriting
    private let merging: Merging
    private let answer: Mutex<Answer>
    private let record = DeliveryRecord()

    /// Creates a destination. By default all entries are delivered.
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

    /// The received entries in the order of the calls.
    public var received: [OutboxEntry] { record.entries }

    /// The number of calls without an answer.
    public var underWay: Int { record.underWay }

    /// Sets the answer for all later calls.
    public func answers(_ answer: @escaping Answer) { self.answer.withLock { $0 = answer } }

    /// Waits until the destination has received this many entries in all.
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
    /// The answer for an entry that has arrived.
    public static var delivered: Delivery { Delivery(.delivered) }
    /// The answer of a receiver with the status 503.
    public static var unavailable: Delivery {
        Delivery(.retry(DeliveryFailure(.unavailable, message: "scripted", status: 503)))
    }
    /// Returns the answer of a receiver with the status 429.
    public static func rateLimited(after pause: Duration? = nil) -> Delivery {
        Delivery(.rateLimited(DeliveryFailure(.rateLimited, message: "scripted", status: 429), after: pause))
    }
    /// The answer for a receiver that can't be reached.
    public static var offline: Delivery { Delivery(.offline(DeliveryFailure(.offline, message: "scripted"))) }
    /// The answer of a receiver with the status 422.
    public static var rejected: Delivery {
        Delivery(.rejected(DeliveryFailure(.rejected, message: "scripted", status: 422)))
    }
    /// The answer of a receiver with the status 401.
    public static var needsAuthentication: Delivery {
        Delivery(.needsAuthentication(DeliveryFailure(.needsAuthentication, message: "scripted", status: 401)))
    }

    /// Returns the answer of a receiver with the status 412.
    public static func conflict(theirs: [UInt8]? = nil) -> Delivery {
        Delivery(.conflict(DeliveryFailure(.conflict, message: "scripted", status: 412), theirs: theirs))
    }
}
