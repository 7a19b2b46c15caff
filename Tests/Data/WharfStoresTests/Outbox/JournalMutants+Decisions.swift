import WharfChecks
import WharfCore
import WharfStorage
import WharfStores

extension JournalMutants {
    static let classes: [Mutant] = [
        mutant(
            "bounds nothing",
            breaks: "the oldest bounded entries beyond the limit are dropped, unless they are in flight"
        ) {
            $0.enqueues { if case .bounded = $0.deliveryClass { $0.deliveryClass = .durable } }
        },
        mutant(
            "drops what is on its way",
            breaks: "the oldest bounded entries beyond the limit are dropped, unless they are in flight"
        ) {
            $0.commits { [base = $0.base, seen = $0.seen] (commit) async throws(StoreError) in
                guard commit.enqueued.contains(where: { $0.deliveryClass == .bounded(2) }) else { return }
                let all = try await base.records(of: nil, after: nil, limit: .max).map {
                    DeliveryID($0.entry.id, to: "api")
                }
                commit.discarded += all.filter(seen.wasHandedOut)
            }
        },
        mutant(
            "drops without a word",
            breaks: "the oldest bounded entries beyond the limit are dropped, unless they are in flight"
        ) {
            $0.commit = { [base = $0.base] (commit) async throws(StoreError) in
                _ = try await base.commit(commit)
                return CommitResult()
            }
        },
        mutant(
            "drops an entry for all destinations", breaks: "bounded entries are counted for each destination by itself"
        ) {
            $0.commit = { [base = $0.base] (commit) async throws(StoreError) in
                var committed = try await base.commit(commit)
                for entry in commit.enqueued where !committed.dropped.isEmpty {
                    committed.dropped += entry.targets.map {
                        DroppedDelivery(DeliveryID(entry.id, to: $0.destination), kind: entry.kind.name, .bounded)
                    }
                }
                return committed
            }
        },
        mutant(
            "keeps what is replaced",
            breaks: "an entry whose latest wins drops those before it that were never attempted"
        ) {
            $0.enqueues { entry in
                guard case .expiring(let time, _) = entry.deliveryClass else { return }
                entry.deliveryClass = .expiring(after: time, latestWins: false)
            }
        },
        mutant(
            "replaces any kind", breaks: "an entry whose latest wins drops those before it that were never attempted"
        ) {
            $0.enqueues { $0.kind.name = "note" }
        },
        mutant("replaces what is on its way", breaks: "an entry whose latest wins drops none that is in flight") {
            $0.commits { [base = $0.base, seen = $0.seen] (commit) async throws(StoreError) in
                guard !commit.enqueued.isEmpty else { return }
                let all = try await base.records(of: nil, after: nil, limit: .max).map {
                    DeliveryID($0.entry.id, to: "api")
                }
                commit.discarded += all.filter(seen.wasHandedOut)
                commit.enqueued.removeAll { !commit.discarded.isEmpty && $0.lane == "lane" }
            }
        },
        mutant(
            "delivers what has expired",
            breaks: "an expired entry is dropped when its lane is leased, and not handed out"
        ) {
            $0.enqueues { if case .expiring = $0.deliveryClass { $0.deliveryClass = .durable } }
        },
        mutant(
            "drops the expired without a word",
            breaks: "an expired entry is dropped when its lane is leased, and not handed out"
        ) {
            $0.lease = { [base = $0.base] (request) async throws(StoreError) in
                LeaseResult(lanes: try await base.lease(request).lanes)
            }
        },
    ]

    private static let lookedAt =
        "a decision about a dead letter that has changed since it was seen changes nothing"

