import Testing
import WharfCore
import WharfRepository
import WharfStores
import WharfTesting

/// Whatever lies in a store and whoever looks at it: the limits hold over what may go, and what may not is there.
@Suite(.timeLimit(.minutes(2)))
struct EvictionPropertyTests {
    typealias Model = RepositoryLaws.Model
    typealias Page = EntityQuery<Model>

    private static let ids = Array(1...12)
    private static let pages = (0..<4).map { Page().limit(100 + $0) }

    /// What lies in the store.
    private struct Content: Equatable {
        var models: [Int: EntityRow] = [:]
        var lists: [EntityKey: EntityRow] = [:]
        var bytes: Int { (Array(models.values) + Array(lists.values)).reduce(0) { $0 + $1.bytes.count } }
    }

    private let clock = TestClock()
    private let store = MemoryEntityStore()

    @Test(arguments: 1...UInt64(500))
    func limitsHoldOverWhatIsNotProtected(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let members = Dictionary(
            uniqueKeysWithValues: Self.pages.map { page in
                (page, Self.ids.filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
            })
        let repository = StoredRepository(
            .models, in: store, remote: source(members, seed: seed), clock: clock.wall)
        for _ in 0..<Int.random(in: 0...20, using: &random) {
            clock.advance(by: .seconds(Int.random(in: 0...3, using: &random)))
            if Bool.random(using: &random) {
                _ = await repository.snapshot(
                    id: Self.ids.randomElement(using: &random) ?? 1, policy: .networkOnly)
            } else {
                _ = await repository.listSnapshot(
                    Self.pages.randomElement(using: &random) ?? Page(), policy: .networkOnly)
            }
        }
        let observed = Self.ids.filter { _ in Int.random(in: 0..<8, using: &random) == 0 }
        let observedPages = Self.pages.filter { _ in Int.random(in: 0..<5, using: &random) == 0 }
        let pending = Self.ids.filter { _ in Int.random(in: 0..<8, using: &random) == 0 }
        let limits = EvictionLimits(
            age: Self.limit(0...20, using: &random).map { .seconds($0) }, count: Self.limit(0...10, using: &random),
            bytes: Self.limit(0...80, using: &random))

        var observers = await Observers(repository, observed, observedPages)
        let before = try await content()
        let pendingKeys = Set(pending.map { EntityKind.models.key($0, of: nil) })
        let evicted = try await repository.evict(limits) { pendingKeys.contains($0) }
        let after = try await content()
        let now = clock.wall.now()

        // What it says is what it did.
        #expect(Set(evicted.models) == Set(before.models.values.map(\.key)).subtracting(after.models.values.map(\.key)))
        #expect(Set(evicted.lists) == Set(before.lists.keys).subtracting(after.lists.keys))
        #expect(evicted.bytes == before.bytes - after.bytes)

        // What is protected is there, as it was.
        let listed = observedPages.filter { observers.hasValue($0) }.flatMap { members[$0] ?? [] }
        let safe = Set(observed + pending + listed)
        for id in safe { #expect(after.models[id] == before.models[id], "\(id) was protected") }
        for page in observedPages {
            let key = Self.key(page)
            #expect(after.lists[key] == before.lists[key], "\(page) was observed")
        }
        observers.leave()

        // The limits hold, or what is left is protected.
        let unsafe = after.models.filter { !safe.contains($0.key) }.values
        let unsafeLists = after.lists.filter { list in !observedPages.contains { Self.key($0) == list.key } }.values
        if let count = limits.count { #expect(after.models.count <= count || unsafe.isEmpty) }
        if let bytes = limits.bytes { #expect(after.bytes <= bytes || (unsafe.isEmpty && unsafeLists.isEmpty)) }
        if let age = limits.age {
            for row in Array(unsafe) + Array(unsafeLists) { #expect(now - row.asOf <= age) }
        }

        // The longest unvouched for went, and no more than had to.
        let gone = before.models.filter { after.models[$0.key] == nil }.values
        for row in gone { #expect(unsafe.allSatisfy { row.asOf <= $0.asOf }) }
        let wasOverCount = limits.count.map { before.models.count > $0 } ?? false
        let wasOverBytes = limits.bytes.map { before.bytes > $0 } ?? false
        for row in gone where limits.age.map({ now - row.asOf <= $0 }) ?? true {
            #expect(wasOverCount || wasOverBytes, "\(row.key.id) went without need")
        }
        if limits.bytes == nil, limits.age == nil, let count = limits.count, !gone.isEmpty {
            #expect(after.models.count >= count)
        }

        // A list that is left is whole.
        for page in Self.pages where after.lists[Self.key(page)] != nil {
            for id in members[page] ?? [] where before.models[id] != nil {
                #expect(after.models[id] != nil, "\(id) is missing from a list")
            }
        }
    }

    private static func limit(
        _ range: ClosedRange<Int>, using random: inout some RandomNumberGenerator
    ) -> Int? {
        Bool.random(using: &random) ? Int.random(in: range, using: &random) : nil
    }

    private static func key(_ page: Page) -> EntityKey { EntityKey(kind: "model/list", id: page.rows.name) }

    private func source(_ members: [Page: [Int]], seed: UInt64) -> RemoteSource<Model> {
        RemoteSource(
            get: { Self.model($0) }, list: { page in (members[page] ?? []).map(Self.model) }, clock: clock.wall)
    }

    /// Of a length of its own.
    private static func model(_ id: Int) -> Model { Model(id: id, name: String(repeating: "x", count: id % 5)) }

    private func content() async throws -> Content {
        var content = Content()
        for row in try await store.rows(RowQuery(), of: nil, kind: "model") {
            content.models[try #require(Int(row.key.id))] = row
        }
        for row in try await store.rows(RowQuery(), of: nil, kind: "model/list") { content.lists[row.key] = row }
        return content
    }

    /// Who observes by what is kept, each after the first snapshot.
    private struct Observers {
        private var iterators: [SnapshotSequence<Model>.AsyncIterator] = []
        private var lists: [(page: Page, iterator: SnapshotSequence<[Model]>.AsyncIterator, hasValue: Bool)] = []

        init(_ repository: StoredRepository<Model>, _ ids: [Int], _ pages: [Page]) async {
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
