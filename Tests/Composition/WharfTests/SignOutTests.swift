import Foundation
import Testing
import Wharf
import WharfChecks
import WharfFakes
import WharfSQLite
import WharfStorage
import WharfTestServer

/// The data of an account that is left on the disk when it signs out.
@Suite struct SignOutTests {
    private struct Note: Codable, Sendable, Equatable, Identifiable {
        let id: Int
        let text: String
    }

    private let kind = EntityKind<Note>("note", codec: .json)

    /// Reads each kind of data of one account once from the network, and signs out with the policy.
    private func visit(
        _ name: String, _ server: TestServer, _ folder: TemporaryFolder, _ policy: SignOutPolicy
    ) async throws -> Note {
        let file = try await SQLiteDataFile.open(at: folder["data.sqlite"])
        var configuration = WharfStack.Configuration(
            baseURL: server.baseURL, account: Account(name), cache: .file(folder["cache.sqlite"]),
            entities: SQLiteEntityStore(file))
        configuration.fields = [.authorization: name]
        let stack = try await WharfStack.live(configuration)
        let notes = stack.repository(kind, at: "notes", payload: Note.self) { $0 }
        let note = try await notes.get(id: 1)
        try await stack.signOut(policy)
        try await file.close()
        return note
    }

    private func bytes(in folder: TemporaryFolder) throws -> Data {
        Data(try folder.names.flatMap { try folder.bytes(of: $0) })
    }

    @Test func aPurgeLeavesNoByteOfTheAccountAndAllOfTheOthers() async throws {
        try await TemporaryFolder.run { folder in
            try await TestServer.run { server in
                server.route(.get, "/notes/1") { request in
                    .json(#"{"id": 1, "text": "secret-of-\#(request.fields[.authorization] ?? "nobody")"}"#).maxAge(
                        86_400)
                }
                _ = try await visit("ann", server, folder, .keep)
                _ = try await visit("bob", server, folder, .keep)
                #expect(try bytes(in: folder).range(of: Data("secret-of-ann".utf8)) != nil)
                _ = try await visit("ann", server, folder, .purge)
                #expect(try bytes(in: folder).range(of: Data("secret-of-ann".utf8)) == nil)
                #expect(try bytes(in: folder).range(of: Data("secret-of-bob".utf8)) != nil)
                #expect(server.requests.count == 2)
                #expect(try await visit("bob", server, folder, .keep).text == "secret-of-bob")
                #expect(server.requests.count == 2)
                #expect(try await visit("ann", server, folder, .keep).text == "secret-of-ann")
                #expect(server.requests.count == 3)
            }
        }
    }

