import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfOutbox
import WharfRepository
import WharfStorage
import WharfStores

/// Edits that are pending while an update of the app changes the schema of their kind.
struct SchemaChangeTests {
    private struct Memo: Identifiable, Hashable, Sendable {
        let id: Int
        var title: String
        var body: String?
    }

    /// The member `body` is called `note` in schema 1. A missing member has no line.
    private static func kind(_ schema: Int) -> EntityKind<Memo> {
        let name = schema == 1 ? "note" : "body"
        let codec = Codec<Memo>(schema: schema, members: .lines) { memo in
            let lines = ["id=\(memo.id)", "title=\(memo.title)"] + (memo.body.map { ["\(name)=\($0)"] } ?? [])
            return Array(lines.joined(separator: "\n").utf8)
        } decode: { bytes, schema in
            let pairs = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { $0.split(separator: "=") }
            let values = Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], String($0[1])) })
            guard let id = values["id"].flatMap({ Int($0) }), let title = values["title"] else {
                throw Unreadable(bytes: bytes)
            }
            return Memo(id: id, title: title, body: values[schema == 1 ? "note" : "body"])
        }
        return EntityKind("memo", codec: codec)
    }

    private struct Unreadable: Error {
        let bytes: [UInt8]
    }

    @Test func anEditOfTheOldSchemaArrivesWithItsMembers() async throws {
        let clock = TestClock()
        let service = ScriptedOrigin([Memo(id: 1, title: "one")], clock: clock.wall)
        let store = MemoryWriteStore()
        for schema in 1...2 {
            let outbox = OutboxEngine(
                store: store,
                configuration: .init(connectivity: TestConnectivity(isOnline: true), clock: clock.wall, timer: clock))
            let memos = Repository(
                Self.kind(schema), in: store, remote: service.source, outbox: outbox,
                configuration: .init(clock: clock.wall, timer: clock))
            outbox.start()
            if schema == 1 {
                _ = try await memos.list()
                try await memos.edit(1) { $0.body = "mine" }
            } else {
                service.put(Memo(id: 1, title: "theirs"))
                outbox.register(try #require(memos.destination))
                try await waitUntil { try await store.counts(of: nil).pending.isEmpty }
            }
            memos.close()
            await outbox.close()
        }
        #expect(service.models == [Memo(id: 1, title: "theirs", body: "mine")])
    }
}
