import Foundation
import Testing
import Wharf
import WharfChecks
import WharfFakes
import WharfSQLite
import WharfTestServer

@Suite struct StackTests {
    private struct Note: Codable, Sendable, Equatable, Identifiable {
        let id: Int
        let text: String
    }

    private static func notes(_ stack: WharfStack) -> Repository<Note> {
        stack.repository(at: "notes", payload: Note.self) { $0 }
    }

    @Test func repositoriesOfOnePathAreSharedUntilClosed() async throws {
        let stack = try await WharfStack.live(.init(baseURL: "http://127.0.0.1:1", cache: .memory(), retry: .never))
        let notes = Self.notes(stack)
        #expect(Self.notes(stack) === notes)
        notes.close()
        #expect(Self.notes(stack) !== notes)
        await stack.close()
    }

    @Test func anObservedRepositoryIsSharedAndClosedWithItsStack() async throws {
        let stack = try await WharfStack.live(.init(baseURL: "http://127.0.0.1:1", cache: .memory(), retry: .never))
        weak var observed: Repository<Note>?
        var snapshots = {
            let notes = Self.notes(stack)
            observed = notes
            return notes.observe(id: 1).makeAsyncIterator()
        }()
        _ = await snapshots.next(isolation: nil)
        #expect(observed != nil && Self.notes(stack) === observed)
        await stack.close()
        while await snapshots.next(isolation: nil) != nil {}
    }

    @Test func unusedRepositoryIsReleased() async throws {
        let stack = try await WharfStack.live(.init(baseURL: "http://127.0.0.1:1", cache: .memory(), retry: .never))
        weak var observed: Repository<Note>?
        do {
            let notes = Self.notes(stack)
            observed = notes
            var snapshots = notes.observe(id: 1).makeAsyncIterator()
            _ = await snapshots.next(isolation: nil)
        }
        // Tasks of the observer may end after it has stopped.
        await waitUntil { observed == nil }
        await stack.close()
    }

    @Test func repositoriesOfOtherKindsOrPathsAreSeparate() async throws {
        let stack = try await WharfStack.live(.init(baseURL: "http://127.0.0.1:1", cache: .memory(), retry: .never))
        let notes = Self.notes(stack)
        let kept = stack.repository(EntityKind("note", codec: .json), at: "notes", payload: Note.self) { $0 }
        let edited = stack.repository(at: "notes", payload: Note.self) {
            $0
        } payloadOf: {
            $0
        }
        #expect(notes !== kept && kept !== edited && notes !== edited)
        #expect(stack.repository(at: "other", payload: Note.self) { $0 } !== notes)
        await stack.close()
    }

