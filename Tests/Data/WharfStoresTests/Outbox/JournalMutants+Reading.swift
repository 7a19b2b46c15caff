import Synchronization
import WharfChecks
import WharfCore
import WharfStorage
import WharfStores

extension JournalMutants {
    static let due: [Mutant] = [
        mutant(
            "waits for the old time", breaks: "a retry is due at once if the clock is set back to before its attempt"
        ) {
            $0.handsOut { lane, request in
                lane.deliveries.allSatisfy { $0.attempts == 0 || $0.nextAttempt <= request.now }
            }
        },
        mutant("never waits again", breaks: "a retry is due at once if the clock is set back to before its attempt") {
            $0.settles { settlement in
                guard case .retry(_, let failure) = settlement.outcome else { return }
                settlement.outcome = .retry(at: .distantPast, failure)
            }
        },
        mutant("retries in time", breaks: "a dead letter that is retried is due at once, wherever the clock was set") {
            $0.handsOut { lane, request in
                lane.deliveries.allSatisfy { $0.firstAttempt == nil || $0.nextAttempt <= request.now }
            }
        },
        mutant("never waits for a batch", breaks: "a batch is due when it is full, or its first entry has waited") {
            $0.requests { (request) async throws(StoreError) in
                for index in request.destinations.indices { request.destinations[index].limits.wait = .zero }
            }
        },
        mutant(
            "waits for a batch in any case", breaks: "a batch is due when it is full, or its first entry has waited"
        ) {
            $0.requests { (request) async throws(StoreError) in
                for index in request.destinations.indices { request.destinations[index].limits.entries += 100 }
            }
        },
        mutant("counts all for a batch", breaks: "only entries that can be handed out make a batch full") {
            $0.requests { [base = $0.base] (request) async throws(StoreError) in
                let count = try await base.records(of: nil, after: nil, limit: .max).count
                for index in request.destinations.indices where count >= request.destinations[index].limits.entries {
                    request.destinations[index].limits.wait = .zero
                }
            }
        },
        mutant("does not know what comes", breaks: "the next due time is the earliest that is still to come") {
            $0.nextDue = { (_) async throws(StoreError) in NextDue() }
        },
        mutant("does not know when a lease runs out", breaks: "the next due time is the earliest that is still to come")
        {
            $0.nextDue = { [base = $0.base] (request) async throws(StoreError) in
                NextDue(time: try await base.nextDue(request).time)
            }
        },
        mutant("tells what is due by now", breaks: "the next due time is the earliest that is still to come") {
            $0.nextDue = { [base = $0.base] (request) async throws(StoreError) in
                var next = try await base.nextDue(request)
                next.time = next.time ?? request.now
                return next
            }
        },
    ]

    static let notifications: [Mutant] = [
        silent("new entries") { !$0.enqueued.isEmpty },
        silent("what is given back") { !$0.released.isEmpty && $0.settled.isEmpty },
        silent("settlements") { !$0.settled.isEmpty },
        silent("retried dead letters") { !$0.retried.isEmpty },
        silent("what is discarded") { !$0.discarded.isEmpty },
        silent("rewritten entries") { !$0.rewritten.isEmpty },
        silent("resumed destinations") { !$0.resumed.isEmpty },
        silent("accounts that are removed") { _ in false },
        mutant("tells only one of who listens", breaks: "each of several listeners hears of a commit") { store in
            let notifications = store.base.notifications()
            store.listen = { notifications }
        },
    ]

    private static func silent(_ what: String, _ isSilent: @escaping @Sendable (Commit) -> Bool) -> Mutant {
        mutant(
            "does not tell of \(what)",
            breaks: "a listener hears of each commit that makes something due or rewrites an entry"
        ) {
            store in
            let readers = JournalSubscriptions()
            store.listen = { readers.subscribe() }
            store.commit = { [base = store.base] (commit) async throws(StoreError) in
                let committed = try await base.commit(commit)
                if !isSilent(commit) { readers.tell() }
                return committed
            }
        }
    }

