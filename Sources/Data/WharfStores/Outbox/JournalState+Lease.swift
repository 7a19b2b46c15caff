internal import WharfCore
internal import WharfStorage

extension JournalState {
    mutating func lease(_ request: LeaseRequest, at uptime: Uptime) -> LeaseResult {
        // First, because it moves deliveries into lanes.
        meetConditions(of: request.account, by: request.now)
        let destinations = unpaused(request)
        for filter in destinations {
            forgetEmptyLanes(Row(account: request.account, destination: filter.destination), at: uptime)
        }
        // Over all routes, so one destination can't starve another.
        let due = destinations.flatMap { self.due(request, $0, at: uptime) }.sorted {
            ($0.place, $0.lane.destination) < ($1.place, $1.lane.destination)
        }
        var leased = LeaseResult()
        for (_, lane, filter) in due where leased.lanes.count < request.lanes {
            // The request named a destination twice, so the lane is leased already.
            guard storedLane(lane)?.hold?.isGood(at: uptime) != true else { continue }
            leased.lanes.append(take(lane, filter, request, at: uptime, expired: &leased.expired))
        }
        return leased
    }

    /// The routes of a request to destinations that are not paused.
    private func unpaused(_ request: LeaseRequest) -> [LeaseRequest.DestinationFilter] {
        guard let paused = paused[request.account] else { return request.destinations }
        return request.destinations.filter { paused[$0.destination] == nil }
    }

    /// Removes empty lanes that a dead owner did not release after its last settlement.
    private mutating func forgetEmptyLanes(_ row: Row, at uptime: Uptime) {
        for name in laneTables[row]?.held ?? [] {
            guard let lane = laneTables[row]?.lanes[name], lane.queue.isEmpty, lane.hold?.isGood(at: uptime) != true
            else { continue }
            // `change` drops the lane from the table.
            change(Lease.Lane(account: row.account, name: name, destination: row.destination)) { $0.hold = nil }
        }
    }

    private typealias Due = (place: LaneTable.DuePosition, lane: Lease.Lane, filter: LeaseRequest.DestinationFilter)

    /// Returns the first due lanes of a destination, as many as may be handed out.
    private func due(_ request: LeaseRequest, _ filter: LeaseRequest.DestinationFilter, at uptime: Uptime) -> [Due] {
        guard let table = laneTables[Row(account: request.account, destination: filter.destination)] else { return [] }
        func due(_ name: String?) -> Due? {
            guard let name, let lane = table.lanes[name], lane.hold?.isGood(at: uptime) != true,
                let head = lane.queue.head, let since = dueTime(of: lane, filter, now: request.now),
                since <= request.now
            else { return nil }
            let id = Lease.Lane(account: request.account, name: name, destination: filter.destination)
            return request.except.contains(id) ? nil : (LaneTable.DuePosition(time: since, position: head), id, filter)
        }
        // While batches wait to fill, the first lane in the order may not be the first due one, so
        // all lanes are examined.
        let lanes = filter.limits.wait > .zero ? .max : max(0, request.lanes)
        let inTime = table.free.lazy.prefix { $0.time <= request.now }
        let free = Array(inTime.compactMap { due(items[$0.position]?.entry.lane) }.prefix(lanes))
        // Lanes whose leases ran out are not in `free`. Each is looked at.
        let found = table.held.compactMap(due) + free
        // A lane that is due early counts as due since now. It can only sort before a lane of this
        // page that is due since now as well.
        if free.count == lanes, free.last?.place.time != request.now { return found }
        // These lanes are due before their stored time, because the clock was set back. They count
        // as due since now.
        return found + table.free[inTime.count...].compactMap { due(items[$0.position]?.entry.lane) }
    }

    /// Extends the leases that are still held, and returns them.
    mutating func extend(_ leases: [Lease], at uptime: Uptime, for duration: Duration) -> Set<Lease> {
        let held = leases.filter { isCurrent($0) && storedLane($0.lane)?.hold?.isGood(at: uptime) == true }
        for lease in held { change(lease.lane) { $0.hold?.until = uptime + duration } }
        return Set(held)
    }

    mutating func release(_ lease: Lease) {
        // A late release of an old lease must not end the present one.
        guard isCurrent(lease) else { return }
        change(lease.lane) { $0.hold?.isGivenBack = true }
    }

    // MARK: When lanes are due

    func nextDue(_ request: LeaseRequest, at uptime: Uptime) -> NextDue {
        let destinations = unpaused(request)
        var times: [WallTime] = []
        var ends: [Duration] = []
        for filter in destinations {
            let table = laneTables[Row(account: request.account, destination: filter.destination)]
            for lane in (table?.lanes ?? [:]).values {
                if let hold = lane.hold, hold.isGood(at: uptime) {
                    ends.append(.nanoseconds(hold.until.nanoseconds - uptime.nanoseconds))
                } else if let time = dueTime(of: lane, filter, now: request.now) {
                    times.append(time)
                }
            }
        }
        let kinds = Dictionary(destinations.map { ($0.destination, $0.kinds) }) { $0.union($1) }
        let condition = (timers[request.account] ?? []).first { timer in
            guard timer.time > request.now,
                timer.since <= request.now + OutboxEntry.Target.DeliveryCondition.clockTolerance,
                let item = items[timer.position]
            else { return false }
            let delivery = item.deliveries[timer.index]
            return delivery.state.isWaiting && kinds[delivery.destination]?.contains(item.entry.kind.name) == true
        }
        times += [condition?.time].compactMap(\.self)
        return NextDue(time: times.filter { $0 > request.now }.min(), leaseEndsAfter: ends.min())
    }

