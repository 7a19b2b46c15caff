import Synchronization
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfRepository

/// Repositories with one defect each in reading.
enum RepositoryMutants {
    typealias Mutant = LawMutant<RepositoryLaws.Subject>

    static let all = policies + fallbacks + sharing + observing

    static func mutant(
        _ description: String, breaks law: String, _ spoil: @escaping @Sendable (inout WrongRepository) -> Void
    ) -> Mutant {
        Mutant(
            breaks: law,
            .init(description) { source, clock in
                var repository = WrongRepository(source, clock)
                spoil(&repository)
                return repository
            })
    }
}

struct WrongRepository: ReadableRepository {
    typealias Model = RepositoryLaws.Model

    let source: RemoteSource<Model>
    let clock: any WallClock
    let base: Repository<Model>
    var one: nonisolated(nonsending) @Sendable (Int, ReadPolicy?) async -> Snapshot<Model>
    var list: nonisolated(nonsending) @Sendable (EntityQuery<Model>, ReadPolicy?) async -> Snapshot<[Model]>
    var observed: @Sendable (Int, ReadPolicy?) -> SnapshotSequence<Model>

    init(_ source: RemoteSource<Model>, _ clock: any WallClock) {
        (self.source, self.clock) = (source, clock)
        let base = Repository(source: source, configuration: .init(clock: clock))
        self.base = base
        one = { id, policy in await base.snapshot(id: id, policy: policy) }
        list = { query, policy in await base.listSnapshot(query, policy: policy) }
        observed = { id, policy in base.observe(id: id, policy: policy) }
    }

    func snapshot(id: Int, policy: ReadPolicy?) async -> Snapshot<Model> { await one(id, policy) }
    func observe(id: Int, policy: ReadPolicy?) -> SnapshotSequence<Model> { observed(id, policy) }
    func listSnapshot(_ query: EntityQuery<Model>, policy: ReadPolicy?) async -> Snapshot<[Model]> {
        await list(query, policy)
    }
    func observeList(_ query: EntityQuery<Model>, policy: ReadPolicy?) -> SnapshotSequence<[Model]> {
        base.observeList(query, policy: policy)
    }
}

extension WrongRepository {
    /// Reads by `other` if the caller asks for `policy`.
    mutating func takes(_ policy: ReadPolicy, for other: ReadPolicy) {
        one = { [base] id, asked in await base.snapshot(id: id, policy: asked == policy ? other : asked) }
    }

    mutating func answers(_ change: @escaping @Sendable (Snapshot<Model>, ReadPolicy?) -> Snapshot<Model>) {
        one = { [base] id, policy in change(await base.snapshot(id: id, policy: policy), policy) }
    }
}