    static let reading: [Mutant] = [
        mutant("loses an empty base", breaks: "an entry comes back as it was") {
            $0.enqueues { if $0.base == [] { $0.base = nil } }
        },
        mutant("keeps whole seconds", breaks: "an entry comes back as it was") {
            $0.enqueues { $0.enqueuedAt = WallTime(secondsSince1970: $0.enqueuedAt.secondsSince1970) }
        },
        mutant("expects a record", breaks: "an empty journal answers with nothing, and no error") {
            $0.record = { [base = $0.base] (entry) async throws(StoreError) in
                guard let record = try await base.record(of: entry) else {
                    throw StoreError(.failed, message: "no record")
                }
                return record
            }
        },
        mutant("counts positions by page", breaks: "the position of a record rises with the commits, and stays") {
            $0.record = { [base = $0.base] (entry) async throws(StoreError) in
                var record = try await base.record(of: entry)
                record?.position = 0
                return record
            }
        },
        mutant("lists every kind", breaks: "records of one kind come alone, page by page") {
            $0.records = { [base = $0.base] (account, _, after, limit) async throws(StoreError) in
                try await base.records(of: account, after: after, limit: limit)
            }
        },
        mutant("lists by id", breaks: "records come in the order of their commits, page by page") {
            $0.records = { [base = $0.base] (account, kind, after, limit) async throws(StoreError) in
                let all = try await base.records(of: account, kind: kind, after: nil, limit: .max)
                let last = all.first { $0.position == after }?.entry.id
                let sorted = all.sorted { $0.entry.id < $1.entry.id }
                return Array(sorted.drop { record in last.map { record.entry.id <= $0 } == true }.prefix(limit))
            }
        },
        mutant(
            "begins anew behind what is gone",
            breaks: "a page continues even if the last record of the one before is gone"
        ) {
            $0.records = { [base = $0.base] (account, kind, after, limit) async throws(StoreError) in
                let all = try await base.records(of: account, kind: kind, after: nil, limit: .max)
                let known = all.first { $0.position == after }?.position
                return try await base.records(of: account, kind: kind, after: known, limit: limit)
            }
        },
        mutant(
            "skips what has a smaller id than the last page",
            breaks: "an entry that is committed later is on a later page, whatever its id is"
        ) {
            let last = Mutex<OutboxEntry.ID?>(nil)
            $0.records = { [base = $0.base] (account, kind, after, limit) async throws(StoreError) in
                let all = try await base.records(of: account, kind: kind, after: nil, limit: .max)
                let page = all.drop { record in after.map { record.position <= $0 } == true }.prefix(limit)
                let former = last.withLock { $0 }
                last.withLock { $0 = page.last?.entry.id ?? $0 }
                // The entry of the cursor is gone, so its id is compared.
                let isGone = after.map { after in !all.contains { $0.position == after } } ?? false
                return page.filter { record in former.map { !isGone || $0 < record.entry.id } ?? true }
            }
        },
        mutant(
            "begins each page with the last one's end", breaks: "dead letters come the oldest first, page by page"
        ) {
            $0.deadLetters = { [base = $0.base] (account, after, limit) async throws(StoreError) in
                let all = try await base.deadLetters(of: account, after: nil, limit: .max)
                return Array(all.drop { after != nil && $0.id != after }.prefix(limit))
            }
        },
        mutant("lists the dead entry by entry", breaks: "dead letters come the oldest first, page by page") {
            $0.deadLetters = { [base = $0.base] (account, after, limit) async throws(StoreError) in
                let all = try await base.deadLetters(of: account, after: nil, limit: .max)
                let rest = all.drop { after != nil && $0.entry.id != after?.entry }
                return Array(rest.drop { $0.entry.id == after?.entry }.prefix(limit))
            }
        },
        mutant("does not count what waits", breaks: "deliveries are counted by their state") {
            $0.counts = { [base = $0.base] (account) async throws(StoreError) in
                var counts = try await base.counts(of: account)
                counts.pending = counts.pending.filter { $0.key.destination != "mail" }
                return counts
            }
        },
        mutant(
            "tells the oldest of all accounts",
            breaks: "the oldest entry of a destination is the first that is to be delivered"
        ) {
            $0.oldest = { [base = $0.base] (account) async throws(StoreError) in
                let others = try await base.oldestPending(of: Account("somebody"))
                return try await base.oldestPending(of: account).merging(others) { min($0, $1) }
            }
        },
        mutant(
            "forgets what is on its way",
            breaks: "the oldest entry of a destination is the first that is to be delivered"
        ) {
            $0.oldest = { [base = $0.base] (account) async throws(StoreError) in
                let request = LeaseRequest(
                    destinations: [.init("api", kinds: ["note"])], now: WallTime(secondsSince1970: 0))
                let due = try await base.nextDue(request).leaseEndsAfter
                return due == nil ? try await base.oldestPending(of: account) : [:]
            }
        },
    ]