    /// When the head of a lane is due; nil if it waits for something other than time.
    private func dueTime(of lane: LaneTable.Lane, _ filter: LeaseRequest.DestinationFilter, now: WallTime) -> WallTime?
    {
        guard let head = lane.queue.head, let item = items[head], let index = item.index(of: filter.destination),
            isFree(item, filter)
        else { return nil }
        let time = attemptTime(item.deliveries[index], now: now)
        // The clock was set back since the entry was enqueued, so its waiting time is unknown. It
        // counts as over.
        guard filter.limits.wait > .zero, item.entry.enqueuedAt <= now, !isFull(lane, filter, now: now) else {
            return time
        }
        return max(time, item.entry.enqueuedAt + filter.limits.wait)
    }

    private func isFree(_ item: JournalItem, _ filter: LeaseRequest.DestinationFilter) -> Bool {
        filter.kinds.contains(item.entry.kind.name) && item.entry.dependencies.allSatisfy { positions[$0] == nil }
    }

    /// When a delivery may be attempted.
    ///
    /// A delivery that was never attempted is due at once, even if the clock was set back. So is
    /// one that was last attempted later than now. The clock was set back since, so its waiting
    /// time is unknown.
    private func attemptTime(_ delivery: JournalItem.Delivery, now: WallTime) -> WallTime {
        guard let last = delivery.lastAttempt, last <= now else { return min(delivery.nextAttempt, now) }
        return delivery.nextAttempt
    }

    private func isFull(_ lane: LaneTable.Lane, _ filter: LeaseRequest.DestinationFilter, now: WallTime) -> Bool {
        var (entries, bytes) = (0, 0)
        for item in ready(lane, filter, now: now) {
            entries += 1
            bytes += item.entry.payload.count
            if entries >= filter.limits.entries || bytes >= filter.limits.bytes { return true }
        }
        return false
    }

    /// The deliveries at the front of a lane that may be attempted in a row.
    private func ready(
        _ lane: LaneTable.Lane, _ filter: LeaseRequest.DestinationFilter, now: WallTime
    ) -> some Sequence<JournalItem> {
        // The first delivery that may not go ends the batch: a lane is delivered in order.
        lane.queue.lazy.compactMap { items[$0] }.prefix { item in
            guard let index = item.index(of: filter.destination) else { return false }
            return isFree(item, filter) && attemptTime(item.deliveries[index], now: now) <= now
        }
    }

    private mutating func meetConditions(of account: Account?, by now: WallTime) {
        guard let timers = timers[account] else { return }
        // The timers are sorted, so the met ones are in front.
        var met = Array(timers.prefix { $0.time <= now })
        var rest = timers.dropFirst(met.count)
        // If the clock was set back, timers of entries enqueued later than now are met as well.
        // Only then are all timers examined.
        let newest = now + OutboxEntry.Target.DeliveryCondition.clockTolerance
        if latestSince[account].map({ $0 > newest }) == true {
            met += rest.filter { $0.since > newest }
            rest = rest.filter { $0.since <= newest }[...]
            latestSince[account] = rest.map(\.since).max()
        }
        guard !met.isEmpty else { return }
        // Removed before the states change, so no timer is met twice.
        self.timers[account] = Array(rest)
        // The delivery may have been decided otherwise since.
        for timer in met where items[timer.position]?.deliveries[timer.index].state.isWaiting == true {
            update(timer.position, timer.index) { $0.nextAttempt = timer.time }
            set(timer.position, timer.index, to: .pending)
            follow(timer.position)
        }
    }

    private mutating func take(
        _ name: Lease.Lane, _ filter: LeaseRequest.DestinationFilter, _ request: LeaseRequest, at uptime: Uptime,
        expired: inout [DroppedDelivery]
    ) -> LeasedLane {
        lastLease += 1
        let number = lastLease
        var (taken, late, bytes): ([Int64], [Int64], Int) = ([], [], 0)
        for item in ready(storedLane(name) ?? .init(), filter, now: request.now) {
            if item.hasExpired(by: request.now) {
                late.append(item.position)
                continue
            }
            bytes += item.entry.payload.count
            // The first entry goes at any size, or a lane with a large one would never be due.
            guard taken.isEmpty || taken.count < request.entries && bytes <= request.bytes else { break }
            taken.append(item.position)
        }
        // Before any drop: a held lane stays in the table when its queue becomes empty.
        change(name) { lane in
            lane.hold = .init(number: number, until: uptime + request.duration, handedOut: taken)
        }
        for position in late {
            guard let index = items[position]?.index(of: name.destination) else { continue }
            expired.append(drop(position, index, .expired))
        }
        var lane = LeasedLane(lease: Lease(lane: name, number: number), deliveries: [])
        for position in taken {
            guard let index = items[position]?.index(of: name.destination) else { continue }
            // The mark by which `isOnItsWay` knows the delivery.
            update(position, index) { $0.lease = number }
            if let item = items[position] { lane.deliveries.append(item.pending(index)) }
        }
        return lane
    }
}
