internal import WharfCore

extension JournalState {
    mutating func lease(_ request: LeaseRequest) -> Leased {
        guard paused[request.account] == nil else { return Leased() }
        meetConditions(of: request.account, by: request.now)
        var due: [(since: WallTime, position: Int64, lane: Lease.Lane, route: LeaseRequest.Route)] = []
        for route in request.routes {
            let row = Row(account: request.account, destination: route.destination)
            for (name, lane) in lanes[row] ?? [:] where lane.hold?.isGood(at: request.uptime) != true {
                // Left by somebody who never gave it back.
                if lane.queue.isEmpty { lanes[row]?[name] = nil }
                guard let head = lane.queue.head, let since = dueTime(of: lane, route, now: request.now),
                    since <= request.now
                else { continue }
                let lane = Lease.Lane(account: request.account, name: name, destination: route.destination)
                due.append((since, head, lane, route))
            }
        }
        due.sort { ($0.since, $0.position, $0.lane.destination) < ($1.since, $1.position, $1.lane.destination) }
        var leased = Leased()
        for (_, _, lane, route) in due where leased.lanes.count < request.lanes {
            // A destination that was named twice.
            guard hold(of: lane)?.isGood(at: request.uptime) != true else { continue }
            leased.lanes.append(take(lane, route, request, expired: &leased.expired))
        }
        return leased
    }

    /// Those that are still held.
    mutating func extend(_ leases: [Lease], at uptime: Uptime, for duration: Duration) -> Set<Lease> {
        let held = leases.filter { isCurrent($0) && hold(of: $0.lane)?.isGood(at: uptime) == true }
        for lease in held {
            let row = Row(account: lease.lane.account, destination: lease.lane.destination)
            lanes[row]?[lease.lane.name]?.hold?.until = uptime + duration
        }
        return Set(held)
    }

    mutating func release(_ lease: Lease) {
        guard isCurrent(lease) else { return }
        let row = Row(account: lease.lane.account, destination: lease.lane.destination)
        lanes[row]?[lease.lane.name]?.hold?.isGivenBack = true
        tidy(row, lease.lane.name)
    }

    // MARK: When lanes are due

    func nextDue(_ request: LeaseRequest) -> WallTime? {
        guard paused[request.account] == nil else { return nil }
        var times: [WallTime] = []
        for route in request.routes {
            let row = Row(account: request.account, destination: route.destination)
            for lane in (lanes[row] ?? [:]).values {
                if let hold = lane.hold, hold.isGood(at: request.uptime) {
                    times.append(request.now + .nanoseconds(hold.until.nanoseconds - request.uptime.nanoseconds))
                } else if let time = dueTime(of: lane, route, now: request.now) {
                    times.append(time)
                }
            }
        }
        let kinds = Dictionary(request.routes.map { ($0.destination, $0.kinds) }) { $0.union($1) }
        let condition = (timers[request.account] ?? []).first { timer in
            guard timer.time > request.now, let item = items[timer.position] else { return false }
            let delivery = item.deliveries[timer.index]
            return delivery.state.isWaiting && kinds[delivery.destination]?.contains(item.entry.kind.name) == true
        }
        return (times + [condition?.time].compactMap(\.self)).filter { $0 > request.now }.min()
    }

    /// nil where time alone does not make it due.
    private func dueTime(of lane: Lane, _ route: LeaseRequest.Route, now: WallTime) -> WallTime? {
        guard let head = lane.queue.head, let item = items[head], let index = item.index(of: route.destination),
            isFree(item, route)
        else { return nil }
        let time = attemptTime(item.deliveries[index], now: now)
        // What was enqueued later than now was so before the clock was set back: who knows how long it has waited.
        guard route.limits.wait > .zero, item.entry.enqueuedAt <= now, !isFull(lane, route, now: now) else {
            return time
        }
        return max(time, item.entry.enqueuedAt + route.limits.wait)
    }

    private func isFree(_ item: JournalItem, _ route: LeaseRequest.Route) -> Bool {
        route.kinds.contains(item.entry.kind.name) && item.entry.dependencies.allSatisfy { positions[$0] == nil }
    }

    /// What was never attempted has no time to wait for, wherever the clock was set meanwhile.
    private func attemptTime(_ delivery: JournalItem.Delivery, now: WallTime) -> WallTime {
        delivery.firstAttempt == nil ? min(delivery.nextAttempt, now) : delivery.nextAttempt
    }

    private func isFull(_ lane: Lane, _ route: LeaseRequest.Route, now: WallTime) -> Bool {
        var (entries, bytes) = (0, 0)
        for item in ready(lane, route, now: now) {
            entries += 1
            bytes += item.entry.payload.count
            if entries >= route.limits.entries || bytes >= route.limits.bytes { return true }
        }
        return false
    }

    /// Those in front of a lane that may be delivered one after the other.
    private func ready(_ lane: Lane, _ route: LeaseRequest.Route, now: WallTime) -> some Sequence<JournalItem> {
        lane.queue.lazy.compactMap { items[$0] }.prefix { item in
            guard let index = item.index(of: route.destination) else { return false }
            return isFree(item, route) && attemptTime(item.deliveries[index], now: now) <= now
        }
    }

    private mutating func meetConditions(of account: Account?, by now: WallTime) {
        guard let met = timers[account]?.prefix(while: { $0.time <= now }), !met.isEmpty else { return }
        timers[account]?.removeFirst(met.count)
        for timer in met where items[timer.position]?.deliveries[timer.index].state.isWaiting == true {
            update(timer.position, timer.index) { $0.nextAttempt = timer.time }
            set(timer.position, timer.index, to: .pending)
            follow(timer.position)
        }
    }

    private mutating func take(
        _ name: Lease.Lane, _ route: LeaseRequest.Route, _ request: LeaseRequest, expired: inout [DroppedDelivery]
    ) -> LeasedLane {
        lastLease += 1
        let number = lastLease
        let row = Row(account: name.account, destination: name.destination)
        lanes[row]?[name.name]?.hold = .init(number: number, until: request.uptime + request.duration)
        var (taken, late, bytes): ([Int64], [Int64], Int) = ([], [], 0)
        for item in ready(lanes[row]?[name.name] ?? Lane(), route, now: request.now) {
            if item.hasExpired(by: request.now) {
                late.append(item.position)
                continue
            }
            bytes += item.entry.payload.count
            guard taken.isEmpty || taken.count < request.entries && bytes <= request.bytes else { break }
            taken.append(item.position)
        }
        for position in late {
            guard let index = items[position]?.index(of: name.destination) else { continue }
            expired.append(drop(position, index, .expired))
        }
        var lane = LeasedLane(lease: Lease(lane: name, number: number), deliveries: [])
        for position in taken {
            guard let index = items[position]?.index(of: name.destination) else { continue }
            update(position, index) { $0.lease = number }
            if let item = items[position] { lane.deliveries.append(item.pending(index)) }
        }
        return lane
    }
}
