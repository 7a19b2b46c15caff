import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository
import WharfStores

/// For every content of the store and every set of observers, the limits hold over unprotected rows
/// and protected rows stay.
struct EvictionPropertyTests {
    @Test func evictionMeetsLimitsExceptForProtectedModels() async throws {
        try await forAll(EvictionSituation.generator, runs: 500) { situation in
            try await EvictionStage(situation).check()
        }
    }
}

private struct EvictionStage {
    typealias Model = RepositoryLaws.Model
    typealias Page = EntityQuery<Model>

    /// The rows of the store.
    private struct Content: Equatable {
        var models: [Int: EntityRow] = [:]
        var lists: [EntityKey: EntityRow] = [:]
        var bytes: Int { (Array(models.values) + Array(lists.values)).reduce(0) { $0 + $1.bytes.count } }
    }

    private let situation: EvictionSituation
    private let members: [Page: [Int]]
    private let clock = TestClock()
    private let store = MemoryEntityStore()
    private let repository: Repository<Model>

    init(_ situation: EvictionSituation) {
        self.situation = situation
        let members = Dictionary(uniqueKeysWithValues: zip(EvictionSituation.pages, situation.members))
        self.members = members
        let source = RemoteSource(
            get: { Self.model($0) }, list: { page in (members[page] ?? []).map(Self.model) }, clock: clock.wall)
        repository = Repository(.models, in: store, remote: source, configuration: .init(clock: clock.wall))
    }

    func check() async throws {
        await read()
        let observedPages = situation.observedPages.map { EvictionSituation.pages[$0] }
        let limits = situation.limits
        var observers = await Observers(repository, situation.observed, observedPages)
        let before = try await content()
        let pendingKeys = Set(situation.pending.map { EntityKind.models.key($0, of: nil) })
        let evicted = try await repository.evict(limits) { pendingKeys.contains($0) }
        let after = try await content()
        let now = clock.wall.now()

        // The result names exactly the rows that were removed.
        let goneModels = Set(before.models.values.map(\.key)).subtracting(after.models.values.map(\.key))
        let goneLists = Set(before.lists.keys).subtracting(after.lists.keys)
        try require(Set(evicted.models) == goneModels, "it said \(evicted.models), \(goneModels) went")
        try require(Set(evicted.lists) == goneLists, "it said \(evicted.lists), \(goneLists) went")
        let goneBytes = before.bytes - after.bytes
        try require(evicted.bytes == goneBytes, "it said \(evicted.bytes) bytes, \(goneBytes) went")

        // The protected rows are there, unchanged.
        let listed = observedPages.filter { observers.hasValue($0) }.flatMap { members[$0] ?? [] }
        let safe = Set(situation.observed + situation.pending + listed)
        for id in safe { try require(after.models[id] == before.models[id], "\(id) was protected") }
        for page in observedPages {
            let key = Self.key(page)
            try require(after.lists[key] == before.lists[key], "the list \(key.id) was observed")
        }
        observers.leave()

        // The limits hold, or only protected rows are left.
        let unsafe = after.models.filter { !safe.contains($0.key) }.values
        let unsafeLists = after.lists.filter { list in !observedPages.contains { Self.key($0) == list.key } }.values
        if let count = limits.count {
            try require(after.models.count <= count || unsafe.isEmpty, "\(after.models.count) models are left")
        }
        if let bytes = limits.bytes {
            let isKept = after.bytes <= bytes || (unsafe.isEmpty && unsafeLists.isEmpty)
            try require(isKept, "\(after.bytes) bytes are left")
        }
        if let age = limits.age {
            for row in Array(unsafe) + Array(unsafeLists) {
                try require(now - row.asOf <= age, "\(row.key.id) is left at an age of \(now - row.asOf)")
            }
        }

        // The rows with the oldest confirmation were removed, and no more than the limits asked
        // for.
        let gone = before.models.filter { after.models[$0.key] == nil }.values
        for row in gone {
            let isOldest = unsafe.allSatisfy { row.asOf <= $0.asOf }
            try require(isOldest, "\(row.key.id) went before an older one")
        }
        let wasOverCount = limits.count.map { before.models.count > $0 } ?? false
        let wasOverBytes = limits.bytes.map { before.bytes > $0 } ?? false
        for row in gone where limits.age.map({ now - row.asOf <= $0 }) ?? true {
            try require(wasOverCount || wasOverBytes, "\(row.key.id) went without need")
        }
        if limits.bytes == nil, limits.age == nil, let count = limits.count, !gone.isEmpty {
            try require(after.models.count >= count, "no more than \(after.models.count) models are left")
        }

        // A list that is left has all its members.
        for page in EvictionSituation.pages where after.lists[Self.key(page)] != nil {
            for id in members[page] ?? [] where before.models[id] != nil {
                try require(after.models[id] != nil, "\(id) is missing from a list")
            }
        }
    }

    private func read() async {
        for read in situation.reads {
            switch read {
            case .model(let id, let seconds):
                clock.advance(by: .seconds(seconds))
                _ = await repository.snapshot(id: id, policy: .networkOnly)
            case .list(let page, let seconds):
                clock.advance(by: .seconds(seconds))
                _ = await repository.listSnapshot(EvictionSituation.pages[page], policy: .networkOnly)
            }
        }
    }

    private static func key(_ page: Page) -> EntityKey { EntityKey(kind: "model/list", id: page.rows.name) }

    /// A model whose encoding has a length that depends on its id.
    private static func model(_ id: Int) -> Model { Model(id: id, name: String(repeating: "x", count: id % 5)) }

    private func content() async throws -> Content {
        var content = Content()
        for row in try await store.rows(RowQuery(), of: nil, kind: "model") {
            content.models[try require(Int(row.key.id), "a model of the id \(row.key.id)")] = row
        }
        for row in try await store.rows(RowQuery(), of: nil, kind: "model/list") { content.lists[row.key] = row }
        return content
    }

    /// The observers with the policy `cacheOnly`, each after its first snapshot.
    private struct Observers {
        private var iterators: [SnapshotSequence<Model>.AsyncIterator] = []
        private var lists: [(page: Page, iterator: SnapshotSequence<[Model]>.AsyncIterator, hasValue: Bool)] = []

        init(_ repository: Repository<Model>, _ ids: [Int], _ pages: [Page]) async {
            for id in ids {
                var iterator = repository.observe(id: id, policy: .cacheOnly).makeAsyncIterator()
                _ = await iterator.next(isolation: nil)
                iterators.append(iterator)
            }
            for page in pages {
                var iterator = repository.observeList(page, policy: .cacheOnly).makeAsyncIterator()
                let first = await iterator.next(isolation: nil)
                lists.append((page, iterator, first?.value != nil))
            }
        }

        func hasValue(_ page: Page) -> Bool { lists.contains { $0.page == page && $0.hasValue } }

        mutating func leave() { (iterators, lists) = ([], []) }
    }
}
