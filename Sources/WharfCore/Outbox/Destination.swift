/// The receiver of entries: an HTTP service, a gateway, a file.
///
/// ```swift
/// struct Console: Destination {
///     let name = "console"
///     let kinds: Set<String> = ["note"]
///     func deliver(_ entry: OutboxEntry) async -> Delivery {
///         print(String(decoding: entry.payload, as: UTF8.self))
///         return Delivery(.delivered)
///     }
/// }
/// ```
///
/// An outbox asks it at least once for each entry: again after a failure, and again if the process
/// died before the answer was on the disk. Each time the entry has the same bytes and the same
/// ``OutboxEntry/key``.
///
/// To conform, hold these laws (`DestinationLaws` in `WharfCoreLaws` checks them):
///
/// - An entry that is delivered has arrived once, with its payload.
/// - Each attempt hands on the same key and bytes. Two entries never share a key.
/// - Deliveries at the same time don't disturb each other: an outbox delivers many lanes at once.
/// - While the receiver can't take an entry, the verdict is ``Delivery/Verdict/retry(_:after:)``,
///   ``Delivery/Verdict/rateLimited(_:after:)`` or ``Delivery/Verdict/offline(_:)``.
/// - If the receiver will never take it, or the payload can't be read, the verdict is
///   ``Delivery/Verdict/rejected(_:)`` or ``Delivery/Verdict/conflict(_:theirs:)``.
/// - A failure has a message, without credentials.
/// - A cancelled delivery ends soon. It succeeds only if the entry has arrived.
public protocol Destination: Sendable {
    /// The name by which entries name it.
    ///
    /// Journals keep the name, so it must not change from one version of an app to the next.
    var name: String { get }

    /// The kinds that it can deliver, by ``OutboxEntry/Kind/name``.
    var kinds: Set<String> { get }

    /// Delivers an entry.
    func deliver(_ entry: OutboxEntry) async -> Delivery

    /// Delivers an entry, told the number of the attempt.
    ///
    /// Implement it if the number matters, as for a field that counts retries. The default leaves
    /// it out.
    ///
    /// - Parameter attempt: 1 and the attempts before that count.
    func deliver(_ entry: OutboxEntry, attempt: Int) async -> Delivery

    /// Replaces temporary ids in a payload by the ids that a receiver has given.
    ///
    /// An outbox asks only for entries that were never attempted and that depend on the entry that
    /// the ids came with. Ids that the payload does not name change nothing.
    ///
    /// - Throws: an error if the payload can't be read. The entry is set aside then.
    func rewriting(_ payload: [UInt8], of kind: OutboxEntry.Kind, ids: [String: String]) throws -> [UInt8]

    /// What to send instead, where a conflict can be settled without a person; nil sets the entry
    /// aside.
    ///
    /// It is sent under a new key, in the same place of its lane.
    func merging(_ conflict: ConflictRecord) async -> [UInt8]?
}

extension Destination {
    public func deliver(_ entry: OutboxEntry, attempt: Int) async -> Delivery { await deliver(entry) }

    public func rewriting(_ payload: [UInt8], of kind: OutboxEntry.Kind, ids: [String: String]) throws -> [UInt8] {
        payload
    }

    public func merging(_ conflict: ConflictRecord) async -> [UInt8]? { nil }
}

/// A destination that takes several entries of one lane at once.
///
/// To conform, hold these laws beside those of ``Destination`` (`BatchDestinationLaws` in
/// `WharfCoreLaws` checks them):
///
/// - ``limits`` stay the same.
/// - Entries arrive in the order of the batch, and each has an answer of its own in this order.
/// - A batch of one is answered as its entry alone.
/// - An entry that is rejected takes no other of its batch along.
/// - An entry larger than ``BatchLimits/bytes`` is delivered or rejected. A retry would never end.
public protocol BatchDestination: Destination {
    /// How much goes into one call. One entry alone may be larger.
    var limits: BatchLimits { get }

