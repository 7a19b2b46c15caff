internal import WharfCore
internal import WharfStorage

extension JournalState {
    /// Applies a commit, without its entities.
    ///
    /// - Throws: before anything was changed.
    mutating func apply(_ commit: Commit) throws(StoreError) -> CommitResult {
        // The only line that throws. So a refused commit leaves the state unchanged without a copy.
        try check(commit)
        var committed = CommitResult()
        for assignment in commit.assigned {
            // Before the settlements, which may remove the entry.
            if let account = account(of: assignment.entry, in: commit) {
                let isWhole = !mayBeForgotten(assignment.entry, of: account)
                assigned.add(assignment.ids, with: isWhole ? assignment.entry : nil, of: account)
            }
            for id in assignment.owed { if let position = positions[id] { owe(position, assignment.ids) } }
        }
        forgetIDs()
        for settlement in commit.settled { settle(settlement) }
        for change in commit.rewritten {
            guard let position = positions[change.entry] else { continue }
            rewrite(position) { entry in
                entry.payload = change.payload
                entry.key = change.key ?? entry.key
                entry.base = change.base ?? entry.base
            }
            if !change.owed.isEmpty { settleDebt(position) }
        }
        for delivery in commit.retried { retry(delivery) }
        for delivery in commit.discarded { discard(delivery) }
        forgetDiscarded()
        for (place, pause) in commit.paused {
            paused[place.account, default: [:]][place.destination] = pause.following(
                paused[place.account]?[place.destination])
        }
        for place in commit.resumed { paused[place.account]?[place.destination] = nil }
        // New entries come last: the same commit may settle or discard their dependencies.
        for entry in commit.enqueued { committed.dropped += enqueue(entry) }
        for lease in commit.released { release(lease) }
        return committed
    }

    /// The account of an entry that is in the journal, or that this commit settles.
    private func account(of entry: OutboxEntry.ID, in commit: Commit) -> Account?? {
        if let item = item(entry) { return .some(item.entry.account) }
        return commit.settled.first { $0.delivery.entry == entry }.map(\.lease.lane.account)
    }

    // MARK: Settlements

    /// Whether the lease is the lane's last one, so its fencing token is valid.
    func isCurrent(_ lease: Lease) -> Bool { storedLane(lease.lane)?.hold?.number == lease.number }

    /// Whether a delivery is neither open nor dead, or is gone.
    func isSettled(_ delivery: DeliveryID) -> Bool {
        guard let (position, index) = place(delivery), let state = items[position]?.deliveries[index].state else {
            return true
        }
        return !state.isOpen && !state.isDead
    }

    private mutating func settle(_ settlement: Settlement) {
        guard let (position, index) = place(settlement.delivery), let item = items[position] else { return }
        let state = item.deliveries[index].state
        let counts =
            switch settlement.outcome {
            // The receiver has it, also if the lease has passed on. A dead letter counts as
            // delivered then.
            case .delivered: state.isOpen || state.isDead
            case .retry, .dead, .conflict:
                // A holder whose lease has passed on must not change the schedule of the new one.
                state.isPending && settlement.lease.lane == item.lane(index) && isCurrent(settlement.lease)
            }
        guard counts else { return }
        update(position, index) { delivery in
            if settlement.attempts > delivery.attempts {
                // `countedSince` is the time of the first attempt that counts.
                delivery.countedSince = delivery.countedSince ?? settlement.attemptedAt
            }
            delivery.attempts = settlement.attempts
            delivery.firstAttempt = delivery.firstAttempt ?? settlement.attemptedAt
            delivery.lastAttempt = settlement.attemptedAt
            // The attempt is over.
            delivery.lease = nil
        }
        switch settlement.outcome {
        case .delivered: set(position, index, to: .delivered)
        case .retry(let time, let failure):
            update(position, index) { delivery in
                delivery.nextAttempt = time
                delivery.lastFailure = failure
            }
        case .dead(let failure): set(position, index, to: .dead(failure, at: settlement.attemptedAt, theirs: nil))
        case .conflict(let failure, let theirs):
            set(position, index, to: .dead(failure, at: settlement.attemptedAt, theirs: theirs))
        }
        follow(position)
    }

    // MARK: What people decide

    private mutating func retry(_ delivery: DeliveryID) {
        guard let (position, index) = place(delivery), let item = items[position],
            case .dead(let failure, _, _) = item.deliveries[index].state
        else { return }
        update(position, index) { delivery in
            delivery.attempts = 0
            (delivery.countedSince, delivery.lastAttempt) = (nil, nil)
            delivery.nextAttempt = item.entry.enqueuedAt
            delivery.lastFailure = failure
        }
        set(position, index, to: .pending)
    }

