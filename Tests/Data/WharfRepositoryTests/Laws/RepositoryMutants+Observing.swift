import Synchronization
import WharfChecks
import WharfCore
import WharfRepository

extension RepositoryMutants {
    static let observing: [Mutant] = [
        mutant(
            "does not say that it refreshes what is kept",
            breaks: "an observer gets the kept value at once, then the answer of the network"
        ) {
            $0.observes { snapshot in
                guard snapshot.kept != nil, snapshot.fetch == .refreshing else { return snapshot }
                return Snapshot(kept: snapshot.kept, error: snapshot.error)
            }
        },
        mutant(
            "takes the value away when it fails",
            breaks: "an observer continues after a failure, with the value beside it"
        ) {
            $0.observes { snapshot in
                guard snapshot.error?.code == .connectionFailed else { return snapshot }
                return Snapshot(kept: nil, error: snapshot.error, fetch: snapshot.fetch)
            }
        },
        mutant(
            "ends with a refresh that was cancelled",
            breaks: "an observer is never left refreshing after its refresh has ended, even without an answer"
        ) {
            $0.observes { snapshot in snapshot.error?.code == .cancelled ? nil : snapshot }
        },
        mutant("falls back for networkOnly", breaks: "a networkOnly observer gets no kept value with a failure") {
            repository in
            repository.observed = { [base = repository.base] id, policy in
                base.observe(id: id, policy: policy == .networkOnly ? .networkFirst : policy)
            }
        },
        mutant(
            "repeats what it showed first", breaks: "a read updates the observers of its model"
        ) { repository in
            repository.observed = { [base = repository.base] id, policy in
                guard policy == .networkOnly else { return base.observe(id: id, policy: policy) }
                return base.observe(id: id, policy: policy).changed {
                    let first = Mutex<Snapshot<WrongRepository.Model>?>(nil)
                    return { snapshot in
                        first.withLock { first in
                            if first == nil, snapshot.fetch == .idle { first = snapshot }
                            return first ?? snapshot
                        }
                    }
                }
            }
        },
    ]
}

extension WrongRepository {
    /// - Parameter change: returns nil to end the sequence.
    fileprivate mutating func observes(_ change: @escaping @Sendable (Snapshot<Model>) -> Snapshot<Model>?) {
        observed = { [base] id, policy in base.observe(id: id, policy: policy).changed { change } }
    }
}
