/// An entry of a journal: a payload, its destinations, its lane and its key.
///
/// The bytes and the key never change after the first attempt. A receiver that has seen the key has
/// therefore seen these bytes.
public struct OutboxEntry: Hashable, Sendable, Identifiable {
    /// The meaning of a payload: a name that destinations register, and a version.
    ///
    /// An entry whose kind is not registered waits, and so do the entries behind it in its lane. It
    /// does not become a dead letter for that reason.
    public struct Kind: Hashable, Sendable {
        /// The name that destinations register.
        public var name: String
        /// The version of the bytes.
        public var version: Int

        /// Creates a kind.
        public init(_ name: String, version: Int = 1) {
            self.name = name
            self.version = version
        }
    }

    /// The id of the entry.
    public var id: ID
    /// The account of the entry; nil if it has none.
    public var account: Account?
    /// The lane of the entry.
    ///
    /// The entries of one lane reach a destination one at a time, in the order of their commits.
    /// Lanes do not wait for each other.
    public var lane: String
    /// The kind of the payload.
    public var kind: Kind
    /// The bytes to deliver.
    public var payload: [UInt8]
    /// The state before the change, for resolving a conflict; nil if there is none.
    public var base: [UInt8]?
    /// The idempotency key, equal for all attempts; by default the text of the id.
    public var key: IdempotencyKey
    /// The rule by which the entry may be dropped.
    public var deliveryClass: DeliveryClass = .durable
    /// The destinations, each with attempts of its own.
    public var targets: [Target]
    /// Entries that must be delivered everywhere before this one is attempted.
    ///
    /// An entry that is not in the journal counts as delivered, except in two cases. The journal
    /// remembers that it was discarded, or it is so old that the journal may have forgotten that.
    public var dependencies: Set<ID> = []
    /// The time at which the entry was enqueued.
    public var enqueuedAt: WallTime

    /// Creates a durable entry of no account, whose key is the text of its id.
    public init(id: ID, lane: String, kind: Kind, payload: [UInt8], targets: [Target], enqueuedAt: WallTime) {
        self.id = id
        self.lane = lane
        self.kind = kind
        self.payload = payload
        key = IdempotencyKey(id.text)
        self.targets = targets
        self.enqueuedAt = enqueuedAt
    }
}

/// A key by which a receiver recognises a repeated request.
///
/// The receiver gives the same answer as before and does nothing else. Over HTTP it is the field
/// `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header).
public struct IdempotencyKey: Hashable, Sendable {
    /// The text of the key.
    public let text: String

    /// Creates a key from its text.
    public init(_ text: String) { self.text = text }
}
