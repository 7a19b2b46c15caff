import Synchronization
import WharfChecks
import WharfCore
import WharfRepository

extension RepositoryMutants {
    static let policies: [Mutant] = [
        mutant("asks the network for what is fresh", breaks: table(.standard)) {
            $0.takes(.standard, for: .networkFirst)
        },
        mutant("asks the network for cacheFirst", breaks: table(.cacheFirst)) {
            $0.takes(.cacheFirst, for: .networkFirst)
        },
        mutant("stops at the cache for cacheThenNetwork", breaks: table(.cacheThenNetwork)) {
            $0.takes(.cacheThenNetwork, for: .cacheFirst)
        },
        mutant("asks the network for cacheOnly", breaks: table(.cacheOnly)) { $0.takes(.cacheOnly, for: .cacheFirst) },
        mutant("hides a server's failure for networkFirst", breaks: table(.networkFirst)) {
            $0.answers { snapshot, policy in
                guard policy == .networkFirst, snapshot.error?.code == .status, let kept = snapshot.kept else {
                    return snapshot
                }
                return Snapshot(kept: kept)
            }
        },
        mutant("falls back for networkOnly", breaks: table(.networkOnly)) {
            $0.takes(.networkOnly, for: .networkFirst)
        },
    ]

    private static func table(_ policy: ReadPolicy) -> String {
        "\(policy.name) does what the table says, whatever is kept and whatever the network answers"
    }

    static let fallbacks: [Mutant] = [
        mutant(
            "lets what is too large push the last good out",
            breaks: "an undecodable answer leaves the last good value in place, with the error beside it"
        ) {
            $0.answers { snapshot, _ in
                snapshot.error?.code == .tooLarge ? Snapshot(kept: nil, error: snapshot.error) : snapshot
            }
        },
        mutant("forgets after half an hour", breaks: unreachable) { repository in
            let clock = repository.clock
            repository.answers { snapshot, _ in
                guard snapshot.error != nil, let kept = snapshot.kept else { return snapshot }
                return kept.age(at: clock.now()) > .seconds(1_800)
                    ? Snapshot(kept: nil, error: snapshot.error) : snapshot
            }
        },
        mutant("says that what it kept came from the network", breaks: unreachable) {
            $0.answers { snapshot, policy in
                guard policy == .standard, let kept = snapshot.kept, snapshot.error != nil else { return snapshot }
                return Snapshot(kept: kept.with(kept.value, source: .network), error: snapshot.error)
            }
        },
        mutant(
            "brings back what is gone", breaks: "a deleted model does not come back with the next failure"
        ) { repository in
            let last = Mutex<Snapshot<WrongRepository.Model>.Kept?>(nil)
            repository.answers { snapshot, policy in
                if let kept = snapshot.kept { last.withLock { $0 = kept } }
                guard policy == .networkFirst, snapshot.kept == nil, snapshot.error?.code == .connectionFailed else {
                    return snapshot
                }
                return Snapshot(kept: last.withLock { $0 }, error: snapshot.error)
            }
        },
        mutant(
            "falls back on lists of one only", breaks: "a list is kept and falls back as a single model does"
        ) { repository in
            repository.list = { [base = repository.base] query, policy in
                let answer = await base.listSnapshot(query, policy: policy)
                guard answer.error != nil, let kept = answer.kept, kept.value.count > 1 else { return answer }
                return Snapshot(kept: nil, error: answer.error)
            }
        },
    ]

    private static let unreachable =
        "a value that no cache keeps survives an unreachable service while the repository lives"

    static let sharing: [Mutant] = [
        mutant("asks once more for who comes late", breaks: "concurrent equal reads share one request") {
            repository in
            let underWay = Mutex(0)
            repository.one = { [base = repository.base, source = repository.source] id, policy in
                let isLate = underWay.withLock { underWay in
                    underWay += 1
                    return underWay > 1
                }
                defer { underWay.withLock { $0 -= 1 } }
                if isLate, policy == .networkFirst { _ = await source.get(id, .reload) }
                return await base.snapshot(id: id, policy: policy)
            }
        },
        mutant("takes cancelling for a failed connection", breaks: cancelled) {
            $0.answers { snapshot, policy in
                guard policy == .networkOnly, snapshot.error?.code == .cancelled else { return snapshot }
                return Snapshot(kept: nil, error: ReadFailure(.connectionFailed, message: "mistaken"))
            }
        },
        mutant("cancels all who wait when one leaves", breaks: cancelled) { repository in
            let left = Mutex(0)
            repository.one = { [base = repository.base] id, policy in
                let before = left.withLock { $0 }
                let answer = await base.snapshot(id: id, policy: policy)
                if answer.error?.code == .cancelled { left.withLock { $0 += 1 } }
                guard left.withLock({ $0 }) > before else { return answer }
                return Snapshot(kept: nil, error: ReadFailure(.cancelled, message: "with another"))
            }
        },
    ]

    private static let cancelled =
        "a cancelled read ends at once, and other reads of the same model get their value"
}
