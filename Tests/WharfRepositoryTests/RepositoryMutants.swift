import WharfCore
import WharfRepository
import WharfTesting

/// A repository that is wrong in one way, and the words of the law that must notice.
struct RepositoryMutant: Sendable, CustomStringConvertible {
    let description: String
    let breaks: String
    let change: @Sendable (Snapshot<RepositoryLaws.Model>, ReadPolicy?) -> Snapshot<RepositoryLaws.Model>
    var policy: @Sendable (ReadPolicy?) -> ReadPolicy? = { $0 }

    var subject: RepositoryLaws.Subject {
        .init(description) { source, clock in
            Mutated(base: RemoteRepository(source: source, clock: clock), mutant: self)
        }
    }

    static let all: [RepositoryMutant] = [
        .init(
            description: "forgets the value on failure", breaks: "undecodable answer leaves the last good",
            change: { snapshot, _ in
                snapshot.error == nil ? snapshot : Snapshot(kept: nil, error: snapshot.error)
            }
        ),
        .init(
            description: "hides the error", breaks: "standard does what the table says",
            change: { snapshot, _ in snapshot.kept == nil ? snapshot : Snapshot(kept: snapshot.kept) }
        ),
        .init(
            description: "asks the network for cacheFirst", breaks: "cache-first does what the table says",
            change: { snapshot, _ in snapshot }, policy: { $0 == .cacheFirst ? .networkFirst : $0 }
        ),
        .init(
            description: "falls back for networkOnly", breaks: "network-only does what the table says",
            change: { snapshot, _ in snapshot }, policy: { $0 == .networkOnly ? .networkFirst : $0 }
        ),
        .init(
            description: "asks the network for cacheOnly", breaks: "cache-only does what the table says",
            change: { snapshot, _ in snapshot }, policy: { $0 == .cacheOnly ? .cacheFirst : $0 }
        ),
        .init(
            description: "never asks for networkFirst", breaks: "network-first does what the table says",
            change: { snapshot, _ in snapshot }, policy: { $0 == .networkFirst ? .standard : $0 }
        ),
    ]
}

private struct Mutated: ReadableRepository {
    typealias Model = RepositoryLaws.Model

    let base: RemoteRepository<Model>
    let mutant: RepositoryMutant

    func snapshot(id: Int, policy: ReadPolicy?) async -> Snapshot<Model> {
        mutant.change(await base.snapshot(id: id, policy: mutant.policy(policy)), policy)
    }

    func observe(id: Int, policy: ReadPolicy?) -> SnapshotSequence<Model> { base.observe(id: id, policy: policy) }
    func listSnapshot(_ query: EntityQuery<Model>, policy: ReadPolicy?) async -> Snapshot<[Model]> {
        await base.listSnapshot(query, policy: policy)
    }
    func observeList(_ query: EntityQuery<Model>, policy: ReadPolicy?) -> SnapshotSequence<[Model]> {
        base.observeList(query, policy: policy)
    }
}