    /// Delivers a batch.
    ///
    /// - Parameter batch: at least one entry, all of one lane and account, in order.
    /// - Returns: an answer for each entry, in the same order.
    func deliver(_ batch: [OutboxEntry]) async -> [Delivery]
}

extension BatchDestination {
    public func deliver(_ entry: OutboxEntry) async -> Delivery {
        await deliver([entry]).first
            ?? Delivery(.retry(DeliveryFailure(.noAnswer, message: "\(name) gave no answer for a batch of one")))
    }
}

/// When a batch is full, and how long it may wait for that.
public struct BatchLimits: Hashable, Sendable {
    public var entries: Int
    /// Of all payloads.
    public var bytes: Int
    /// How long after the first entry a batch that is not full is sent.
    public var wait: Duration

    public init(entries: Int, bytes: Int = 512 * 1024, wait: Duration = .zero) {
        self.entries = max(1, entries)
        self.bytes = max(1, bytes)
        self.wait = max(.zero, wait)
    }
}

/// What a destination answers. The engine commits the entities and what follows from the verdict in
/// one transaction.
public struct Delivery: Hashable, Sendable {
    public enum Verdict: Hashable, Sendable {
        case delivered
        /// The receiver can't take the entry now. The attempt counts.
        ///
        /// - Parameter after: the pause that the receiver asks for (`Retry-After`, RFC 9110
        ///   §10.2.3). If it is unavailable, or gave no answer, nothing is sent to the destination
        ///   in the meantime, also of other lanes.
        case retry(DeliveryFailure, after: Duration? = nil)
        /// The receiver wants fewer requests. The attempt does not count.
        ///
        /// - Parameter after: the pause that it asks for; nil if it names none. Nothing is sent to
        ///   the destination in the meantime, also of other lanes.
        case rateLimited(DeliveryFailure, after: Duration? = nil)
        /// The receiver was never reached. The attempt does not count.
        case offline(DeliveryFailure)
        /// The receiver does not take the credential. The attempt does not count, unless other
        /// lanes are served meanwhile.
        ///
        /// Nothing is sent to the destination but a probe after each pause of a backoff, until the
        /// app has another credential.
        case needsAuthentication(DeliveryFailure)
        /// - Parameter theirs: what the receiver has, in the bytes of the kind; nil where it did
        ///   not say.
        case conflict(DeliveryFailure, theirs: [UInt8]? = nil)
        /// Never, in these bytes.
        case rejected(DeliveryFailure)

        /// Why it was not delivered; nil where it was.
        public var failure: DeliveryFailure? {
            switch self {
            case .delivered: nil
            case .retry(let failure, _), .rateLimited(let failure, _), .offline(let failure),
                .needsAuthentication(let failure), .conflict(let failure, _), .rejected(let failure):
                failure
            }
        }
    }

    public var verdict: Verdict
    public var entities: [EntityChange]
    /// Temporary ids to those that the receiver gave.
    public var assignedIDs: [String: String]
    /// After what time the receiver takes more, if this request has used up its quota; nil if it
    /// takes more now.
    ///
    /// Nothing is sent to the destination in the meantime.
    public var quotaResetsAfter: Duration?

    public init(
        _ verdict: Verdict, entities: [EntityChange] = [], assignedIDs: [String: String] = [:],
        quotaResetsAfter: Duration? = nil
    ) {
        self.verdict = verdict
        self.entities = entities
        self.assignedIDs = assignedIDs
        self.quotaResetsAfter = quotaResetsAfter
    }
}

/// Two who have changed the same, in the bytes of the entry's kind.
public struct ConflictRecord: Hashable, Sendable {
    public var entry: OutboxEntry
    /// nil where the receiver did not say.
    public var theirs: [UInt8]?

    /// What both were made on, where that is known.
    public var base: [UInt8]? { entry.base }
    public var mine: [UInt8] { entry.payload }

    public init(entry: OutboxEntry, theirs: [UInt8]?) {
        self.entry = entry
        self.theirs = theirs
    }
}