    static let committing: [Mutant] = [
        mutant(
            "leaves out what is there already",
            breaks: "an id that is there already is refused, with all that comes with it"
        ) {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                var new: [OutboxEntry] = []
                for entry in commit.enqueued where try await base.record(of: entry.id) == nil {
                    if !new.contains(where: { $0.id == entry.id }) { new.append(entry) }
                }
                commit.enqueued = new
            }
        },
        mutant(
            "pauses before it refuses", breaks: "an id that is there already is refused, with all that comes with it"
        ) {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                var first = Commit()
                first.paused = commit.paused
                try await base.commit(first)
            }
        },
        mutant("never forgets an id", breaks: "an id whose entry is gone is free") { store in
            let ids = KnownIDs()
            store.commits { (commit) async throws(StoreError) in
                for entry in commit.enqueued where !ids.insert(entry.id) {
                    throw StoreError(.changed, message: "known")
                }
            }
        },
        mutant("commits in two steps", breaks: "an entity and its entry are there together or not at all") {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                try await base.commit(commit.entities)
                commit.entities = []
                await letOthersRun()
            }
        },
        mutant("does not tell of entities", breaks: "a commit reports the entities that it changes") {
            $0.changes = { MemoryEntityStore().changes(of: $0, kind: $1, since: $2) }
        },
        mutant(
            "expects nothing", breaks: "an expectation that does not hold refuses the whole commit"
        ) {
            $0.commits { (commit) async throws(StoreError) in commit.expecting = [:] }
        },
        mutant(
            "settles before it refuses",
            breaks: "an expectation that does not hold refuses the whole commit"
        ) {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                if commit.expecting.isEmpty { return }
                var first = Commit()
                first.settled = commit.settled
                try await base.commit(first)
                commit.settled = []
            }
        },
        mutant("takes new entries first", breaks: "a commit is carried out in its order") {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                guard !commit.resumed.isEmpty else { return }
                try await base.commit(Commit(enqueued: commit.enqueued))
                commit.enqueued = []
            }
        },
        mutant("resumes first", breaks: "a commit is carried out in its order") {
            $0.commits { (commit) async throws(StoreError) in
                guard !commit.enqueued.isEmpty else { return }
                commit.resumed.subtract(commit.paused.keys)
            }
        },
        mutant(
            "is empty when it is opened again", breaks: "a commit is there after the store was opened again",
            reopened: { _ in MemoryWriteStore() }, { _ in }),
        mutant(
            "loses what is to be retried",
            breaks: "no entry is lost, overtaken or leased twice by any sequence of steps"
        ) {
            $0.settles { if case .retry = $0.outcome { $0.outcome = .delivered } }
        },
        mutant("sees no holder", breaks: "no entry is lost, overtaken or leased twice by any sequence of steps") {
            $0.clock.shows { [seen = $0.seen] in Uptime(boot: "\(seen.next())", nanoseconds: $0.nanoseconds) }
        },
        mutant(
            "overtakes what is retried", breaks: "no entry is lost, overtaken or leased twice by any sequence of steps"
        ) {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                for delivery in commit.retried {
                    guard var entry = try await base.record(of: delivery.entry)?.entry else { continue }
                    entry.id = .init(entry.id.text + "2")
                    commit.discarded.append(delivery)
                    commit.enqueued.append(entry)
                }
                commit.retried = []
            }
        },
    ]
}
