internal import WharfCore
internal import WharfStorage

/// A journal as a value: its entries, and the state machine of their deliveries.
struct JournalState {
    /// The lanes of one account to one destination.
    struct Row: Hashable {
        var account: Account?
        var destination: String
    }

    /// The open bounded deliveries of one kind to a destination.
    struct Bound: Hashable {
        var account: Account?
        var route: OutboxCounts.Route
    }

    struct Timer {
        var time: WallTime
        /// When the entry was enqueued.
        var since: WallTime
        var position: Int64
        var index: Int
    }

    /// The number of assigned ids, and of discarded entries, that are remembered.
    let memory: Int
    // Invariants: `positions`, `order`, `ids`, `dependents`, `deadOrder`, `bounds` and `laneTables`
    // are indexes of `items`, and each change of an item updates them. After `follow` no entry is
    // here whose deliveries are all settled.
    private(set) var items: [Int64: JournalItem] = [:]
    private(set) var positions: [OutboxEntry.ID: Int64] = [:]
    private(set) var order: [Account?: PositionQueue] = [:]
    /// The sorted ids of the entries in `order`.
    private var ids: [Account?: SortedQueue<OutboxEntry.ID>] = [:]
    private(set) var deadOrder: [Account?: PositionQueue] = [:]
    /// The dependents of each entry, even of entries that are not in the journal.
    private(set) var dependents: [OutboxEntry.ID: Set<Int64>] = [:]
    private(set) var bounds: [Bound: PositionQueue] = [:]
    private(set) var counts: [Account?: OutboxCounts] = [:]
    private(set) var laneTables: [Row: LaneTable] = [:]
    /// The times at which targets' conditions are met, the earliest first.
    var timers: [Account?: [Timer]] = [:]
    /// An upper bound of `since` over the account's timers.
    var latestSince: [Account?: WallTime] = [:]
    var assigned = AssignedIDs()
    var discarded = DiscardedEntries()
    /// The newest forgotten entry of each account.
    var forgotten: [Account?: OutboxEntry.ID] = [:]
    var paused: [Account?: [String: OutboxPause]] = [:]
    var lastLease: Int64 = 0
    /// The last lease before the removal of each removed account.
    private(set) var removed: [Account?: Int64] = [:]
    private var lastPosition: Int64 = 0

    init(remembering memory: Int) { self.memory = memory }

    func item(_ id: OutboxEntry.ID) -> JournalItem? { positions[id].flatMap { items[$0] } }

    /// The position of an entry, or of its predecessor by id if it is gone.
    ///
    /// It is nil if there is neither.
    func position(of entry: OutboxEntry.ID, _ account: Account?) -> Int64? {
        positions[entry] ?? ids[account]?.last(before: entry).flatMap { positions[$0] }
    }

    func place(_ delivery: DeliveryID) -> (position: Int64, index: Int)? {
        guard let item = item(delivery.entry), let index = item.index(of: delivery.destination) else { return nil }
        return (item.position, index)
    }

    /// Adds an entry.
    ///
    /// - Returns: its position.
    mutating func insert(_ entry: OutboxEntry) -> Int64 {
        lastPosition += 1
        let item = JournalItem(entry, position: lastPosition)
        items[item.position] = item
        positions[entry.id] = item.position
        order[entry.account, default: PositionQueue()].insert(item.position)
        ids[entry.account, default: SortedQueue()].insert(entry.id)
        for id in entry.dependencies { dependents[id, default: []].insert(item.position) }
        for (index, delivery) in item.deliveries.enumerated() {
            change(item.position, index, to: delivery.state, from: nil)
            guard case .unlessDelivered(_, let duration) = delivery.condition else { continue }
            let timer = Timer(
                time: entry.enqueuedAt + duration, since: entry.enqueuedAt, position: item.position, index: index)
            insert(timer, of: entry.account)
        }
        // An entry without targets, or with conditions that are decided already, is settled at
        // once.
        follow(item.position)
        return item.position
    }

    /// Changes the fields of a delivery, but not its state.
    mutating func update(_ position: Int64, _ index: Int, _ body: (inout JournalItem.Delivery) -> Void) {
        let time = items[position]!.deliveries[index].nextAttempt
        body(&items[position]!.deliveries[index])
        let (item, delivery) = (items[position]!, items[position]!.deliveries[index])
        // The lane is sorted by the time of its head, so it must learn of a new time.
        if delivery.state.isPending, delivery.nextAttempt != time { change(item.lane(index)) { _ in } }
    }

    func storedLane(_ lane: Lease.Lane) -> LaneTable.Lane? {
        laneTables[Row(account: lane.account, destination: lane.destination)]?.lanes[lane.name]
    }

    mutating func change(_ lane: Lease.Lane, _ body: (inout LaneTable.Lane) -> Void) {
        // A local copy for the closure, which may not read `self` while `laneTables` is changed.
        let items = items
        laneTables[Row(account: lane.account, destination: lane.destination), default: LaneTable()].change(lane.name) {
            guard let item = items[$0], let index = item.index(of: lane.destination) else { return .distantPast }
            return item.deliveries[index].nextAttempt
        } _: {
            body(&$0)
        }
    }

    mutating func rewrite(_ position: Int64, _ body: (inout OutboxEntry) -> Void) { body(&items[position]!.entry) }

