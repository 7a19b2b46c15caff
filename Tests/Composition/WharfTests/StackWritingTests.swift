import Synchronization
import Testing
import Wharf
import WharfChecks
import WharfFakes
import WharfSQLite
import WharfStorage
import WharfTestServer

/// A stack whose repositories write to a service with entity tags, over HTTP.
struct StackWritingTests {
    struct Note: Codable, Sendable, Equatable, Identifiable {
        let id: Int
        var title: String
        var tags: [String: Int] = [:]
    }

    /// Notes by id, each with its version.
    private final class Notebook: Sendable {
        private let notes: Mutex<[Int: (body: String, version: Int)]>
        private let givesTags: Bool

        init(_ notes: [Int: String], givesTags: Bool = true) {
            self.notes = Mutex(notes.mapValues { ($0, 1) })
            self.givesTags = givesTags
        }

        private func answer(_ body: String, _ version: Int) -> TestResponse {
            givesTags ? .json(body).etag("\"\(version)\"") : .json(body)
        }

        func put(_ id: Int, _ body: String) -> Int {
            notes.withLock { notes in
                let version = (notes[id]?.version ?? 0) + 1
                notes[id] = (body, version)
                return version
            }
        }

        func serve(_ server: TestServer) {
            server.route(.get, "/notes/:id") { [self] request in
                guard let id = request.id, let note = notes.withLock({ $0[id] }) else { return .status(.notFound) }
                return answer(note.body, note.version).maxAge(60)
            }
            server.route(.put, "/notes/:id") { [self] request in
                guard let id = request.id, let note = notes.withLock({ $0[id] }) else { return .status(.notFound) }
                if let tag = request.fields[.ifMatch], tag != "\"\(note.version)\"" {
                    return .status(.preconditionFailed)
                }
                let body = String(decoding: request.body, as: UTF8.self)
                return answer(body, put(id, body))
            }
            server.route(.delete, "/notes/:id") { [self] request in
                if let id = request.id { notes.withLock { _ = $0.removeValue(forKey: id) } }
                return .status(.noContent)
            }
            server.route(.post, "/notes") { [self] request in
                _ = put(9, #"{"id": 9, "title": "named by the service", "tags": {}}"#)
                return .json(#"{"id": 9, "title": "named by the service", "tags": {}}"#, status: .created)
            }
        }
    }

    private static func notes(_ stack: WharfStack) -> Repository<Note> {
        stack.repository(at: "notes", payload: Note.self) {
            $0
        } payloadOf: {
            $0
        }
    }

    private static func stack(
        _ server: TestServer, entities: any EntityStore = MemoryEntityStore()
    ) async throws -> WharfStack {
        try await WharfStack.live(.init(baseURL: server.baseURL, cache: .memory(), entities: entities, retry: .never))
    }

    @Test func editIsAPutWithTheEntityTagOfItsBase() async throws {
        try await TestServer.run { server in
            Notebook([1: #"{"id": 1, "title": "one", "tags": {}}"#]).serve(server)
            let stack = try await Self.stack(server)
            let notes = Self.notes(stack)
            let note = try await notes.get(id: 1)
            var (edited, again) = (note, note)
            edited.title = "edited"
            #expect(try await notes.edit(edited, basedOn: note).delivery() == .delivered(edited))
            again.title = "again"
            #expect(try await notes.edit(again, basedOn: edited).delivery() == .delivered(again))
            let puts = server.requests.filter { $0.method == .put }
            #expect(puts.map { $0.fields[.ifMatch] } == ["\"1\"", "\"2\""])
            #expect(puts.first?.fields[.contentType] == "application/json")
            #expect(try await notes.get(id: 1, policy: .networkOnly) == again)
            await stack.close()
        }
    }

    @Test func addedModelTakesTheServicesIDAndDeletedOneIsGone() async throws {
        try await TestServer.run { server in
            Notebook([1: #"{"id": 1, "title": "one", "tags": {}}"#]).serve(server)
            let stack = try await Self.stack(server)
            let notes = Self.notes(stack)
            let named = Note(id: 9, title: "named by the service")
            #expect(try await notes.add(Note(id: 0, title: "new")).delivery() == .delivered(named))
            #expect(await notes.snapshot(id: 9, policy: .cacheOnly).value == named)
            #expect(await notes.snapshot(id: 0, policy: .cacheOnly).value == nil)
            _ = try await notes.get(id: 1)
            #expect(try await notes.delete(id: 1).delivery() == .delivered(nil))
            #expect(await notes.snapshot(id: 1).error?.response?.status == .notFound)
            #expect(server.requests.filter { $0.method == .delete }.map { $0.fields[.ifMatch] } == ["\"1\""])
            await stack.close()
        }
    }

    /// A form is open while the other client edits. The model is refreshed in the meantime, or not.
    @Test(arguments: [true, false], [true, false])
    func twoClientsKeepEachOthersMembers(givesTags: Bool, isRefreshed: Bool) async throws {
        try await TestServer.run { server in
            Notebook([1: #"{"id": 1, "title": "one", "tags": {}}"#], givesTags: givesTags).serve(server)
            let stacks = (try await Self.stack(server), try await Self.stack(server))
            let (ann, bob) = (Self.notes(stacks.0), Self.notes(stacks.1))
            let shown = (try await ann.get(id: 1), try await bob.get(id: 1))

            var tagged = shown.1
            tagged.tags = ["a": 1]
            #expect(try await bob.edit(tagged, basedOn: shown.1).delivery() == .delivered(tagged))
            if isRefreshed { _ = await ann.snapshot(id: 1, policy: .networkOnly) }
            var named = shown.0
            named.title = "Ann's"
            let both = Note(id: 1, title: "Ann's", tags: ["a": 1])
            #expect(try await ann.edit(named, basedOn: shown.0).delivery() == .delivered(both))

            if isRefreshed { _ = await bob.snapshot(id: 1, policy: .networkOnly) }
            var late = shown.1
            late.title = "Bob's"
            let outcome = try await bob.edit(late, basedOn: shown.1).delivery()
            guard case .conflict(let theirs) = outcome else {
                return #expect(Bool(false), "expected a conflict, found \(outcome)")
            }
            #expect(theirs.value == both)
            #expect(try await ann.get(id: 1, policy: .networkOnly) == both)
            await stacks.0.close()
            await stacks.1.close()
        }
    }

    @Test func failedEditThrowsAndLeavesTheModelUnchanged() async throws {
        try await TestServer.run { server in
            Notebook([1: #"{"id": 1, "title": "one", "tags": {}}"#]).serve(server)
            let stack = try await Self.stack(server)
            let notes = Self.notes(stack)
            _ = try await notes.get(id: 1)
            await server.stop()
            await #expect { try await notes.edit(1) { $0.title = "edited" } } throws: {
                ($0 as? WriteFailure)?.code == .notDelivered
            }
            #expect(await notes.snapshot(id: 1, policy: .cacheFirst).value?.title == "one")
            await stack.close()
        }
    }

    @Test func aChangeWaitsInTheOutboxOfTheStackUntilTheServiceIsBack() async throws {
        let notebook = Notebook([1: #"{"id": 1, "title": "one", "tags": {}}"#])
        let outbox = OutboxEngine(store: MemoryWriteStore())
        try await TestServer.run { server in
            notebook.serve(server)
            var configuration = WharfStack.Configuration(baseURL: server.baseURL, cache: .memory(), retry: .never)
            configuration.outbox = outbox
            let stack = try await WharfStack.live(configuration)
            let notes = Self.notes(stack)
            let shown = try await notes.get(id: 1)
            await server.stop()
            var note = shown
            note.title = "edited"
            try await notes.edit(note, basedOn: shown)
            #expect(try await outbox.drain().delivered == 0)
            let waiting = await notes.snapshot(id: 1, policy: .cacheOnly)
            #expect(waiting.value == note && waiting.kept?.isPending == true)
            try await TestServer.run(port: server.port) { again in
                notebook.serve(again)
                let report = try await outbox.drain()
                #expect(report.delivered == 1)
                #expect(again.requests.map(\.method) == [.put])
            }
            let arrived = await notes.snapshot(id: 1, policy: .cacheOnly)
            #expect(arrived.value == note && arrived.kept?.isPending == false)
            await stack.close()
        }
        await outbox.close()
    }

    @Test func anOutboxOfAnotherAccountIsRefused() async throws {
        func stack(of account: Account?, _ outbox: OutboxEngine) async throws -> WharfStack {
            var configuration = WharfStack.Configuration(
                baseURL: "http://127.0.0.1:1", account: account, cache: .memory(), retry: .never)
            configuration.outbox = outbox
            return try await WharfStack.live(configuration)
        }
        let outbox = OutboxEngine(store: MemoryWriteStore(), account: Account("ann"))
        for other in [nil, Account("bob")] {
            await #expect {
                _ = try await stack(of: other, outbox)
            } throws: {
                ($0 as? ReadFailure)?.code == .invalidRequest
            }
        }
        try await stack(of: Account("ann"), outbox).close()
        await outbox.close()
    }

    @Test func rejectedEditDoesNotRevertFieldsOfAnotherEdit() async throws {
        try await TestServer.run { server in
            let book = Notebook([1: #"{"id": 1, "tags": {"b": 2, "a": 1}, "title": "one"}"#])
            book.serve(server)
            let (first, second) = (Gate(), Gate())
            let gates = Mutex([first, second])
            server.route(
                .put, "/notes/:id",
                .status(.unprocessableContent).held {
                    await gates.withLock { $0.isEmpty ? nil : $0.removeFirst() }?.pass()
                })
            let stack = try await Self.stack(server)
            let notes = Self.notes(stack)
            let known = try await notes.get(id: 1)
            var (title, tags) = (known, known)
            title.title = "mine"
            let one = Task.immediate { [title] in try await notes.edit(title, basedOn: known).delivery() }
            await first.arrivals(1)
            (tags.title, tags.tags) = ("mine", ["a": 1, "b": 3])
            let two = Task.immediate { [title, tags] in try await notes.edit(tags, basedOn: title).delivery() }
            await waitUntil { await notes.snapshot(id: 1, policy: .cacheOnly).value == tags }
            first.open()
            await second.arrivals(1)
            let shown = await notes.snapshot(id: 1, policy: .cacheOnly)
            #expect(shown.value == Note(id: 1, title: "one", tags: ["a": 1, "b": 3]) && shown.kept?.isPending == true)
            second.open()
            for outcome in [try await one.value, try await two.value] {
                guard case .rejected(let failure) = outcome else { return #expect(Bool(false), "\(outcome)") }
                #expect(failure.code == .invalid)
            }
            #expect(await notes.snapshot(id: 1, policy: .cacheOnly).value == known)
            await stack.close()
        }
    }

    @Test func theEntityTagOutlivesTheProcess() async throws {
        try await TestServer.run { server in
            try await TemporaryFolder.run { folder in
                let book = Notebook([1: #"{"id": 1, "title": "one", "tags": {}}"#])
                book.serve(server)
                for start in 0..<2 {
                    let file = try await SQLiteDataFile.open(at: folder["data.sqlite"])
                    let stack = try await Self.stack(server, entities: SQLiteEntityStore(file))
                    let notes = Self.notes(stack)
                    if start == 0 {
                        _ = try await notes.get(id: 1)
                        _ = book.put(1, #"{"id": 1, "title": "theirs", "tags": {}}"#)
                    } else {
                        let outcome = try await notes.edit(1) { $0.title = "mine" }.delivery()
                        guard case .conflict(let theirs) = outcome else {
                            return #expect(Bool(false), "expected a conflict, found \(outcome)")
                        }
                        #expect(theirs.value?.title == "theirs")
                    }
                    await stack.close()
                    try await file.close()
                }
            }
        }
    }
}

extension TestRequest {
    fileprivate var id: Int? { parameters["id"].flatMap { Int($0) } }
}
