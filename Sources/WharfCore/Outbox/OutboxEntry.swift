/// Something to be delivered, as it lies in a journal: what to say, to whom, in which order, and
/// under which key.
///
/// Its bytes and its key never change once it was attempted: a receiver that has seen the key has
/// seen these bytes.
public struct OutboxEntry: Hashable, Sendable, Identifiable {
    /// What a payload means: a name that destinations register for, and the version of its bytes.
    ///
    /// An entry of a kind that nobody has registered waits, as do those behind it in its lane; it
    /// is never dead for that reason.
    public struct Kind: Hashable, Sendable {
        public var name: String
        public var version: Int

        public init(_ name: String, version: Int = 1) {
            self.name = name
            self.version = version
        }
    }

    public var id: ID
    /// Whose it is; nil: of nobody's account.
    public var account: Account?
    /// Entries of one lane reach a destination in the order of their commits, one at a time. Lanes
    /// don't wait for each other.
    public var lane: String
    public var kind: Kind
    public var payload: [UInt8]
    /// What the change was made on, where it is one: for who has to settle a conflict.
    public var base: [UInt8]?
    /// The same on every attempt.
    public var key: IdempotencyKey
    public var deliveryClass: DeliveryClass
    /// Where it goes, each with attempts of its own.
    public var targets: [Target]
    /// Entries that have to be delivered everywhere before this one is attempted. What the journal
    /// does not have is delivered, or was discarded, which it remembers; or so long gone that it
    /// may have forgotten that.
    public var dependencies: Set<ID>
    public var enqueuedAt: WallTime

    /// - Parameter key: nil for the text of the id.
    public init(
        id: ID, account: Account? = nil, lane: String, kind: Kind, payload: [UInt8], base: [UInt8]? = nil,
        key: IdempotencyKey? = nil, deliveryClass: DeliveryClass = .durable, targets: [Target],
        dependencies: Set<ID> = [], enqueuedAt: WallTime
    ) {
        self.id = id
        self.account = account
        self.lane = lane
        self.kind = kind
        self.payload = payload
        self.base = base
        self.key = key ?? IdempotencyKey(id.text)
        self.deliveryClass = deliveryClass
        self.targets = targets
        self.dependencies = dependencies
        self.enqueuedAt = enqueuedAt
    }
}

/// By what a receiver knows a request that it has seen before: it answers as it did then, and does
/// nothing.
///
/// Over HTTP it is the field `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header).
public struct IdempotencyKey: Hashable, Sendable {
    public let text: String

    public init(_ text: String) { self.text = text }
}
