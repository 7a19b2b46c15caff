import Foundation
import Testing
import Wharf
import WharfJSON
import WharfTestServer

/// Payloads with the service's own format of keys and dates.
struct StackFormTests {
    struct Note: Codable, Sendable, Equatable, Identifiable {
        let id: Int
        var shownTitle: String
        var dueDate: Date?
    }

    private static let json = #"{"id": 1, "shown_title": "one", "due_date": "2026-11-28T01:02:03Z"}"#
    private static let due = Date(timeIntervalSince1970: 1_795_827_723)
    private static let form = CodableJSON(keys: .snakeCase, dates: .iso8601)

    private static func run(
        _ method: EditMethod = .put, _ body: @escaping @Sendable (Repository<Note>, TestServer) async throws -> Void
    ) async throws {
        try await TestServer.run { server in
            server.route(.get, "/notes/:id", TestResponse.json(json).etag("\"1\""))
            server.route(.get, "/notes", .json("[\(json)]"))
            for method in [HTTPRequest.Method.put, .patch] { server.route(method, "/notes/:id", .json(json)) }
            let stack = try await WharfStack.live(
                .init(baseURL: server.baseURL, cache: .memory(), entities: MemoryEntityStore(), retry: .never))
            let notes = stack.repository(at: "notes", editing: method, payload: Note.self, json: form) {
                $0
            } payloadOf: {
                $0
            }
            try await body(notes, server)
            await stack.close()
        }
    }

    @Test func modelsAndListsUseTheConfiguredJSONForm() async throws {
        let note = Note(id: 1, shownTitle: "one", dueDate: Self.due)
        try await Self.run { notes, _ in
            let (one, list) = (try await notes.get(id: 1), try await notes.list())
            #expect(one == note)
            #expect(list == [note])
            #expect(await notes.snapshot(id: 1, policy: .cacheOnly).value == note)
        }
    }

    @Test(arguments: [
        (EditMethod.put, #"{"due_date":"2026-11-28T01:03:03Z","id":1,"shown_title":"one"}"#),
        (.patch(.mergePatch), #"{"due_date":"2026-11-28T01:03:03Z"}"#),
    ])
    func editsUseTheConfiguredJSONForm(_ method: EditMethod, _ body: String) async throws {
        try await Self.run(method) { notes, server in
            _ = try await notes.get(id: 1)
            _ = try await notes.edit(1) { $0.dueDate = Self.due + 60 }.delivery()
            let sent = try #require(server.requests.last { $0.method != .get })
            #expect(String(decoding: sent.body, as: UTF8.self) == body)
        }
    }

    @Test func aModelThatIsItsOwnPayloadNeedsNoMapping() async throws {
        try await TestServer.run { server in
            server.route(.get, "/notes/:id", TestResponse.json(Self.json).etag("\"1\""))
            server.route(.put, "/notes/:id", .json(Self.json))
            let stack = try await WharfStack.live(
                .init(baseURL: server.baseURL, cache: .memory(), entities: MemoryEntityStore(), retry: .never))
            let kind = EntityKind<Note>("note", codec: .json)
            let notes = stack.repository(kind, at: "notes", json: Self.form)
            let note = try await notes.get(id: 1)
            #expect(note.shownTitle == "one")
            _ = try await notes.edit(1) { $0.shownTitle = "two" }.delivery()
            let sent = try #require(server.requests.last { $0.method == .put })
            #expect(String(decoding: sent.body, as: UTF8.self).contains(#""shown_title":"two""#))
            await stack.close()
        }
    }

    @Test func clientTransportAndHeadSendCustomRequests() async throws {
        try await TestServer.run { server in
            server.route(.post, "/events", .status(204))
            var configuration = WharfStack.Configuration(baseURL: server.baseURL, cache: .memory(), retry: .never)
            configuration.fields = [.userAgent: "notes"]
            configuration.credentials = FixedCredential(try .bearer("token"))
            let stack = try await WharfStack.live(configuration)
            let request = TransportRequest(try stack.client.requestHead(.post, at: "events"), body: .bytes([1]))
            let response = try await stack.client.transport.send(request)
            #expect(response.head.status == .noContent)
            let sent = try #require(server.requests.first)
            #expect(sent.path == "/events" && sent.body == [1])
            #expect(sent.fields[.userAgent] == "notes" && sent.fields[.authorization] == "Bearer token")
            await stack.close()
        }
    }

    @Test(arguments: [
        (CodableJSON.Dates.deferredToDate, "0"), (.secondsSince1970, "978307200"),
        (.millisecondsSince1970, "978307200000"), (.iso8601, #""2001-01-01T00:00:00Z""#),
    ])
    func datesAreReadAsTheyAreWritten(_ dates: CodableJSON.Dates, _ text: String) throws {
        let form = CodableJSON(dates: dates)
        let bytes: [UInt8] = try form.encoder.encode([Date(timeIntervalSinceReferenceDate: 0)])
        #expect(String(decoding: bytes, as: UTF8.self) == "[\(text)]")
        #expect(try form.decoder.decode([Date].self, from: bytes) == [Date(timeIntervalSinceReferenceDate: 0)])
    }

    @Test func storeCodecUsesTheConfiguredJSONForm() throws {
        let codec = Codec<Note>.json(as: Self.form)
        let note = Note(id: 1, shownTitle: "one", dueDate: Self.due)
        let bytes = try codec.encode(note)
        #expect(String(decoding: bytes, as: UTF8.self).contains("shown_title"))
        #expect(try codec.decode(bytes, 1) == note)
    }
}
