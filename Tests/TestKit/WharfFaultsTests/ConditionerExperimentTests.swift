import LiveTransport
import Testing
import WharfCache
import WharfCore
import WharfFakes
import WharfFaults
import WharfHTTP
import WharfTestServer

/// The Network Link Conditioner experiment of the article: a header echo is read, then all packets
/// are lost, and it is read again.
struct ConditionerExperimentTests {
    @Test(arguments: ["offline,from=2", "loss=100%,to=server,from=2", "loss=100%,from=2"])
    func withAllPacketsLostTheKeptValueComesWithItsAgeAndTheError(plan: String) async throws {
        let clock = TestClock()
        let reports = Reports()
        try await TestServer.run(clock: clock.wall) { server in
            server.echoResponseFields()
            let plan = try FaultPlan(parsing: plan)
            try await FaultProxy.run(to: server.authority, plan, onReport: { reports.add($0) }) { proxy in
                let client = APIClient(
                    environment: try APIEnvironment(proxy.baseURL),
                    transport: CachingTransport(
                        liveTransport(clock: clock, wallClock: clock.wall),
                        store: MemoryCacheStore(byteLimit: 1 << 20), clock: clock.wall, onIncident: { _ in }))
                var request = Request<String>.get(
                    "response-headers", query: ["Cache-Control": "max-age=3", "Connection": "close"], decoding: .text)
                request.timeout = .seconds(10)
                let first = await client.snapshot(request)
                #expect(first.value != nil && first.error == nil)
                clock.advance(by: .seconds(5))

                async let answer = client.snapshot(request)
                await reports.beginnings(2)
                await clock.untilSleeping()
                clock.advance(by: .seconds(10))
                let second = await answer
                #expect(second.value == first.value)
                #expect(second.error?.code == .timedOut)
                #expect(second.kept?.source == .httpCache)
                #expect(second.kept?.age(at: clock.wall.now()) == .seconds(15))
            }
        }
    }
}
