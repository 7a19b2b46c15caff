import LiveTransport
import Testing
import Wharf
import WharfCache
import WharfFakes
import WharfTestServer

/// The experiment of the article: a header echo, two reads five seconds apart, and then no network.
/// The five seconds pass on a test clock.
@Suite struct CachingExperimentTests {
    private struct Outcome: Sendable {
        var dates: [String?]
        var values: [String?]
        var requests: Int
        var errors: [ReadFailure.Code?]
        var age: Duration?
    }

    private static func experiment(maxAge: Int, losingPackets: Bool = false) async throws -> Outcome {
        let clock = TestClock()
        return try await TestServer.run(clock: clock.wall) { server in
            server.echoResponseFields(at: "/response-headers")
            let path = "response-headers"
            let client = APIClient(
                environment: try APIEnvironment(server.baseURL),
                transport: CachingTransport(
                    liveTransport(clock: clock, wallClock: clock.wall),
                    store: MemoryCacheStore(byteLimit: 1 << 20), clock: clock.wall, onIncident: { _ in }
                )
            )
            let request = Request<String>.get(
                "\(path)", query: ["Cache-Control": "max-age=\(maxAge)"], decoding: .text
            )
            let first = await client.snapshot(request)
            clock.advance(by: .seconds(5))
            let second: Snapshot<String>
            if losingPackets {
                server.route(.get, "/response-headers", .hanging)
                var hasty = request
                hasty.timeout = .seconds(10)
                async let answer = client.snapshot(hasty)
                _ = try await server.request(2)
                clock.advance(by: .seconds(10))
                second = await answer
            } else {
                second = await client.snapshot(request)
            }
            let both = [first, second]
            return Outcome(
                dates: both.map { $0.kept?.response?.headerFields[.date] }, values: both.map(\.value),
                requests: server.requests.count, errors: both.map { $0.error?.code },
                age: second.kept?.age(at: clock.wall.now())
            )
        }
    }

    @Test func maxAge30GivesTheSameDateAndOneRequest() async throws {
        let outcome = try await Self.experiment(maxAge: 30)
        #expect(outcome.dates[0] != nil && outcome.dates[0] == outcome.dates[1])
        #expect(outcome.requests == 1)
        #expect(outcome.age == .seconds(5))
    }

    @Test func maxAge3GivesTwoDatesAndTwoRequests() async throws {
        let outcome = try await Self.experiment(maxAge: 3)
        #expect(outcome.dates[0] != nil && outcome.dates[1] != nil && outcome.dates[0] != outcome.dates[1])
        #expect(outcome.requests == 2)
        #expect(outcome.age == .zero)
    }

    @Test func allPacketsLostGivesTheKeptValueAndTheError() async throws {
        let outcome = try await Self.experiment(maxAge: 3, losingPackets: true)
        #expect(outcome.values[0] != nil && outcome.values[0] == outcome.values[1])
        #expect(outcome.dates[0] == outcome.dates[1])
        #expect(outcome.errors == [nil, .timedOut])
        #expect(outcome.age == .seconds(15))
    }
}