    private mutating func discard(_ delivery: DeliveryID) {
        guard let (position, index) = place(delivery), let item = items[position] else { return }
        let state = item.deliveries[index].state
        guard state.isOpen || state.isDead else { return }
        // Only durable entries are remembered as discarded. Entries of other classes may be dropped
        // at any time, and dropped ones are not remembered either.
        if item.entry.deliveryClass == .durable { discarded.add(delivery.entry, of: item.entry.account) }
        set(position, index, to: .discarded)
        follow(position)
        // Read from the index, which outlives the entry.
        for dependent in dependents[delivery.entry] ?? [] { setAside(dependent, for: .discarded(delivery.entry)) }
    }

    /// Makes the open deliveries of an entry dead letters because of a dependency.
    private mutating func setAside(_ position: Int64, for failure: DeliveryFailure) {
        guard let item = items[position] else { return }
        for (index, delivery) in item.deliveries.enumerated() where delivery.state.isOpen {
            set(position, index, to: .dead(failure, at: item.entry.enqueuedAt, theirs: nil))
        }
    }

    // MARK: New entries

    private mutating func enqueue(_ entry: OutboxEntry) -> [DroppedDelivery] {
        let position = insert(entry)
        for id in entry.dependencies.sorted() where items[position] != nil { owe(position, assigned.ids(with: id)) }
        if let failure = obstacle(entry) {
            setAside(position, for: failure)
            return []
        }
        var dropped: [DroppedDelivery] = []
        for (index, delivery) in (items[position]?.deliveries ?? []).enumerated() {
            switch entry.deliveryClass {
            case .durable, .expiring(_, latestWins: false): break
            case .expiring(_, latestWins: true): dropped += replace(before: position, delivery.destination)
            case .bounded(let limit):
                guard let route = items[position]?.route(index) else { continue }
                dropped += keep(limit, Bound(account: entry.account, route: route))
            }
        }
        return dropped
    }

    private mutating func replace(before position: Int64, _ destination: String) -> [DroppedDelivery] {
        guard let new = items[position]?.entry else { return [] }
        let row = Row(account: new.account, destination: destination)
        var dropped: [DroppedDelivery] = []
        // A copy of the positions: `drop` changes the queue.
        for old in laneTables[row]?.lanes[new.lane]?.queue.map(\.self) ?? [] where old < position {
            guard let item = items[old], let index = item.index(of: destination),
                case .expiring(_, latestWins: true) = item.entry.deliveryClass, item.entry.kind.name == new.kind.name,
                // An attempted delivery stays, because the receiver may know it.
                isUntouched(item, index)
            else { continue }
            dropped.append(drop(old, index, .replaced))
        }
        return dropped
    }

    private mutating func keep(_ limit: Int, _ bound: Bound) -> [DroppedDelivery] {
        surplus(over: limit, bound).compactMap { position in
            items[position]?.index(of: bound.route.destination).map { drop(position, $0, .bounded) }
        }
    }

    /// Returns the oldest entries over the limit. Entries in flight neither count nor are dropped.
    private func surplus(over limit: Int, _ bound: Bound) -> [Int64] {
        guard let queue = bounds[bound], queue.count > limit else { return [] }
        let table = laneTables[Row(account: bound.account, destination: bound.route.destination)]
        let handedOut = (table?.held ?? []).flatMap { table?.lanes[$0]?.hold?.handedOut ?? [] }
        let onTheirWay = Set(handedOut).filter { position in
            guard queue.contains(position), let item = items[position] else { return false }
            return item.index(of: bound.route.destination).map { isOnItsWay(item, $0) } == true
        }
        let count = queue.count - onTheirWay.count - limit
        return Array(queue.lazy.filter { !onTheirWay.contains($0) }.prefix(max(0, count)))
    }

    func isOnItsWay(_ item: JournalItem, _ index: Int) -> Bool {
        guard let number = item.deliveries[index].lease, let hold = storedLane(item.lane(index))?.hold else {
            return false
        }
        // A lease that ran out still counts: its holder may be sending.
        return hold.number == number && !hold.isGivenBack
    }

    /// Whether a delivery was never attempted and is not in flight.
    func isUntouched(_ item: JournalItem, _ index: Int) -> Bool {
        item.deliveries[index].firstAttempt == nil && !isOnItsWay(item, index)
    }
}
