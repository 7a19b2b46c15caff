import WharfChecks
import WharfCore
import WharfStorage
import WharfStores

extension JournalMutants {
    static let handingOut: [Mutant] = [
        mutant("sorts new entries by their ids", breaks: "the entries of a lane come in the order of their commits") {
            $0.commits { (commit) async throws(StoreError) in commit.enqueued.sort { $0.id < $1.id } }
        },
        mutant("has one lane for all", breaks: "lanes don't wait for each other") { $0.enqueues { $0.lane = "one" } },
        mutant("retries at once", breaks: "a retry holds its lane up until its time has come, and is first then") {
            $0.settles { settlement in
                guard case .retry(_, let failure) = settlement.outcome else { return }
                settlement.outcome = .retry(at: .distantPast, failure)
            }
        },
        mutant(
            "gives up what is to be retried",
            breaks: "a retry holds its lane up until its time has come, and is first then"
        ) {
            $0.settles { if case .retry(_, let failure) = $0.outcome { $0.outcome = .dead(failure) } }
        },
        mutant("keeps dead letters in their lanes", breaks: "an entry that is settled for good does not hold its lane")
        {
            $0.settles { if case .dead(let failure) = $0.outcome { $0.outcome = .retry(at: .distantFuture, failure) } }
        },
        mutant("hands out lanes by their names", breaks: "lanes that have been due longest come first") { store in
            store.lease = { [base = store.base] (request) async throws(StoreError) in
                var all = request
                all.lanes = .max
                var leased = try await base.lease(all)
                leased.lanes.sort { $0.lease.lane.name < $1.lease.lane.name }
                var commit = Commit()
                commit.released = leased.lanes.dropFirst(request.lanes).map(\.lease)
                try await base.commit(commit)
                leased.lanes = Array(leased.lanes.prefix(request.lanes))
                return leased
            }
        },
        mutant(
            "hands out a whole lane",
            breaks: "a lease keeps to the lanes, entries and bytes asked for, with at least one entry"
        ) { $0.requests { (request) async throws(StoreError) in request.entries = .max } },
        mutant(
            "hands out nothing larger than was asked for",
            breaks: "a lease keeps to the lanes, entries and bytes asked for, with at least one entry"
        ) {
            $0.handsOut { lane, request in lane.deliveries.reduce(0) { $0 + $1.entry.payload.count } <= request.bytes }
        },
        mutant(
            "waits for the time of the enqueuing",
            breaks: "an entry that was never attempted is due wherever the clock was set"
        ) {
            $0.handsOut { lane, request in lane.deliveries.allSatisfy { $0.entry.enqueuedAt <= request.now } }
        },
        mutant("hands out any kind", breaks: "a kind that is not asked for stays, and holds its own lane only") {
            $0.requests { (request) async throws(StoreError) in
                for index in request.destinations.indices { request.destinations[index].kinds.insert("new") }
            }
        },
        mutant(
            "drops a kind that nobody asks for",
            breaks: "a kind that is not asked for stays, and holds its own lane only"
        ) {
            $0.commits { (commit) async throws(StoreError) in commit.enqueued.removeAll { $0.kind.name == "new" } }
        },
        mutant("forgets who holds a lane", breaks: "a lane that is held is not handed out again") {
            $0.clock.shows { [seen = $0.seen] in Uptime(boot: "\(seen.next())", nanoseconds: $0.nanoseconds) }
        },
        mutant("gives a lane back with its last entry", breaks: "a lane that is held is not handed out again") {
            $0.commits { (commit) async throws(StoreError) in
                commit.released += commit.settled.filter { $0.outcome == .delivered }.map(\.lease)
            }
        },
        mutant("forgets among many", breaks: "concurrent requests lease different lanes") {
            $0.clock.shows { [seen = $0.seen] in Uptime(boot: "\(seen.next())", nanoseconds: $0.nanoseconds) }
        },
        mutant(
            "hands out what is left out",
            breaks: "lanes that are left out are not handed out, and take no other's place"
        ) { $0.requests { (request) async throws(StoreError) in request.except = [] } },
        mutant(
            "counts what is left out", breaks: "lanes that are left out are not handed out, and take no other's place"
        ) { store in
            store.requests { (request) async throws(StoreError) in request.lanes -= min(1, request.except.count) }
        },
        mutant(
            "takes lanes of all destinations for one",
            breaks: "lanes that are left out are not handed out, and take no other's place"
        ) {
            $0.requests { (request) async throws(StoreError) in
                for lane in request.except {
                    request.except.formUnion(
                        request.destinations.map { Lease.Lane(name: lane.name, destination: $0.destination) })
                }
            }
        },
        mutant("keeps what is given back", breaks: "a lane that is released is free, with its deliveries as they were")
        {
            $0.commits { (commit) async throws(StoreError) in commit.released = [] }
        },
        mutant(
            "takes a lane from who has it now",
            breaks: "a second release of a lease does not free the lane of the next holder"
        ) {
            $0.commits { [seen = $0.seen] (commit) async throws(StoreError) in
                commit.released = commit.released.compactMap { seen.last(of: $0.lane) }
            }
        },
        mutant(
            "lets leases run out by the wall",
            breaks: "a lease runs out by the store's clock, and the clock on the wall changes nothing"
        ) {
            $0.requests { [clock = $0.clock] (request) async throws(StoreError) in
                let wall = Uptime(boot: "wall", nanoseconds: request.now.nanoseconds)
                clock.shows { _ in wall }
            }
        },
        mutant(
            "has leases for ever",
            breaks: "a lease runs out by the store's clock, and the clock on the wall changes nothing"
        ) {
            $0.requests { (request) async throws(StoreError) in request.duration = .seconds(1_000_000) }
        },
        mutant("does not see a restart", breaks: "no lease outlives a restart of the machine") {
            $0.clock.shows { Uptime(boot: "any", nanoseconds: $0.nanoseconds) }
        },
        mutant("counts leases down", breaks: "the number of a lease is greater than those before") { store in
            store.lease = { [base = store.base] (request) async throws(StoreError) in
                var leased = try await base.lease(request)
                leased.lanes = leased.lanes.map { lane in
                    LeasedLane(
                        lease: Lease(lane: lane.lease.lane, number: -lane.lease.number), deliveries: lane.deliveries)
                }
                return leased
            }
        },
        mutant("says that it extends", breaks: "a lease can be extended while it is held") {
            $0.extend = { (leases, _) async throws(StoreError) in Set(leases) }
        },
        mutant("never extends", breaks: "a lease can be extended while it is held") {
            $0.extend = { (_, _) async throws(StoreError) in [] }
        },
        mutant("extends for anybody", breaks: "a lease that is no longer held can't be extended") {
            $0.extend = { [base = $0.base] (leases, duration) async throws(StoreError) in
                _ = try await base.extend(leases, for: duration)
                return Set(leases)
            }
        },
        mutant(
            "extends as if no time had gone by", breaks: "a lease that is no longer held can't be extended"
        ) {
            $0.extend = { [base = $0.base, clock = $0.clock] (leases, duration) async throws(StoreError) in
                clock.shows { _ in Uptime(boot: "first", nanoseconds: 0) }
                defer { clock.shows { $0 } }
                return try await base.extend(leases, for: duration)
            }
        },
    ]
}