    @Test func repositoryWithoutAStoreRefusesAChange() async throws {
        let stack = try await WharfStack.live(.init(baseURL: "http://127.0.0.1:1", cache: .memory(), retry: .never))
        await #expect {
            try await Self.notes(stack).edit(1) { $0 = Note(id: 1, text: "mine") }
        } throws: { error in
            (error as? WriteFailure)?.code == .unsupported
        }
        await stack.close()
    }

    @Test func cachedAnswerServesTheNextStackWhenTheServiceIsDown() async throws {
        try await TemporaryFolder.run { folder in
            try await TestServer.run { server in
                server.route(.get, "/notes/1", .json(#"{"id": 1, "text": "kept"}"#).maxAge(0).etag("\"1\""))
                let cache = CacheLocation.file(folder["deep/cache.sqlite"])
                let first = try await WharfStack.live(.init(baseURL: server.baseURL, cache: cache, retry: .never))
                #expect(first.cachePath == folder["deep/cache.sqlite"])
                #expect(try await Self.notes(first).get(id: 1).text == "kept")
                await first.close()
                await server.stop()

                let second = try await WharfStack.live(.init(baseURL: server.baseURL, cache: cache, retry: .never))
                let answer = await Self.notes(second).snapshot(id: 1)
                await second.close()
                #expect(answer.value == Note(id: 1, text: "kept"))
                #expect(answer.kept?.source == .httpCache)
                #expect(answer.error?.code == .connectionFailed)
            }
        }
    }

    @Test func lastGoodModelSurvivesARestartAndAnUndecodableAnswer() async throws {
        try await TemporaryFolder.run { folder in
            try await TestServer.run { server in
                server.route(.get, "/notes/1", .json(#"{"id": 1, "text": "good"}"#).maxAge(0))
                for round in 1...2 {
                    let file = try await SQLiteDataFile.open(at: folder["data.sqlite"])
                    let stack = try await WharfStack.live(
                        .init(
                            baseURL: server.baseURL, account: Account("ann"), cache: .file(folder["cache.sqlite"]),
                            entities: SQLiteEntityStore(file), retry: .never))
                    let notes = stack.repository(
                        EntityKind("note", codec: .json), at: "notes", payload: Note.self, mapping: { $0 })
                    let answer = await notes.snapshot(id: 1, policy: .networkFirst)
                    #expect(answer.value == Note(id: 1, text: "good"))
                    #expect(answer.kept?.source == (round == 1 ? .network : .store))
                    #expect(answer.error?.code == (round == 1 ? nil : .undecodable))
                    await stack.close()
                    try await file.close()
                    // The new payload can't be decoded, and replaces the good answer in the
                    // response cache.
                    server.route(.get, "/notes/1", .json(#"{"id": 1, "text": null}"#).maxAge(0))
                }
            }
        }
    }

    @Test func aCacheThatCanNotBeOpenedDoesNotKeepTheAppFromReading() async throws {
        try await TemporaryFolder.run { folder in
            try Data("a file, not a folder".utf8).write(to: URL(filePath: folder["blocked"]))
            try await TestServer.run { server in
                server.route(.get, "/notes/1", .json(#"{"id": 1, "text": "read"}"#))
                let incidents = IncidentLog()
                var configuration = WharfStack.Configuration(
                    baseURL: server.baseURL, cache: .file(folder["blocked/cache.sqlite"]))
                configuration.onIncident = incidents.handler
                let stack = try await WharfStack.live(configuration)
                let note = try await Self.notes(stack).get(id: 1)
                await stack.close()
                #expect(note.text == "read")
                #expect(stack.cachePath == nil)
                #expect(incidents.codes == [.storeUnavailable])
            }
        }
    }

    @Test func oneAccountNeverSeesWhatAnotherRead() async throws {
        try await TemporaryFolder.run { folder in
            try await TestServer.run { server in
                server.route(.get, "/notes/1") { request in
                    .json(#"{"id": 1, "text": "\#(request.fields[.authorization] ?? "nobody")"}"#).maxAge(86_400)
                }
                var texts: [String] = []
                for name in ["ada", "bob", "ada"] {
                    var configuration = WharfStack.Configuration(
                        baseURL: server.baseURL, account: Account(name), cache: .file(folder["cache.sqlite"]))
                    configuration.fields = [.authorization: name]
                    let stack = try await WharfStack.live(configuration)
                    texts.append(try await Self.notes(stack).get(id: 1).text)
                    await stack.close()
                }
                #expect(texts == ["ada", "bob", "ada"])
                #expect(server.requests.count == 2)
            }
        }
    }

    @Test func answersToCredentialsWithoutAnAccountAreNotCached() async throws {
        try await TestServer.run { server in
            server.route(.get, "/notes/1", .json(#"{"id": 1, "text": "secret"}"#).maxAge(86_400))
            var configuration = WharfStack.Configuration(baseURL: server.baseURL, cache: .memory())
            configuration.fields = [.authorization: "token"]
            let stack = try await WharfStack.live(configuration)
            let request = Request<Note>.get("notes/1")
            _ = await stack.client.snapshot(request)
            let kept = await stack.client.snapshot(request, policy: .cacheOnly)
            await stack.close()
            #expect(kept.kept == nil && kept.error?.code == .nothingKept)
        }
    }

    @Test func aClosedStackReadsNoMore() async throws {
        try await TestServer.run { server in
            server.route(.get, "/notes/1", .hanging)
            let stack = try await WharfStack.live(.init(baseURL: server.baseURL, cache: .memory(), retry: .never))
            let notes = Self.notes(stack)
            async let underWay = notes.snapshot(id: 1)
            _ = try await server.request(1)
            await stack.close()
            let cancelled = await underWay
            let late = await notes.snapshot(id: 1)
            #expect(cancelled.error?.code == .cancelled)
            #expect(late.error?.code == .closed)
            #expect(server.requests.count == 1)
        }
    }

    @Test func stackUsesItsGivenTransportUntilClosed() async throws {
        let transport = StubTransport([
            .ok(#"{"id": 1, "text": "scripted"}"#, fields: [.contentType: "application/json"])
        ])
        var configuration = WharfStack.Configuration(
            baseURL: "https://api.example.com", cache: .memory(), retry: .never)
        configuration.transport = transport
        let stack = try await WharfStack.live(configuration)
        #expect(await stack.client.snapshot(Request<Note>.get("notes/1")).value?.text == "scripted")
        await stack.close()
        let late = await stack.client.snapshot(Request<Note>.get("notes/2"))
        #expect(late.error?.code == .cancelled)
        #expect(transport.requests.count == 1)
    }

    @Test(arguments: ["", "api.example.com", "ftp://example.com", "https://user:secret@example.com"])
    func invalidBaseURLIsRefusedWithoutRevealingSecrets(baseURL: String) async throws {
        await #expect { try await WharfStack.live(.init(baseURL: baseURL, cache: .memory())) } throws: { error in
            let failure = error as? ReadFailure
            return failure?.code == .invalidRequest && failure?.message.contains("secret") == false
        }
    }
}
