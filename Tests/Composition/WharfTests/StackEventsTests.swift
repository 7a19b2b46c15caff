import Synchronization
import Testing
import Wharf
import WharfChecks
import WharfFakes
import WharfTestServer

/// Server-sent events over real sockets.
struct StackEventsTests {
    private struct Note: Codable, Equatable, Identifiable, Sendable {
        let id: Int
        let title: String
    }

    private static func stream(_ text: String) -> TestResponse {
        .pieces(fields: [.contentType: "text/event-stream"]) { $0 == 0 ? Array(text.utf8) : nil }
    }

    /// - Parameter answers: the answer to each connection, in this order. Later ones get 204.
    private static func events(
        _ answers: [TestResponse], take: Int = .max, silence: Duration? = nil,
        _ check: (TestServer) throws -> Void = { _ in }
    ) async throws -> Result<[ServerSentEvent], ReadFailure> {
        try await TestServer.run { server in
            let rest = Mutex(answers[...])
            server.route(.get, "/events") { _ in rest.withLock { $0.popFirst() } ?? .status(204) }
            var configuration = WharfStack.Configuration(baseURL: server.baseURL, cache: .memory(), retry: .never)
            configuration.timeout = .seconds(5)
            let stack = try await WharfStack.live(configuration)
            let clock = TestClock()
            let time = Task {
                while !Task.isCancelled {
                    if let next = clock.nextDeadline { clock.advance(to: next) }
                    await Task.yield()
                }
            }
            defer { time.cancel() }
            var events: [ServerSentEvent] = []
            do throws(ReadFailure) {
                for try await event in try stack.client.events("events", silence: nil, timer: clock) {
                    events.append(event)
                    if events.count == take { break }
                }
            } catch {
                await stack.close()
                return .failure(error)
            }
            try check(server)
            await stack.close()
            return .success(events)
        }
    }

    @Test func eventsResumeFromTheLastIDAfterABrokenConnection() async throws {
        let read = try await Self.events([
            Self.stream("retry: 5\nid: 1\nevent: changed\ndata: {\"id\": 1, \"title\": \"one\"}\n\ndata: unfinished"),
            .dropped, .status(503),
            Self.stream("id: 2\ndata: second\n\n"),
        ]) { server in
            #expect(server.requests.map { $0.fields[HTTPField.Name("Last-Event-ID")!] } == [nil, "1", "1", "1", "2"])
            #expect(server.requests.allSatisfy { $0.fields[.accept] == "text/event-stream" })
        }
        let events = try read.get()
        #expect(events.map(\.type) == ["changed", "message"])
        #expect(events.map(\.id) == ["1", "2"])
        #expect(try events[0].json(Note.self) == Note(id: 1, title: "one"))
    }

    @Test(arguments: [HTTPResponse.Status.unauthorized, .notFound, .internalServerError])
    func clientErrorIsThrownAndServerErrorIsRetried(_ status: HTTPResponse.Status) async throws {
        let read = try await Self.events([.status(status), Self.stream("data: late\n\n")])
        switch read {
        case .failure(let failure):
            #expect(failure.response?.status == status && status.kind == .clientError)
        case .success(let events):
            #expect(events.map(\.data) == ["late"] && status == .internalServerError)
        }
    }

    @Test func wrongContentTypeAndEndlessEventAreErrors() async throws {
        let page = try await Self.events([.json("[]")])
        #expect(throws: ReadFailure.self) { try page.get() }
        let endless = try await Self.events([Self.stream(String(repeating: "x", count: 2 << 20))])
        guard case .failure(let failure) = endless else { return #expect(Bool(false), "read \(endless)") }
        #expect(failure.code == .tooLarge)
    }

    @Test func aReaderThatLeavesEndsTheConnection() async throws {
        let endless = TestResponse.pieces(fields: [.contentType: "text/event-stream"]) { Array("data: \($0)\n\n".utf8) }
        #expect(try await Self.events([endless], take: 3).get().map(\.data) == ["0", "1", "2"])
    }

    @Test func aCancelledTaskEndsTheSequence() async throws {
        try await TestServer.run { server in
            server.route(.get, "/events", .hanging)
            let stack = try await WharfStack.live(.init(baseURL: server.baseURL, cache: .memory(), retry: .never))
            let client = stack.client
            let reader = Task {
                var count = 0
                for try await _ in try client.events("events") { count += 1 }
                return count
            }
            while server.requests.isEmpty { await Task.yield() }
            reader.cancel()
            #expect(try await reader.value == 0)
            await stack.close()
        }
    }
}
