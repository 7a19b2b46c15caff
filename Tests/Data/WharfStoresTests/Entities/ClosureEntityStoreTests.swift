import Synchronization
import Testing
import WharfCore
import WharfCoreLaws
import WharfStorage
import WharfStores

@Suite struct ClosureEntityStoreTests {
    private struct Refused: Error {}
    private let key = EntityKey(kind: "note", id: "1")

    private func refusing(with error: any Error) -> ClosureEntityStore {
        ClosureEntityStore { _, _ in
            throw error
        } commit: { _ in
            throw error
        } removeAll: { _ in
            throw error
        }
    }

    @Test func anErrorOfTheAppComesWithItsCause() async throws {
        let store = refusing(with: Refused())
        func isRefused(_ error: any Error) -> Bool {
            guard let error = error as? StoreError else { return false }
            return error.code == .failed && error.cause is Refused
        }
        await #expect { try await store.row(key) } throws: { isRefused($0) }
        await #expect { try await store.rows(RowQuery(), of: nil, kind: "note") } throws: { isRefused($0) }
        await #expect { try await store.commit([.remove(key)]) } throws: { isRefused($0) }
        await #expect { try await store.removeAll(of: nil) } throws: { isRefused($0) }
    }

    @Test func anErrorOfAStoreComesAsItIs() async throws {
        let store = refusing(with: StoreError(.full, message: "no room"))
        await #expect { try await store.commit([.remove(key)]) } throws: { ($0 as? StoreError)?.code == .full }
        let cancelled = refusing(with: CancellationError())
        await #expect { try await cancelled.row(key) } throws: { ($0 as? StoreError)?.code == .cancelled }
    }

    @Test func changeOutsideTheStoreReachesSubscribers() async throws {
        let reported = EntityChangeReporter()
        let store = ClosureEntityStore.dictionary(reporter: reported)
        var changes = store.changes(of: nil, kind: "note", since: nil).makeAsyncIterator()
        reported.tellAll { _ in true }
        #expect(await changes.next(isolation: #isolation)?.reported == .all)
    }

    @Test func aChangeThatTheAppReportsGetsAVersion() async throws {
        let reported = EntityChangeReporter()
        let store = ClosureEntityStore.dictionary(reporter: reported)
        let row = EntityRow(key: key, bytes: [7], asOf: WallTime(nanoseconds: 1))
        let first = try await store.state(of: key).version
        reported.tell([key])
        let refused = try await store.commit([.put(row)], expecting: [key: first])
        #expect(refused == .refused([key: EntityState(row: nil, version: first.next)]))
        #expect(try await store.commit([.put(row)], expecting: [key: first.next]) == .committed([nil: StoreVersion(2)]))
        reported.tellAll { _ in true }
        let state = try await store.state(of: key)
        #expect(state == EntityState(row: row, version: StoreVersion(3)))
        let element = await EntityStoreLaws.next(store.changes(of: nil, since: StoreVersion(2)))
        #expect(element == .everything(reached: StoreVersion(3)))
    }

    @Test func storesWithSharedSubscriptionsShareVersions() async throws {
        let reported = EntityChangeReporter()
        let stores = [1, 2].map { _ in ClosureEntityStore.dictionary(reporter: reported) }
        let row = EntityRow(key: key, bytes: [7], asOf: WallTime(nanoseconds: 1))
        try await stores[0].commit([.put(row)])
        #expect(try await stores[1].state(of: key) == EntityState(row: nil, version: StoreVersion(1)))
        #expect(try await stores[0].state(of: key) == EntityState(row: row, version: StoreVersion(1)))
    }

    @Test func appClosuresAnswerSingleRowsAndQueries() async throws {
        let row = EntityRow(key: key, bytes: [7], asOf: WallTime(nanoseconds: 1))
        let store = ClosureEntityStore(
            configuration: .init(
                row: { $0 == row.key ? row : nil }, query: { query, _, _ in query.limit == 1 ? [row] : [] }),
            allRows: { _, _ in throw Refused() }, commit: { _ in }, removeAll: { _ in })
        #expect(try await store.row(key) == row)
        #expect(try await store.rows(RowQuery(limit: 1), of: nil, kind: "note") == [row])
    }

    /// An app may store its own objects: a row is taken apart, and rebuilt when it is read.
    @Test func rowRoundTripsThroughObjectsOfTheApp() async throws {
        struct Note: Identifiable, Sendable {
            let id: Int
            let text: String
        }
        let kind = EntityKind<Note>(
            "note",
            codec: Codec<String>.text.map(to: { Note(id: $0.count, text: $0) }, from: \.text),
            indexes: [Field<Note, String>("text", \.text).index])
        let objects = Mutex<[(text: String, asOf: WallTime, validator: String?)]>([])
        let store = ClosureEntityStore { account, _ in
            try objects.withLock { objects in
                try objects.map {
                    try kind.row(
                        Note(id: $0.text.count, text: $0.text), of: account, asOf: $0.asOf, validator: $0.validator)
                }
            }
        } commit: { changes in
            for case .put(let row) in changes {
                let note = try kind.model(row)
                objects.withLock { $0.append((note.text, row.asOf, row.validator)) }
            }
        } removeAll: { _ in
        }
        var row = EntityRow(
            key: EntityKey(kind: "note", id: "4"), bytes: Array("milk".utf8), asOf: WallTime(nanoseconds: 7),
            fields: ["text": FieldValue("milk")])
        row.validator = "\"1\""
        try await store.commit([.put(row)])
        #expect(try await store.row(row.key) == row)
    }
}
