import Testing
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository
import WharfStores

/// A repository with or without a store, over a service that pages in one way.
struct PagedVariation: Sendable, CustomStringConvertible {
    let isStored: Bool
    let kind: PagedOrigin.Kind

    static let all = [true, false].flatMap { isStored in
        PagedOrigin.Kind.allCases.map { Self(isStored: isStored, kind: $0) }
    }

    var description: String { "\(isStored ? "stored" : "remote") by \(kind)" }
}

struct PagedStage: Sendable {
    typealias Model = RepositoryLaws.Model
    typealias Iterator = SnapshotSequence<PagedItems<Model>>.AsyncIterator

    let clock = TestClock()
    let connectivity = TestConnectivity()
    let store = MemoryEntityStore()
    let origin: PagedOrigin
    let remote: Repository<Model>?
    let stored: Repository<Model>?

    init(_ variation: PagedVariation, count: Int = 10, lifetime: Duration = .seconds(60)) {
        origin = PagedOrigin(variation.kind, ids: 1..<(count + 1), lifetime: lifetime, clock: clock.wall)
        if variation.isStored {
            stored = Repository(
                .models, in: store, remote: origin.source,
                configuration: .init(connectivity: connectivity, clock: clock.wall))
            remote = nil
        } else {
            remote = Repository(
                source: origin.source, configuration: .init(connectivity: connectivity, clock: clock.wall))
            stored = nil
        }
    }

    func pages(size: Int = 3, keeping cap: Int? = nil, policy: ReadPolicy? = nil) throws -> PagedList<Model> {
        try #require(
            stored?.pages(size: size, keeping: cap, policy: policy)
                ?? remote?.pages(size: size, keeping: cap, policy: policy))
    }

    func close() {
        stored?.close()
        remote?.close()
    }

    /// The first snapshot that is neither refreshing nor loading more.
    static func settled(_ snapshots: inout Iterator) async throws -> Snapshot<PagedItems<Model>> {
        while true {
            let next = try #require(await snapshots.next(isolation: nil))
            if next.fetch != .refreshing, next.value?.isLoadingMore != true { return next }
        }
    }

    static let unreachable = ReadFailure(.connectionFailed, message: "scripted: nobody listens")
}

extension PagedList where Model == RepositoryLaws.Model {
    var ids: [Int] { snapshot.value?.items.map(\.id) ?? [] }
    var error: ReadFailure? { snapshot.error }
}
