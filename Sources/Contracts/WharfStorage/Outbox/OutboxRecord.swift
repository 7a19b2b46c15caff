public import WharfCore

/// An entry with the state of each of its deliveries.
public struct OutboxRecord: Hashable, Sendable {
    /// The state of a delivery.
    public enum State: Hashable, Sendable {
        /// It is blocked by a dependency, or its target's condition is not met.
        case waiting
        /// It is ready or in flight. The failure is that of the last attempt.
        case pending(attempts: Int, nextAttempt: WallTime, DeliveryFailure?)
        /// The destination has the entry.
        case delivered
        /// Another destination has delivered the entry, so this one is not needed.
        case unneeded
        /// It is a dead letter.
        case dead(attempts: Int, DeliveryFailure)
        /// Its delivery class has dropped it.
        case dropped(DroppedDelivery.Reason)
        /// A person or the app has given it up.
        case discarded
    }

    /// The entry.
    public var entry: OutboxEntry
    /// The position of the entry in its journal.
    ///
    /// It is greater than that of each entry of the account that was committed before, even if that
    /// is gone. It is stable as long as the journal's file exists. A salvaged copy has the same
    /// order but other positions.
    public var position: Int64
    /// The states of the deliveries, by the names of destinations.
    public var states: [String: State]

    /// Creates a record.
    public init(entry: OutboxEntry, position: Int64, states: [String: State]) {
        self.entry = entry
        self.position = position
        self.states = states
    }
}

extension OutboxRecord.State {
    /// Whether the delivery is waiting, pending or in flight.
    ///
    /// A delivery in another state changes only by a decision.
    package var isOpen: Bool {
        switch self {
        case .waiting, .pending: true
        case .delivered, .unneeded, .dead, .dropped, .discarded: false
        }
    }
}

/// The numbers of deliveries by state.
public struct OutboxCounts: Hashable, Sendable {
    /// A kind of entries and the destination that they go to.
    public struct Route: Hashable, Sendable {
        /// The name of the destination.
        public var destination: String
        /// The kind, by ``OutboxEntry/Kind/name``.
        public var kind: String

        /// Creates a route.
        public init(_ destination: String, kind: String) {
            self.destination = destination
            self.kind = kind
        }
    }

    /// The deliveries that are waiting, pending or in flight.
    public var pending: [Route: Int] = [:]
    /// The dead letters.
    public var dead: [Route: Int] = [:]
    /// The deliveries that were dropped since the journal was created.
    public var dropped: [Route: [DroppedDelivery.Reason: Int]] = [:]
    /// The pauses of the account, by the names of their destinations.
    public var paused: [String: OutboxPause] = [:]

    /// Creates counts of an empty journal.
    public init() {}
}