    mutating func owe(_ position: Int64, _ ids: [String: String]) { items[position]!.owed.merge(ids) { $1 } }

    /// Records that an entry has the ids that it was owed.
    mutating func settleDebt(_ position: Int64) { items[position]!.owed = [:] }

    /// Sets the state of a delivery. Call ``follow(_:)`` after it for the other deliveries.
    ///
    /// The entry must be in the journal.
    mutating func set(_ position: Int64, _ index: Int, to state: JournalItem.Delivery.State) {
        let old = items[position]!.deliveries[index].state
        items[position]!.deliveries[index].state = state
        // After the state is set: the indexes are computed from the item.
        change(position, index, to: state, from: old)
    }

    /// Updates an entry's waiting deliveries, and removes the entry if it is settled.
    mutating func follow(_ position: Int64) {
        // One decision may decide another condition, so passes repeat until one changes nothing.
        var isDone = false
        while !isDone {
            isDone = true
            for (index, delivery) in items[position]!.deliveries.enumerated() where delivery.state.isWaiting {
                guard let turn = items[position]!.turn(of: delivery) else { continue }
                set(position, index, to: turn)
                isDone = false
            }
        }
        if items[position]!.isSettled { remove(position) }
    }

    mutating func drop(
        _ position: Int64, _ index: Int, _ reason: DroppedDelivery.Reason
    ) -> DroppedDelivery {
        let item = items[position]!
        let route = item.route(index)
        set(position, index, to: .dropped(reason))
        counts[item.entry.account, default: OutboxCounts()].dropped[route, default: [:]][reason, default: 0] += 1
        follow(position)
        return DroppedDelivery(DeliveryID(item.entry.id, to: route.destination), kind: route.kind, reason)
    }

    private mutating func remove(_ position: Int64) {
        guard let entry = items.removeValue(forKey: position)?.entry else { return }
        // The settled deliveries have left all other indexes by `change`.
        positions[entry.id] = nil
        order[entry.account]?.remove(position)
        ids[entry.account]?.remove(entry.id)
        for id in entry.dependencies {
            dependents[id]?.remove(position)
            if dependents[id]?.isEmpty == true { dependents[id] = nil }
        }
    }

    /// Removes everything of an account. Dependents of other accounts no longer wait for it.
    mutating func removeAll(of account: Account?) {
        // A copy: `remove` changes the queue.
        for position in order[account]?.map(\.self) ?? [] {
            guard let item = items[position] else { continue }
            for (index, delivery) in item.deliveries.enumerated()
            where delivery.state.isOpen || delivery.state.isDead {
                // By way of the state, so that all indexes are updated.
                set(position, index, to: .discarded)
            }
            remove(position)
        }
        for row in laneTables.keys where row.account == account { laneTables[row] = nil }
        (counts[account], timers[account], latestSince[account]) = (nil, nil, nil)
        assigned.removeAll(of: account)
        discarded.removeAll(of: account)
        forgotten[account] = nil
        paused[account] = nil
        // A settlement in flight may arrive later. Its lease is not above this number, so its rows
        // are left out.
        if lastLease > 0 { removed[account] = lastLease }
    }

    private mutating func insert(_ timer: Timer, of account: Account?) {
        let timers = timers[account] ?? []
        // Searched from the end, because most timers are later than all others.
        let place = timers.lastIndex { $0.time <= timer.time }.map { $0 + 1 } ?? 0
        self.timers[account, default: []].insert(timer, at: place)
        latestSince[account] = max(latestSince[account] ?? timer.since, timer.since)
    }

    private mutating func change(
        _ position: Int64, _ index: Int, to new: JournalItem.Delivery.State, from old: JournalItem.Delivery.State?
    ) {
        let item = items[position]!
        let (lane, route, account) = (item.lane(index), item.route(index), item.entry.account)
        if new.isPending, old?.isPending != true {
            change(lane) { $0.queue.insert(position) }
        } else if !new.isPending, old?.isPending == true {
            change(lane) { $0.queue.remove(position) }
        }
        let unsettled = (new.isOpen ? 1 : 0) - (old?.isOpen == true ? 1 : 0)
        let dead = (new.isDead ? 1 : 0) - (old?.isDead == true ? 1 : 0)
        counts[account, default: OutboxCounts()].pending.add(unsettled, to: route)
        counts[account, default: OutboxCounts()].dead.add(dead, to: route)
        if case .bounded = item.entry.deliveryClass, unsettled != 0 {
            let bound = Bound(account: account, route: route)
            if unsettled > 0 { bounds[bound, default: PositionQueue()].insert(position) }
            if unsettled < 0 { bounds[bound]?.remove(position) }
        }
        if dead > 0 { deadOrder[account, default: PositionQueue()].insert(position) }
        // Another delivery of the entry may still be dead.
        if dead < 0, !item.deliveries.contains(where: \.state.isDead) { deadOrder[account]?.remove(position) }
    }
}

extension [OutboxCounts.Route: Int] {
    fileprivate mutating func add(_ difference: Int, to route: OutboxCounts.Route) {
        guard difference != 0 else { return }
        let sum = self[route, default: 0] + difference
        self[route] = sum == 0 ? nil : sum
    }
}