    static let deciding: [Mutant] = [
        mutant(
            "keeps what comes late",
            breaks: "a delivery in flight when its account is removed brings nothing to that account"
        ) {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in try await base.commit(commit.entities) }
        },
        mutant(
            "keeps nothing of what was discarded",
            breaks: "a delivery in flight when its account is removed brings nothing to that account"
        ) {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                for settlement in commit.settled where try await base.record(of: settlement.delivery.entry) == nil {
                    (commit.entities, commit.assigned) = ([], [])
                }
            }
        },
        mutant(
            "sends what is rewritten behind the others",
            breaks: "a dead letter that is rewritten and retried keeps its place and its dependents"
        ) {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                for rewrite in commit.rewritten where !commit.retried.isEmpty {
                    guard var entry = try await base.record(of: rewrite.entry)?.entry else { continue }
                    commit.discarded += commit.retried
                    (entry.id, entry.payload) = (.init(entry.id.text + "2"), rewrite.payload)
                    (commit.retried, commit.enqueued) = ([], commit.enqueued + [entry])
                }
                if !commit.enqueued.isEmpty { commit.rewritten = [] }
            }
        },
        mutant(
            "rewrites what somebody else has retried",
            breaks: "the second of two rewrites that retry a dead letter changes nothing"
        ) {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                guard !commit.rewritten.isEmpty else { return }
                for delivery in commit.retried {
                    let state = try await base.record(of: delivery.entry)?.states[delivery.destination]
                    if case .pending = state { commit.retried.removeAll { $0 == delivery } }
                }
            }
        },
        mutant("decides about what nobody has seen", breaks: lookedAt) {
            $0.commits { (commit) async throws(StoreError) in commit.lookedAt = [:] }
        },
        mutant("looks at keys alone", breaks: lookedAt) {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                for (letter, key) in commit.lookedAt where try await base.record(of: letter.entry)?.entry.key == key {
                    commit.lookedAt[letter] = nil
                }
            }
        },
        mutant("looks whether it is dead alone", breaks: lookedAt) {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                for letter in commit.lookedAt.keys {
                    commit.lookedAt[letter] = try await base.record(of: letter.entry)?.entry.key
                }
            }
        },
        mutant(
            "settles for all destinations",
            breaks: "each destination has its own lane, its own attempts and its own end"
        ) {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                try await Self.settleEverywhere(&commit, base.record)
            }
        },
        mutant(
            "sends to fallbacks at once", breaks: "a fallback is due when the target before it has failed for good"
        ) {
            $0.enqueues { $0.changeTargets { if case .afterFailure = $0.condition { $0.condition = .always } } }
        },
        mutant("never falls back", breaks: "a fallback is due when the target before it has failed for good") {
            $0.settles { if case .dead = $0.outcome { $0.outcome = .delivered } }
        },
        mutant(
            "sends to fallbacks in any case", breaks: "a fallback is not needed when the target before it has delivered"
        ) {
            $0.enqueues { $0.changeTargets { if case .afterFailure = $0.condition { $0.condition = .always } } }
        },
        mutant(
            "waits for no destination",
            breaks: "a fallback of a destination that is no target of the entry is delivered"
        ) {
            $0.enqueues { entry in
                let names = Set(entry.targets.map(\.destination))
                entry.targets.removeAll {
                    if case .afterFailure(let other) = $0.condition { !names.contains(other) } else { false }
                }
            }
        },
        mutant(
            "escalates late",
            breaks: "an escalation is due at its time and in its place, unless its entry was delivered by then"
        ) {
            $0.enqueues { entry in
                entry.changeTargets { target in
                    guard case .unlessDelivered(let other, let time) = target.condition else { return }
                    target.condition = .unlessDelivered(by: other, within: time * 2)
                }
            }
        },
        mutant(
            "escalates at once",
            breaks: "an escalation is due at its time and in its place, unless its entry was delivered by then"
        ) {
            $0.enqueues { $0.changeTargets { if case .unlessDelivered = $0.condition { $0.condition = .always } } }
        },
        mutant(
            "waits for the time of before",
            breaks: "an escalation is due at once if the clock is set back to well before its entry came"
        ) {
            $0.requests { (request) async throws(StoreError) in
                request.now = max(request.now, WallTime(secondsSince1970: 1_000_000_940))
            }
        },
        mutant(
            "takes what comes meanwhile for one of before",
            breaks: "an escalation is due at once if the clock is set back to well before its entry came"
        ) { $0.requests { (request) async throws(StoreError) in request.now = request.now - .seconds(1) } },
        mutant("forgets chains", breaks: "no escalation of a chain comes when the first target has delivered") {
            $0.enqueues { entry in
                let first = entry.targets.first?.destination
                entry.changeTargets { target in
                    guard case .unlessDelivered(let other, let time) = target.condition, other != first else { return }
                    target.condition = .unlessDelivered(by: "nobody", within: time)
                }
            }
        },
        mutant(
            "escalates after a failure alone",
            breaks: "an escalation comes at its time even if the target before it is dead"
        ) {
            $0.enqueues { entry in
                entry.changeTargets { target in
                    guard case .unlessDelivered(let other, _) = target.condition else { return }
                    target.condition = .afterFailure(of: other)
                }
            }
        },
        mutant(
            "retries in a new place",
            breaks: "a dead letter that is retried is in its old place, under its key, with attempts from zero"
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
        mutant("retries what is not dead", breaks: "a retry of an entry that is not dead changes nothing") {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                for delivery in commit.retried {
                    let state = try await base.record(of: delivery.entry)?.states[delivery.destination]
                    if case .pending = state { commit.discarded.append(delivery) }
                }
            }
        },
        mutant("discards only the dead", breaks: "a discarded entry, waiting or dead, is gone and holds no lane") {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                var kept: [DeliveryID] = []
                for delivery in commit.discarded {
                    let state = try await base.record(of: delivery.entry)?.states[delivery.destination]
                    if case .dead = state { kept.append(delivery) }
                }
                commit.discarded = kept
            }
        },
        mutant("removes entities alone", breaks: "removal of an account takes its entries, dead letters and pauses") {
            $0.remove = { (_) async throws(StoreError) in .none }
        },
        mutant(
            "keeps the pauses of a removed account",
            breaks: "removal of an account takes its entries, dead letters and pauses"
        ) {
            $0.remove = { [base = $0.base] (account) async throws(StoreError) in
                let paused = try await base.counts(of: account).paused
                let version = try await base.removeAll(of: account)
                var commit = Commit()
                for (name, pause) in paused { commit.paused[PausedDestination(name, of: account)] = pause }
                try await base.commit(commit)
                return version
            }
        },
        mutant("shows nobody's records to all", breaks: "nothing of one account is seen under another") {
            $0.records = { [base = $0.base] (account, kind, after, limit) async throws(StoreError) in
                let own = try await base.records(of: account, kind: kind, after: after, limit: limit)
                let others = try await base.records(of: nil, kind: kind, after: after, limit: limit)
                return account == nil ? own : own + others
            }
        },
        mutant("takes an empty name for nobody", breaks: "nothing of one account is seen under another") {
            $0.requests { (request) async throws(StoreError) in if request.account?.name == "" { request.account = nil }
            }
        },
    ]
}
