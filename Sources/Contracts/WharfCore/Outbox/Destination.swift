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
/// An outbox delivers each entry at least once. It repeats a delivery after a failure, and if the
/// process died before the outcome was on disk. The entry has the same bytes and the same
/// ``OutboxEntry/key`` each time.
///
/// To conform, keep these laws (`DestinationLaws` in `WharfCoreLaws` checks them):
///
/// - A delivered entry has arrived once, with its payload.
/// - Each attempt sends the same key and bytes. Two entries never share a key.
/// - Concurrent deliveries do not affect each other: an outbox delivers many lanes at once.
/// - While the receiver can't accept an entry, the verdict is ``Delivery/Verdict/retry(_:after:)``,
///   ``Delivery/Verdict/rateLimited(_:after:)`` or ``Delivery/Verdict/offline(_:)``.
/// - If the receiver will never accept it, or the payload can't be read, the verdict is
///   ``Delivery/Verdict/rejected(_:)`` or ``Delivery/Verdict/conflict(_:theirs:)``.
/// - A failure has a message without credentials.
/// - A cancelled delivery ends soon. It succeeds only if the entry has arrived.
public protocol Destination: Sendable {
    /// The name that entries use for the destination.
    ///
    /// Journals store the name, so it must not change between versions of an app.
    var name: String { get }

    /// The kinds that the destination can deliver, by ``OutboxEntry/Kind/name``.
    ///
    /// An outbox reads them when the destination is registered.
    var kinds: Set<String> { get }

    /// Delivers an entry.
    func deliver(_ entry: OutboxEntry) async -> Delivery

    /// Delivers an entry, with the number of the attempt.
    ///
    /// Implement it if the number matters, as for a field that counts retries. The default ignores
    /// the number.
    ///
    /// - Parameter attempt: the number of counted attempts so far, plus 1.
    func deliver(_ entry: OutboxEntry, attempt: Int) async -> Delivery

    /// Replaces temporary ids in a payload by the ids that a receiver has assigned.
    ///
    /// An outbox calls it only for entries that were never attempted and depend on the entry that
    /// the ids came with. Ids that are not in the payload change nothing.
    ///
    /// - Throws: an error if the payload can't be read. The entry becomes a dead letter.
    func rewriting(_ payload: [UInt8], of kind: OutboxEntry.Kind, ids: [String: String]) throws -> [UInt8]

    /// Returns a new payload if a conflict can be resolved without a person.
    ///
    /// The outbox sends it under a new key, in the same position of its lane. If it is nil, the
    /// entry becomes a dead letter.
    func merging(_ conflict: ConflictRecord) async -> [UInt8]?
}

extension Destination {
    public func deliver(_ entry: OutboxEntry, attempt: Int) async -> Delivery { await deliver(entry) }

    public func rewriting(_ payload: [UInt8], of kind: OutboxEntry.Kind, ids: [String: String]) throws -> [UInt8] {
        payload
    }

    public func merging(_ conflict: ConflictRecord) async -> [UInt8]? { nil }
}

/// A destination that accepts several entries of one lane at once.
///
/// To conform, keep these laws and those of ``Destination``. `BatchDestinationLaws` in
/// `WharfCoreLaws` checks them:
///
/// - ``limits`` never change.
/// - Entries arrive in the order of the batch, and each has an answer of its own in this order.
/// - A batch of one entry is answered as the entry alone.
/// - A rejected entry does not affect the others of its batch.
/// - An entry larger than ``BatchLimits/bytes`` is delivered or rejected. A retry would never end.
public protocol BatchDestination: Destination {
    /// The limits of one call. A single entry may be larger.
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
            // A destination that breaks its contract must not lose the entry.
            ?? Delivery(
                .retry(
                    DeliveryFailure(
                        .noAnswer,
                        message: "\(name) returned no result for a batch of one entry; it must return one for each")))
    }
}

/// The size at which a batch is full, and the time that it may wait for that.
public struct BatchLimits: Hashable, Sendable {
    /// The number of entries.
    public var entries: Int
    /// The bytes of all payloads.
    public var bytes: Int
    /// The time after the first entry at which an incomplete batch is sent.
    public var wait: Duration

    /// Creates limits. A limit is at least 1, and the wait at least zero.
    public init(entries: Int, bytes: Int = 512 * 1024, wait: Duration = .zero) {
        self.entries = max(1, entries)
        self.bytes = max(1, bytes)
        self.wait = max(.zero, wait)
    }
}

/// The answer of a destination.
///
/// The engine commits the entities and the results of the verdict in one transaction.
public struct Delivery: Hashable, Sendable {
    /// The outcome of an attempt.
    public enum Verdict: Hashable, Sendable {
        /// The receiver has the entry.
        case delivered
        /// The receiver can't accept the entry now. The attempt counts.
        ///
        /// - Parameter after: the pause that the receiver asks for (`Retry-After`, RFC 9110
        ///   §10.2.3). If the receiver is unavailable or did not answer, no lane of the destination
        ///   is delivered until then.
        case retry(DeliveryFailure, after: Duration? = nil)
        /// The receiver limits the rate. The attempt does not count.
        ///
        /// - Parameter after: the pause that the receiver asks for; nil if it names none. No lane
        ///   of the destination is delivered until then.
        case rateLimited(DeliveryFailure, after: Duration? = nil)
        /// The receiver was never reached. The attempt does not count.
        case offline(DeliveryFailure)
        /// The receiver refuses the credential.
        ///
        /// The attempt does not count, unless other lanes are delivered in the meantime. Until the
        /// app has another credential, the destination gets only a probe after each pause of a
        /// backoff.
        case needsAuthentication(DeliveryFailure)
        /// Another client has changed the model.
        ///
        /// - Parameter theirs: the receiver's state in the bytes of the kind; nil if it is unknown.
        case conflict(DeliveryFailure, theirs: [UInt8]? = nil)
        /// The receiver will never accept these bytes.
        case rejected(DeliveryFailure)

        /// The reason why the entry was not delivered; nil if it was.
        public var failure: DeliveryFailure? {
            switch self {
            case .delivered: nil
            case .retry(let failure, _), .rateLimited(let failure, _), .offline(let failure),
                .needsAuthentication(let failure), .conflict(let failure, _), .rejected(let failure):
                failure
            }
        }
    }

    /// The outcome of the attempt.
    public var verdict: Verdict
    /// The changes of entities to commit with the outcome.
    public var entities: [EntityChange]
    /// The ids that the receiver assigned, by the temporary ids.
    public var assignedIDs: [String: String]
    /// The time until the receiver's quota resets, if this request has exhausted it.
    ///
    /// The destination gets no requests until then. If it is nil, the receiver accepts more now.
    public var quotaResetsAfter: Duration?

    /// Creates an answer.
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

/// A conflict of two changes, in the bytes of the entry's kind.
public struct ConflictRecord: Hashable, Sendable {
    /// The entry of the change that was not accepted.
    public var entry: OutboxEntry
    /// The receiver's state; nil if it is unknown.
    public var theirs: [UInt8]?

    /// The state before both changes, if it is known.
    public var base: [UInt8]? { entry.base }
    /// The state after the change of the entry.
    public var mine: [UInt8] { entry.payload }

    /// Creates a record.
    public init(entry: OutboxEntry, theirs: [UInt8]?) {
        self.entry = entry
        self.theirs = theirs
    }
}