    /// A decorator may change the names of accounts, as an encrypted store does.
    @Test func purgeGoesThroughTheDecoratorOfTheCache() async throws {
        try await TemporaryFolder.run { folder in
            try await TestServer.run { server in
                server.route(.get, "/notes/1", .json(#"{"id": 1, "text": "secret"}"#).maxAge(86_400))
                var configuration = WharfStack.Configuration(
                    baseURL: server.baseURL, account: Account("ann"), cache: .file(folder["cache.sqlite"]))
                configuration.cacheDecorator = { RenamingStore(base: $0) }
                // Kept, found, purged, and read again.
                for (policy, requests) in [(SignOutPolicy.keep, 1), (.purge, 1), (.keep, 2)] {
                    let stack = try await WharfStack.live(configuration)
                    _ = try await stack.repository(kind, at: "notes", payload: Note.self) { $0 }.get(id: 1)
                    try await stack.signOut(policy)
                    #expect(server.requests.count == requests)
                }
            }
        }
    }

    @Test func purgeRemovesTheFileOfABodyThatIsStillRead() async throws {
        try await TemporaryFolder.run { folder in
            var configuration = WharfStack.Configuration(
                baseURL: "https://api.test", account: Account("ann"), cache: .file(folder["cache.sqlite"]))
            let head = HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=86400"])
            configuration.transport = StubTransport { _ in
                StubAnswer(head: head, chunks: [Array(repeating: 1, count: 300_000), [2]])
            }
            let stack = try await WharfStack.live(configuration)
            let answer = try await stack.client.transport.send(
                TransportRequest(
                    HTTPRequest(method: .get, scheme: "https", authority: "api.test", path: "/video"),
                    account: Account("ann")))
            var reader = answer.body.makeAsyncIterator()
            #expect(try await reader.next()?.count == 300_000)
            let files = { try FileManager.default.contentsOfDirectory(atPath: folder["cache.sqlite-bodies"]) }
            #expect(try files().count == 1)
            try await stack.signOut(.purge)
            #expect(try files() == [])
            // The read goes on, and stores nothing.
            #expect(try await reader.next() == [2])
            #expect(try await reader.next() == nil)
            #expect(try files() == [])
        }
    }

    @Test func failedPurgeThrowsAndStillErasesTheCache() async throws {
        try await TemporaryFolder.run { folder in
            try await TestServer.run { server in
                server.route(.get, "/notes/1", .json(#"{"id": 1, "text": "secret"}"#).maxAge(86_400))
                let file = try await SQLiteDataFile.open(at: folder["data.sqlite"])
                let stack = try await WharfStack.live(
                    .init(
                        baseURL: server.baseURL, account: Account("ann"), cache: .file(folder["cache.sqlite"]),
                        entities: SQLiteEntityStore(file)))
                _ = try await stack.repository(kind, at: "notes", payload: Note.self) { $0 }.get(id: 1)
                // A closed file can't remove the data of the models, but the responses can be
                // removed.
                try await file.close()
                let error = await #expect(throws: StoreError.self) { try await stack.signOut(.purge) }
                #expect(error?.code == .closed)
                let cached = try Data(contentsOf: URL(filePath: folder["cache.sqlite"]))
                #expect(cached.range(of: Data("secret".utf8)) == nil)
                await #expect(throws: StoreError.self) { try await stack.signOut(.purge) }
            }
        }
    }

    /// A source that ignores cancellation.
    private func late(_ gate: Gate) -> RemoteSource<Note> {
        let clock = TestClock()
        return RemoteSource { id, _ in
            await gate.pass()
            return Snapshot(kept: .init(value: Note(id: id, text: "late"), source: .network, asOf: clock.wall.now()))
        }
    }

    @Test(arguments: [SignOutPolicy.keep, .purge])
    func lateAnswerIsStoredOnlyIfSignOutKeepsData(policy: SignOutPolicy) async throws {
        let (store, gate) = (MemoryEntityStore(), Gate())
        defer { gate.open() }
        let stack = try await WharfStack.live(
            .init(baseURL: "http://127.0.0.1:1", account: Account("ann"), cache: .memory(), entities: store))
        let source = late(gate)
        let notes = stack.repository(kind, source)
        let read = Task { await notes.snapshot(id: 1) }
        await gate.arrivals()
        try await stack.signOut(policy)
        gate.open()
        _ = await read.value
        let rows = try await store.rows(RowQuery(), of: Account("ann"), kind: "note")
        #expect(rows.count == (policy == .keep ? 1 : 0))
        // The same holds for a repository that is made after the sign-out.
        let after = stack.repository(kind, source)
        await after.receive(Note(id: 2, text: "pushed"))
        let both = try await store.rows(RowQuery(), of: Account("ann"), kind: "note")
        #expect(both.count == (policy == .keep ? 2 : 0))
        if policy == .purge {
            await #expect(throws: StoreError.self) { try await notes.invalidateAll() }
            await #expect(throws: StoreError.self) { try await notes.evict(EvictionLimits(count: 0)) }
        }
    }

    @Test func releasedRepositoryWritesNothingAfterAPurge() async throws {
        let (store, gate) = (MemoryEntityStore(), Gate())
        defer { gate.open() }
        let stack = try await WharfStack.live(
            .init(baseURL: "http://127.0.0.1:1", account: Account("ann"), cache: .memory(), entities: store))
        let source = late(gate)
        let kind = kind
        let read = Task { await stack.repository(kind, source).snapshot(id: 1) }
        await gate.arrivals()
        try await stack.signOut(.purge)
        gate.open()
        _ = await read.value
        #expect(try await store.rows(RowQuery(), of: Account("ann"), kind: "note").isEmpty)
    }

    @Test func repositoriesUseTheConnectivityOfTheirStack() async throws {
        let network = TestConnectivity()
        network.turn(online: false)
        var configuration = WharfStack.Configuration(baseURL: "http://127.0.0.1:1", cache: .memory(), retry: .never)
        configuration.connectivity = network
        let stack = try await WharfStack.live(configuration)
        let stored = stack.repository(kind, at: "notes", payload: Note.self) { $0 }
        let remote = stack.repository(at: "notes", payload: Note.self) { $0 }
        #expect(await stored.snapshot(id: 1).error?.code == .offline)
        #expect(await remote.snapshot(id: 1).error?.code == .offline)
        await stack.close()
    }
}

/// Keeps responses under other names of their accounts.
private struct RenamingStore: CacheStore {
    let base: any CacheStore

    private func renamed(_ account: Account?) -> Account? { account.map { Account("masked " + $0.name) } }

    private func renamed(_ key: CacheKey) -> CacheKey {
        var key = key
        key.account = renamed(key.account)
        return key
    }

    func lookup(
        _ key: CacheKey, select: @Sendable ([StoredResponse]) -> CacheSelection?
    ) async throws(StoreError) -> CacheLookup {
        try await base.lookup(renamed(key), select: select)
    }

    func begin(_ key: CacheKey, _ head: StoredHead) async throws(StoreError) -> any CacheWriter {
        try await base.begin(renamed(key), head)
    }

    func update(_ id: StoredResponse.ID, under key: CacheKey, to head: StoredHead) async throws(StoreError) {
        try await base.update(id, under: renamed(key), to: head)
    }

    func remove(_ id: StoredResponse.ID, under key: CacheKey) async throws(StoreError) {
        try await base.remove(id, under: renamed(key))
    }

    func removeAll(under key: CacheKey) async throws(StoreError) { try await base.removeAll(under: renamed(key)) }

    func removeAll(of account: Account?) async throws(StoreError) { try await base.removeAll(of: renamed(account)) }
}
