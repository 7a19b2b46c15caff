internal import WharfCore
internal import WharfStorage

/// An entry of a journal, with the state of each of its deliveries.
struct JournalItem {
    struct Delivery {
        enum State {
            case waiting, pending, delivered, unneeded, discarded
            case dropped(DroppedDelivery.Reason)
            case dead(DeliveryFailure, at: WallTime, theirs: [UInt8]?)
        }

        let destination: String
        let condition: OutboxEntry.Target.DeliveryCondition
        var state = State.waiting
        var attempts = 0
        var firstAttempt: WallTime?
        var countedSince: WallTime?
        /// When the last attempt began; nil if none, or none since a person's retry.
        var lastAttempt: WallTime?
        var nextAttempt: WallTime
        var lastFailure: DeliveryFailure?
        /// The number of the lease under which it was last handed out.
        var lease: Int64?
    }

    var entry: OutboxEntry
    /// The entry's place in the order of commits. A later commit has greater positions.
    let position: Int64
    /// One for each destination, in the order of the targets.
    var deliveries: [Delivery]
    /// The assigned ids that still have to be put into the payload.
    var owed: [String: String] = [:]

    init(_ entry: OutboxEntry, position: Int64) {
        self.entry = entry
        self.position = position
        var names: Set<String> = []
        deliveries = entry.targets.filter { names.insert($0.destination).inserted }.map {
            Delivery(destination: $0.destination, condition: $0.condition, nextAttempt: entry.enqueuedAt)
        }
    }

    func index(of destination: String) -> Int? { deliveries.firstIndex { $0.destination == destination } }

    func lane(_ index: Int) -> Lease.Lane {
        Lease.Lane(account: entry.account, name: entry.lane, destination: deliveries[index].destination)
    }

    func route(_ index: Int) -> OutboxCounts.Route {
        OutboxCounts.Route(deliveries[index].destination, kind: entry.kind.name)
    }

    func pending(_ index: Int) -> PendingDelivery {
        let delivery = deliveries[index]
        var pending = PendingDelivery(
            entry: entry, destination: delivery.destination, nextAttempt: delivery.nextAttempt)
        pending.attempts = delivery.attempts
        pending.firstAttempt = delivery.firstAttempt
        pending.countedSince = delivery.countedSince
        pending.lastFailure = delivery.lastFailure
        pending.owed = owed
        return pending
    }

    /// Whether no delivery is open or dead, so that the entry can be removed.
    var isSettled: Bool { !deliveries.contains { $0.state.isOpen || $0.state.isDead } }

    func hasExpired(by now: WallTime) -> Bool {
        guard case .expiring(let duration, _) = entry.deliveryClass else { return false }
        return entry.enqueuedAt + duration <= now
    }

    /// The new state of a waiting delivery, as the states of the others determine it.
    ///
    /// It is nil if that is undecided, or depends on the time.
    func turn(of delivery: Delivery) -> Delivery.State? {
        switch delivery.condition {
        case .always: return .pending
        case .afterFailure(let other):
            // The other destination does not exist, so waiting for it would never end.
            guard let index = index(of: other) else { return .pending }
            switch deliveries[index].state {
            case .dead, .dropped, .discarded: return .pending
            case .delivered, .unneeded: return .unneeded
            case .waiting, .pending: return nil
            }
        case .unlessDelivered(let other, _):
            guard let index = index(of: other) else { return nil }
            switch deliveries[index].state {
            // If the other was not needed, the destination before it in the chain has delivered.
            case .delivered, .unneeded: return .unneeded
            case .waiting, .pending, .dead, .dropped, .discarded: return nil
            }
        }
    }
}

extension JournalItem.Delivery.State {
    /// Whether the delivery is waiting or pending. A pending one may be in flight.
    var isOpen: Bool { isWaiting || isPending }
    var isPending: Bool { if case .pending = self { true } else { false } }
    var isWaiting: Bool { if case .waiting = self { true } else { false } }
    var isDead: Bool { if case .dead = self { true } else { false } }
}
