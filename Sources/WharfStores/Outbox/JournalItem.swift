internal import WharfCore

/// An entry in a journal, with where each of its deliveries stands.
struct JournalItem {
    struct Delivery {
        enum State {
            case waiting, pending, delivered, unneeded, discarded
            case dropped(DroppedDelivery.Reason)
            case dead(DeliveryFailure, at: WallTime, theirs: [UInt8]?)
        }

        let destination: String
        let condition: OutboxEntry.Target.Condition
        var state = State.waiting
        var attempts = 0
        var firstAttempt: WallTime?
        var countedSince: WallTime?
        /// nil: never, or not since a person has retried it.
        var lastAttempt: WallTime?
        var nextAttempt: WallTime
        var lastFailure: DeliveryFailure?
        /// The lease under which it was handed out last.
        var lease: Int64?
    }

    var entry: OutboxEntry
    /// Those of later commits are greater.
    let position: Int64
    /// In the order of the targets.
    var deliveries: [Delivery]
    /// Ids that the payload lacks.
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
        return PendingDelivery(
            entry: entry, destination: delivery.destination, attempts: delivery.attempts,
            firstAttempt: delivery.firstAttempt, countedSince: delivery.countedSince,
            nextAttempt: delivery.nextAttempt, lastFailure: delivery.lastFailure, owed: owed)
    }

    /// Nobody waits for anything of it.
    var isSettled: Bool { !deliveries.contains { $0.state.isOpen || $0.state.isDead } }

    func hasExpired(by now: WallTime) -> Bool {
        guard case .expiring(let duration, _) = entry.deliveryClass else { return false }
        return entry.enqueuedAt + duration <= now
    }

    /// What becomes of a waiting delivery by what has become of the others; nil where that is open,
    /// or a matter of time.
    func turn(of delivery: Delivery) -> Delivery.State? {
        switch delivery.condition {
        case .always: return .pending
        case .afterFailure(let other):
            guard let index = index(of: other) else { return .pending }
            switch deliveries[index].state {
            case .dead, .dropped, .discarded: return .pending
            case .delivered, .unneeded: return .unneeded
            case .waiting, .pending: return nil
            }
        case .unlessDelivered(let other, _):
            guard let index = index(of: other) else { return nil }
            switch deliveries[index].state {
            // Where it was not needed, what it stood behind has delivered.
            case .delivered, .unneeded: return .unneeded
            case .waiting, .pending, .dead, .dropped, .discarded: return nil
            }
        }
    }
}

extension JournalItem.Delivery.State {
    /// Waiting, pending or on its way.
    var isOpen: Bool { isWaiting || isPending }
    var isPending: Bool { if case .pending = self { true } else { false } }
    var isWaiting: Bool { if case .waiting = self { true } else { false } }
    var isDead: Bool { if case .dead = self { true } else { false } }
}
