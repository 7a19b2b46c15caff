/// An entry with what each of its destinations has made of it.
public struct OutboxRecord: Hashable, Sendable {
    public enum State: Hashable, Sendable {
        /// Its turn has not come: what it depends on is not delivered, or the condition of its
        /// target is not met.
        case waiting
        case pending(attempts: Int, nextAttempt: WallTime, DeliveryFailure?)
        case delivered
        /// Another destination has delivered, so that this one needs not.
        case unneeded
        case dead(attempts: Int, DeliveryFailure)
        case dropped(DroppedDelivery.Reason)
        case discarded
    }

    public var entry: OutboxEntry
    /// The place of the entry in its journal.
    ///
    /// It is greater than that of each entry that was committed before and is still there. It stays
    /// as long as the file of the journal does: in a salvaged copy the entries have the same order
    /// and other positions.
    public var position: Int64
    /// By destination.
    public var states: [String: State]

    public init(entry: OutboxEntry, position: Int64, states: [String: State]) {
        self.entry = entry
        self.position = position
        self.states = states
    }
}

extension OutboxRecord.State {
    /// Waiting, pending or on its way; whatever else it is, nothing more happens by itself.
    package var isOpen: Bool {
        switch self {
        case .waiting, .pending: true
        case .delivered, .unneeded, .dead, .dropped, .discarded: false
        }
    }
}

/// How many deliveries are in which state.
public struct OutboxCounts: Hashable, Sendable {
    /// A kind of entries on its way to a destination.
    public struct Route: Hashable, Sendable {
        public var destination: String
        public var kind: String

        public init(_ destination: String, kind: String) {
            self.destination = destination
            self.kind = kind
        }
    }

    /// Waiting, pending or on their way.
    public var pending: [Route: Int] = [:]
    public var dead: [Route: Int] = [:]
    /// Since the journal was made.
    public var dropped: [Route: [DroppedDelivery.Reason: Int]] = [:]
    /// The pauses of the account, by the names of their destinations.
    public var paused: [String: OutboxPause] = [:]

    public init() {}
}
