internal import WharfChecks
internal import WharfCore
internal import WharfStorage

/// A walk of ``JournalStep``s that checks its expectations after each step.
struct JournalWalk {
    typealias Verdict = Settlement.Outcome

    let store: any WriteStore
    private let clock: LawUptime
    private var (seconds, uptime, count) = (0, 0, 0)
    /// The deliveries that are neither settled nor dead, by lane and in commit order.
    private var open: [Lease.Lane: [DeliveryID]] = [:]
    private var dead: [DeliveryID] = []
    /// The position in commit order and the lane of every delivery so far.
    private var places: [DeliveryID: (place: Int, lane: Lease.Lane)] = [:]
    /// The holder of each lane, with the expiry by the store's clock.
    private var holders: [Lease.Lane: (number: Int64, until: Int)] = [:]
    // Leases that an owner has not settled. Some have run out or passed on, and the owner does not
    // know.
    private var believed: [LeasedLane] = []

    /// Creates a walk.
    ///
    /// - Parameter clock: the clock of the store.
    init(store: any WriteStore, clock: LawUptime) {
        self.store = store
        self.clock = clock
    }

    mutating func take(_ step: JournalStep) async throws {
        switch step {
        case .enqueue(let lane, let isForBoth): try await enqueue("\(lane)", isForBoth)
        case .lease(let destination, let lanes, let entries):
            _ = try await lease(["api", "log"][destination], lanes: lanes, entries: entries)
        case .settle(let index, let verdict, let isHeld):
            guard !believed.isEmpty else { return }
            let lane = believed.remove(at: index % believed.count)
            try await settle(lane, first: verdict, isHeld: isHeld)
        case .extend(let index):
            guard !believed.isEmpty else { return }
            try await extend(believed[index % believed.count].lease)
        case .retry(let index):
            guard !dead.isEmpty else { return }
            let delivery = dead.remove(at: index % dead.count)
            var commit = Commit()
            commit.retried = [delivery]
            try await store.commit(commit)
            reopen(delivery)
        case .discard(let index):
            let all = places.filter { isOpen($0.key) || dead.contains($0.key) }.sorted { a, b in
                (a.value.place, a.key.destination) < (b.value.place, b.key.destination)
            }
            guard !all.isEmpty else { return }
            let delivery = all[index % all.count].key
            var commit = Commit()
            commit.discarded = [delivery]
            try await store.commit(commit)
            close(delivery)
        case .wait(let uptime, let wall):
            self.uptime += uptime
            clock.set(self.uptime)
            seconds += wall
        }
        try await compare()
    }

    /// Leases and delivers everything that is left.
    mutating func drain() async throws {
        // A year later, and no clock was set: all leases have expired and all retries are due.
        uptime += 10_000
        clock.set(uptime)
        seconds = 31_536_000
        for _ in 0...count {
            for destination in ["api", "log"] {
                for lane in try await lease(destination, lanes: 64, entries: 64) { try await settle(lane) }
            }
        }
        try require(open.values.allSatisfy(\.isEmpty), "these were never handed out: \(open)")
        try await compare()
    }

    private mutating func enqueue(_ lane: String, _ isForBoth: Bool) async throws {
        count += 1
        let targets = [OutboxEntry.Target].all("api", "log").prefix(isForBoth ? 2 : 1)
        let entry = JournalLaws.entry("\(count)", lane: lane, to: Array(targets), at: seconds)
        try await store.enqueue(entry)
        for target in targets {
            let delivery = DeliveryID(entry.id, to: target.destination)
            places[delivery] = (count, Lease.Lane(name: lane, destination: target.destination))
            reopen(delivery)
        }
    }

    private mutating func lease(_ destination: String, lanes: Int, entries: Int) async throws -> [LeasedLane] {
        let leased = try await store.lease(
            JournalLaws.request(
                JournalLaws.filter(destination), at: seconds, lanes: lanes, entries: entries))
        try require(leased.lanes.count <= lanes, "\(leased.lanes.count) lanes in place of \(lanes)")
        for lane in leased.lanes {
            let ids = lane.deliveries.map(\.id)
            if let holder = holders[lane.lease.lane] {
                try require(
                    holder.until <= uptime, "\(lane.lease.lane) is in two hands until \(holder.until), now \(uptime)")
                try require(holder.number < lane.lease.number, "a lease's number is not greater")
            }
            // The oldest open deliveries in order: none is left out, and none overtakes another.
            let expected = Array((open[lane.lease.lane] ?? []).prefix(ids.count))
            try require(ids == expected && !ids.isEmpty, "of \(lane.lease.lane) expected \(expected), found \(ids)")
            holders[lane.lease.lane] = (lane.lease.number, uptime + 60)
        }
        believed += leased.lanes
        return leased.lanes
    }

