import Synchronization
import Testing
import WharfChecks
import WharfCombine
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfHTTP
import WharfRepository
import WharfStores

/// Single requests as publishers, in one line each.
struct TaskPublisherTests {
    struct User: Codable, Sendable, Equatable {
        let id: Int
        let name: String
    }

    static let ann = StubAnswer.ok(#"{"id": 1, "name": "Ann"}"#)

    static func client(_ transport: StubTransport) throws -> APIClient {
        APIClient(environment: try APIEnvironment("https://api.example.com"), transport: transport)
    }

    @Test func snapshotPublisherGivesOneValueAndCompletes() async throws {
        let client = try Self.client(StubTransport([.respond(.notFound)]))
        let recorder = Recorder<Snapshot<User>, Never>(.unlimited)
        TaskPublisher { await client.snapshot(Request<User>.get("users/1")) }.subscribe(recorder)
        try await recorder.events(2)
        #expect(recorder.values.map(\.error?.code) == [.status] && recorder.ends.count == 1)
    }

    @Test(arguments: [true, false])
    func aFetchIsTheValueOrTheFailure(isReachable: Bool) async throws {
        let client = try Self.client(StubTransport([isReachable ? Self.ann : .failure(.offline)]))
        let recorder = Recorder<String, any Error>(.max(1))
        TaskPublisher { try await client.fetch(Request<User>.get("users/1")) }.map(\.value.name).subscribe(recorder)
        try await recorder.events(isReachable ? 2 : 1)
        #expect(recorder.values == (isReachable ? ["Ann"] : []))
        #expect(recorder.ends.map { ($0 as? ReadFailure)?.code } == [isReachable ? nil : .offline])
    }

    @Test func aTypedFailureStaysTyped() async throws {
        let client = try Self.client(StubTransport([.failure(.offline)]))
        let recorder = Recorder<String, ReadFailure>(.max(1))
        TaskPublisher { () throws(ReadFailure) in try await client.fetch(Request<User>.get("users/1")) }
            .map(\.value.name).subscribe(recorder)
        try await recorder.events(1)
        #expect(recorder.ends.map(\.?.code) == [.offline])
    }

    @Test func observedRequestGivesAnAnswerAndCompletes() async throws {
        let client = try Self.client(StubTransport([Self.ann, .failure(.offline)]))
        let recorder = Recorder<Snapshot<User>, Never>(.unlimited)
        client.observe(Request<User>.get("users/1")).publisher().subscribe(recorder)
        try await until("the end") { recorder.ends.count == 1 }
        #expect(recorder.values.last?.kept != nil || recorder.values.last?.error != nil)
    }

    @Test func publisherSendsOneRequestPerSubscriberWithDemand() async throws {
        let transport = StubTransport { _ in Self.ann }
        let client = try Self.client(transport)
        let publisher = TaskPublisher { await client.snapshot(Request<User>.get("users/1")) }
        let idle = Recorder<Snapshot<User>, Never>()
        publisher.subscribe(idle)
        await settle()
        #expect(transport.requests.isEmpty)
        for _ in 0..<2 {
            let recorder = Recorder<Snapshot<User>, Never>(.max(1))
            publisher.subscribe(recorder)
            try await recorder.events(2)
        }
        #expect(transport.requests.count == 2)
        idle.cancel()
    }

    @Test func cancelledSubscriberEndsTheRequest() async throws {
        let gate = Gate()
        let transport = StubTransport([Self.ann.held(by: gate)])
        let client = try Self.client(transport)
        let recorder = Recorder<Snapshot<User>, Never>(.unlimited)
        TaskPublisher { await client.snapshot(Request<User>.get("users/1")) }.subscribe(recorder)
        await gate.arrivals()
        recorder.cancel()
        await transport.departures()
        await settle()
        #expect(recorder.values.isEmpty && recorder.ends.isEmpty)
    }

    @MainActor @Test func sinkMadeOnTheMainActorIsCalledThere() async throws {
        let client = try Self.client(StubTransport([Self.ann]))
        var names: [String?] = []
        let token = TaskPublisher { await client.snapshot(Request<User>.get("users/1")) }.sink { snapshot in
            MainActor.assertIsolated()
            names.append(snapshot.value?.name)
        }
        try await until("the answer") { names == ["Ann"] }
        token.cancel()
    }
}
