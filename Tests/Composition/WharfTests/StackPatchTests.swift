import Synchronization
import Testing
import Wharf
import WharfChecks
import WharfFakes
import WharfTestServer

/// Edits that a stack sends as patches, over HTTP.
struct StackPatchTests {
    struct Note: Codable, Sendable, Equatable, Identifiable {
        let id: Int
        var title: String
        var due: String?
    }

    private static func run(
        _ method: EditMethod, tag: String? = "\"1\"", _ routes: @escaping @Sendable (TestServer) -> Void,
        _ body: @escaping @Sendable (Repository<Note>, TestServer) async throws -> Void
    ) async throws {
        try await TestServer.run { server in
            let note = TestResponse.json(#"{"id": 1, "title": "one", "due": "today", "colour": "red"}"#)
            server.route(.get, "/notes/:id", tag.map { note.etag($0) } ?? note)
            routes(server)
            let stack = try await WharfStack.live(
                .init(baseURL: server.baseURL, cache: .memory(), entities: MemoryEntityStore(), retry: .never))
            let notes = stack.repository(at: "notes", editing: method, payload: Note.self) {
                $0
            } payloadOf: {
                $0
            }
            try await body(notes, server)
            await stack.close()
        }
    }

    private static func body(_ request: TestRequest?) -> String? {
        request.map { String(decoding: $0.body, as: UTF8.self) }
    }

    @Test(arguments: [
        (
            EditMethod.patch(.mergePatch), Optional("\"1\""), "application/merge-patch+json",
            #"{"due":null,"title":"mine"}"#
        ),
        (
            .patch(.jsonPatch), "\"1\"", "application/json-patch+json",
            #"[{"op":"add","path":"/title","value":"mine"},{"op":"remove","path":"/due"}]"#
        ),
        (
            .patch(.jsonPatch), nil, "application/json-patch+json",
            #"[{"op":"test","path":"/title","value":"one"},{"op":"add","path":"/title","value":"mine"},"#
                + #"{"op":"test","path":"/due","value":"today"},{"op":"remove","path":"/due"}]"#
        ),
    ])
    func anEditIsSentAsItsDifference(method: EditMethod, tag: String?, type: String, patch: String) async throws {
        try await Self.run(method, tag: tag) { server in
            server.route(.patch, "/notes/:id", .json(#"{"id": 1, "title": "mine"}"#).etag("\"2\""))
        } _: { notes, server in
            _ = try await notes.get(id: 1)
            let outcome = try await notes.edit(1) { ($0.title, $0.due) = ("mine", nil) }.delivery()
            #expect(outcome == .delivered(Note(id: 1, title: "mine")))
            let sent = try #require(server.requests.last { $0.method == .patch })
            #expect(sent.fields[.ifMatch] == tag)
            #expect(sent.fields[.contentType] == type)
            #expect(Self.body(sent) == patch)
        }
    }

    @Test(arguments: [405, 415, 501])
    func aServiceThatKnowsNoPatchGetsAPutIfTheAppAllowsIt(status: Int) async throws {
        try await Self.run(.patch(.mergePatch, orPut: true)) { server in
            server.route(.patch, "/notes/:id", .status(.init(code: status)))
            server.route(.put, "/notes/:id", .json(#"{"id": 1, "title": "mine"}"#).etag("\"2\""))
        } _: { notes, server in
            _ = try await notes.get(id: 1)
            for _ in 0..<2 {
                let outcome = try await notes.edit(1) { ($0.title, $0.due) = ("mine", nil) }.delivery()
                #expect(outcome == .delivered(Note(id: 1, title: "mine")))
            }
            #expect(server.requests.map(\.method).filter { $0 != .get } == [.patch, .put, .put])
            #expect(server.requests.last?.fields[.ifMatch] == "\"2\"")
        }
    }

    @Test func serviceWithoutPatchRejectsTheEditIfPutIsNotAllowed() async throws {
        try await Self.run(.patch(.mergePatch)) { server in
            server.route(.patch, "/notes/:id", .status(.unsupportedMediaType))
        } _: { notes, _ in
            _ = try await notes.get(id: 1)
            let outcome = try await notes.edit(1) { $0.title = "mine" }.delivery()
            guard case .rejected(let failure) = outcome else { return #expect(Bool(false), "\(outcome)") }
            #expect(failure.response?.status.code == 415)
        }
    }

    /// A service that answers 409 to a failing `test` operation (RFC 5789 §2.2), as another client
    /// was faster.
    @Test func failedPatchTestIsAConflict() async throws {
        let isTaken = Mutex(false)
        try await Self.run(.patch(.jsonPatch), tag: nil) { server in
            server.route(.get, "/notes/:id") { _ in
                .json(#"{"id": 1, "title": "\#(isTaken.withLock { $0 } ? "theirs" : "one")"}"#)
            }
            server.route(.patch, "/notes/:id") { _ in
                isTaken.withLock { $0 = true }
                return .status(.conflict)
            }
        } _: { notes, server in
            _ = try await notes.get(id: 1)
            let outcome = try await notes.edit(1) { $0.title = "mine" }.delivery()
            guard case .conflict(let theirs) = outcome else { return #expect(Bool(false), "\(outcome)") }
            #expect(theirs.value?.title == "theirs")
            #expect(server.requests.filter { $0.method == .patch }.count == 1)
        }
    }
}