    private mutating func extend(_ lease: Lease) async throws {
        let held = try await store.extend([lease], for: .seconds(60))
        let holder = holders[lease.lane]
        let isHeld = holder.map { $0.number == lease.number && $0.until > uptime } == true
        try require(held == (isHeld ? [lease] : []), "extended were \(held), held until \(String(describing: holder))")
        if isHeld { holders[lease.lane]?.until = uptime + 60 }
    }

    /// Settles a leased lane.
    ///
    /// - Parameter first: selects the verdict of the first delivery. The others are delivered, or
    ///   not attempted if the first is to be retried.
    private mutating func settle(_ lane: LeasedLane, first: Int = 0, isHeld: Bool = false) async throws {
        believed.removeAll { $0.lease == lane.lease }
        let isCurrent = holders[lane.lease.lane]?.number == lane.lease.number
        let failure = JournalLaws.failure
        let verdict: Verdict =
            switch first {
            case 0...4: .delivered
            case 5: .dead(failure)
            case 6: .conflict(failure, theirs: nil)
            default: .retry(at: JournalLaws.at(seconds + first * 10), failure)
            }
        let isRetry = first > 6
        var commit = Commit()
        for (index, delivery) in lane.deliveries.enumerated() where index == 0 || !isRetry {
            let verdict = index == 0 ? verdict : .delivered
            commit.settled.append(
                Settlement(
                    delivery.id, under: lane.lease, verdict, attempts: delivery.attempts + 1,
                    attemptedAt: JournalLaws.at(seconds)))
            // Even under a lease that has passed on: the receiver has it.
            if verdict == .delivered { close(delivery.id) }
            if index == 0, first == 5 || first == 6, isCurrent, isOpen(delivery.id) {
                close(delivery.id)
                dead.append(delivery.id)
            }
        }
        if !isHeld {
            commit.released = [lane.lease]
            // Only the current holder frees the lane.
            if isCurrent { holders[lane.lease.lane] = nil }
        }
        try await store.commit(commit)
    }

    private func isOpen(_ delivery: DeliveryID) -> Bool {
        places[delivery].map { open[$0.lane]?.contains(delivery) == true } == true
    }

    private mutating func close(_ delivery: DeliveryID) {
        dead.removeAll { $0 == delivery }
        if let lane = places[delivery]?.lane { open[lane]?.removeAll { $0 == delivery } }
    }

    private mutating func reopen(_ delivery: DeliveryID) {
        guard let lane = places[delivery]?.lane else { return }
        open[lane, default: []].append(delivery)
        open[lane]?.sort { places[$0]?.place ?? 0 < places[$1]?.place ?? 0 }
    }

    /// Compares the journal with the entries that are neither delivered nor discarded.
    private func compare() async throws {
        let left = Set((open.values.joined() + dead).map(\.entry))
        let expected = left.sorted { place(of: $0) < place(of: $1) }
        let records = try await store.records(of: nil, after: nil, limit: 1_000)
        try require(records.map(\.entry.id) == expected, "expected \(expected), found \(records.map(\.entry.id))")
        for record in records {
            for (destination, state) in record.states {
                let id = DeliveryID(record.entry.id, to: destination)
                let isRight =
                    switch state {
                    case .pending: isOpen(id)
                    case .dead: dead.contains(id)
                    case .delivered, .discarded: !isOpen(id) && !dead.contains(id)
                    case .waiting, .unneeded, .dropped: false
                    }
                try require(isRight, "\(id) is \(state)")
            }
        }
    }

    private func place(of entry: OutboxEntry.ID) -> Int {
        ["api", "log"].compactMap { places[DeliveryID(entry, to: $0)]?.place }.first ?? 0
    }
}
