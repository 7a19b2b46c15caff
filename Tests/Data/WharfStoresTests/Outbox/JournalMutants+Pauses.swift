import WharfChecks
import WharfCore
import WharfStorage
import WharfStores

extension JournalMutants {
    static let pausing: [Mutant] = [
        mutant("never pauses", breaks: oneDestination) {
            $0.commits { (commit) async throws(StoreError) in commit.paused = [:] }
        },
        mutant("never resumes", breaks: oneDestination) {
            $0.commits { (commit) async throws(StoreError) in commit.resumed = [] }
        },
        mutant("pauses the whole account", breaks: oneDestination) {
            $0.requests { [base = $0.base] (request) async throws(StoreError) in
                if try await !base.counts(of: request.account).paused.isEmpty { request.destinations = [] }
            }
        },
        mutant("pauses the destination of all accounts", breaks: oneDestination) {
            $0.commits { (commit) async throws(StoreError) in
                for (place, pause) in commit.paused { commit.paused[PausedDestination(place.destination)] = pause }
            }
        },
        mutant("does not count the pauses", breaks: oneDestination) {
            $0.counts = { [base = $0.base] (account) async throws(StoreError) in
                var counts = try await base.counts(of: account)
                counts.paused = [:]
                return counts
            }
        },
        mutant(
            "pauses all accounts but nobody's", breaks: "a destination without an account is paused like any other"
        ) {
            $0.commits { (commit) async throws(StoreError) in
                commit.paused = commit.paused.filter { $0.key.account != nil }
            }
        },
        mutant("tells when a paused one is due", breaks: "a destination that is paused is due at no time") {
            $0.nextDue = { [base = $0.base] (request) async throws(StoreError) in
                var next = try await base.nextDue(request)
                if try await !base.counts(of: request.account).paused.isEmpty {
                    next.time = request.now + .seconds(20)
                }
                return next
            }
        },
        mutant("takes no settlement of a paused one", breaks: leased) {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                var paused = false
                for settlement in commit.settled {
                    let lane = settlement.lease.lane
                    let pauses = try await base.counts(of: lane.account).paused
                    paused = paused || pauses[lane.destination] != nil
                }
                if paused { commit.settled = [] }
            }
        },
        mutant("extends no lease of a paused one", breaks: leased) {
            $0.extend = { [base = $0.base] (leases, duration) async throws(StoreError) in
                guard try await base.counts(of: nil).paused.isEmpty else { return [] }
                return try await base.extend(leases, for: duration)
            }
        },
        mutant(
            "retries nothing of a paused one",
            breaks: "entries of a destination that is paused are retried and discarded"
        ) {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                if try await !base.counts(of: nil).paused.isEmpty { commit.retried = [] }
            }
        },
        mutant(
            "discards nothing of a paused one",
            breaks: "entries of a destination that is paused are retried and discarded"
        ) {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                if try await !base.counts(of: nil).paused.isEmpty { commit.discarded = [] }
            }
        },
        mutant("takes the time of the last pause", breaks: secondPause) {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                for (place, pause) in commit.paused {
                    let first = try await base.counts(of: place.account).paused[place.destination]
                    commit.paused[place]?.reason = pause.reason ?? first?.reason
                }
                var resume = Commit()
                resume.resumed = Set(commit.paused.keys)
                try await base.commit(resume)
            }
        },
        mutant("keeps the first reason", breaks: secondPause) {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                for place in commit.paused.keys
                where try await base.counts(of: place.account).paused[place.destination] != nil {
                    commit.paused[place] = nil
                }
            }
        },
    ]

    private static let oneDestination =
        "a destination that is paused gets nothing until it is resumed, and others go on"
    private static let leased = "a lane that is leased when its destination is paused is settled as any other"
    private static let secondPause =
        "a second pause keeps the time of the first, and replaces its reason by one that it has"
}
