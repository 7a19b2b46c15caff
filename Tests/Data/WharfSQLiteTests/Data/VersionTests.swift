import Foundation
import Testing
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRandom
import WharfStorage

@testable import WharfSQLite

/// Versions and feeds of two files open on one path, as in two processes.
@Suite struct VersionTests {
    private let folder: Scratch
    private let clock = TestClock()
    private static let interval = Duration.seconds(3)

    init() throws { folder = try Scratch() }

    private func open() async throws -> SQLiteDataFile {
        try await SQLiteDataFile.open(at: folder.path("data.sqlite"), pollInterval: Self.interval, clock: clock)
    }

    private func tick() async {
        await clock.untilSleeping()
        clock.advance(by: Self.interval)
    }

    @Test func feedReportsForeignCommitsAtTheNextPoll() async throws {
        let (mine, other) = (try await open(), try await open())
        let store = SQLiteEntityStore(mine)
        var feed = store.changes(of: nil, since: .none).makeAsyncIterator()
        try await store.commit([.put(.note("x"))])
        #expect(await feed.next() == .changes([.note("x"): put(1)], reached: StoreVersion(1)))
        try await SQLiteEntityStore(other).commit([.put(.note("y"))])
        try await SQLiteEntityStore(other).commit([.remove(.note("x")), .put(.note("y"))])
        await tick()
        #expect(
            await feed.next() == .changes([.note("x"): removal(3), .note("y"): put(3)], reached: StoreVersion(3)))
        try await SQLiteEntityStore(other).removeAll(of: nil)
        await tick()
        #expect(await feed.next() == .everything(reached: StoreVersion(4)))
        try await mine.close()
        #expect(await feed.next() == nil)
        try await other.close()
    }

    @Test func feedReportsOwnCommitTogetherWithForeignOnes() async throws {
        let (mine, other) = (try await open(), try await open())
        let (store, feed) = (SQLiteEntityStore(mine), SQLiteEntityStore(mine).changes(of: nil, since: .none))
        try await store.commit([.put(.note("1"))])
        #expect(await next(feed) == .changes([.note("1"): put(1)], reached: StoreVersion(1)))
        try await SQLiteEntityStore(other).commit([.put(.note("2"))])
        try await store.commit([.put(.note("3"))])
        #expect(
            await next(feed) == .changes([.note("2"): put(2), .note("3"): put(3)], reached: StoreVersion(3)))
        try await mine.close()
        try await other.close()
    }

    @Test func feedGapOfTooManyKeysIsReportedAsEverything() async throws {
        let file = try await open()
        let store = SQLiteEntityStore(file)
        try await store.commit([.put(.note("x"))])
        for batch in 0..<11 { try await store.commit((0..<1_000).map { .put(.note("\(batch)-\($0)")) }) }
        #expect(await next(store.changes(of: nil, since: StoreVersion(1))) == .everything(reached: StoreVersion(12)))
        let since = await next(store.changes(of: nil, since: StoreVersion(11)))
        guard case .changes(let changes, _)? = since else {
            Issue.record("told \(String(describing: since))")
            return
        }
        #expect(changes.count == 1_000)
        try await file.close()
    }

    /// A mirror reads the keys of each feed element. It finds the state at the element's version or
    /// a later one.
    @Test(arguments: 1...6 as ClosedRange<UInt64>) func mirrorOfAFeedFollowsAllCommits(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let (mine, other) = (try await open(), try await open())
        let (store, writers) = (SQLiteEntityStore(mine), [SQLiteEntityStore(mine), SQLiteEntityStore(other)])
        var mirror: [EntityKey: EntityState] = [:]
        var reached = StoreVersion.none
        var feed = store.changes(of: nil, since: .none)
        for round in 0..<60 {
            for _ in 0...Int(random.next() % 3) {
                let key = EntityKey.note("\(random.next() % 20)")
                let change: EntityChange =
                    random.next() % 3 == 0 ? .remove(key) : .put(.note(key.id, [UInt8(random.next() % 256)]))
                try await writers[Int(random.next() % 2)].commit([change])
            }
            if random.next() % 12 == 0 { try await writers[Int(random.next() % 2)].removeAll(of: nil) }
            if random.next() % 5 == 0 { feed = store.changes(of: nil, since: reached) }
            if random.next() % 2 == 0 { continue }
            // Every change committed before this read is announced after it.
            _ = try await store.row(.note("any"))
            while let element = await next(feed) {
                #expect(element.reached > reached, "seed \(seed), round \(round)")
                reached = element.reached
                switch element {
                case .changes(let changes, _):
                    let states = try await store.states(of: Array(changes.keys)).states
                    for (key, change) in changes {
                        #expect(try #require(states[key]).version >= change.version)
                        mirror[key] = states[key]
                    }
                case .everything:
                    mirror = [:]
                    for state in try await store.states(RowQuery(), of: nil, kind: "note").states {
                        mirror[try #require(state.row).key] = state
                    }
                }
            }
            let list = try await store.states(RowQuery(), of: nil, kind: "note")
            #expect(reached == list.version, "seed \(seed), round \(round)")
            let isSame = Set(mirror.values.filter { $0.row != nil }) == Set(list.states)
            #expect(isSame, "seed \(seed), round \(round)")
        }
        try await mine.close()
        try await other.close()
    }

    @Test func twoProcessesLoseNoIncrement() async throws {
        let (mine, other) = (try await open(), try await open())
        let stores = [SQLiteEntityStore(mine), SQLiteEntityStore(other)]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask {
                    for _ in 0..<25 { try await EntityStoreLaws.addOne(to: .note("count"), in: stores[task % 2]) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await stores[0].row(.note("count"))?.bytes == [100])
        #expect(try await stores[1].states(of: [.note("count")]).versions == [nil: StoreVersion(100)])
        try await mine.close()
        try await other.close()
    }

    @Test func purgeKeepsTheVersionButNoName() async throws {
        let file = try await open()
        let (store, gone) = (SQLiteEntityStore(file), Account("mark-of-account"))
        try await store.commit([.put(.note("mark-of-id", of: gone)), .remove(.note("mark-of-id-2", of: gone))])
        let version = try await store.removeAll(of: gone)
        #expect(version == StoreVersion(2))
        for name in try folder.names {
            #expect(try folder.contents(name).range(of: Data("mark-of".utf8)) == nil, "\(name)")
        }
        #expect(try await store.state(of: .note("any", of: gone)).version == version)
        try await file.close()
    }

    @Test func puttingARemovedRowAgainClearsItsTombstone() async throws {
        let file = try await open()
        let store = SQLiteEntityStore(file)
        for _ in 0..<3 {
            try await store.commit([.remove(.note("1")), .remove(.note("2"))])
            try await store.commit([.put(.note("1"))])
        }
        #expect(try folder.count("SELECT count(*) FROM tombstone", in: "data.sqlite") == 1)
        try await file.close()
    }

    private func put(_ version: Int64) -> EntityFeed.Change { .init(version: StoreVersion(version), isRemoval: false) }
    private func removal(_ version: Int64) -> EntityFeed.Change {
        .init(version: StoreVersion(version), isRemoval: true)
    }

    /// The element announced so far, or nil if there is none.
    private func next(_ feed: EntityFeed) async -> EntityFeed.Element? { await EntityStoreLaws.next(feed) }
}
