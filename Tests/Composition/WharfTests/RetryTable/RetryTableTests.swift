import Testing
import Wharf
import WharfAnalytics
import WharfFakes
import WharfMessaging

/// Compares each row of the table with Wharf's conformers, over a scripted transport.
@Suite struct RetryTableTests {
    private let clock = TestClock()

    private func transport(_ row: RetryRow) -> StubTransport {
        StubTransport(clock: clock.wall, timer: clock, [row.answer])
    }

    @Test(arguments: RetryTable.rows) func httpDestinationGivesTheVerdictOfItsRow(row: RetryRow) async throws {
        let client = APIClient(environment: try APIEnvironment("https://api.example.com"), transport: transport(row))
        let entry = OutboxRequest(.post, "notes", body: Array("{}".utf8))
            .entry(.init("1"), lane: "notes", to: "api", at: clock.wall.now())
        let delivery = await HTTPDestination("api", client, clock: clock.wall).deliver(entry)
        #expect(delivery.verdict.name == row.destination)
    }

    @Test(arguments: RetryTable.rows) func segmentCollectorGivesTheVerdictOfItsRow(row: RetryRow) async {
        let sink: HTTPCollector = .segment(writeKey: "key", transport: transport(row), clock: clock.wall)
        let event = TrackedEvent(id: "event-1", name: "Opened", time: clock.wall.now())
        let verdicts = await sink.send([KeyedEvent(event, key: IdempotencyKey("key-1"))])
        #expect(verdicts.map(\.name) == [row.collector])
    }

    @Test(arguments: RetryTable.rows) func gatewayChannelGivesTheVerdictOfItsRow(row: RetryRow) async throws {
        let channel = GatewayChannel(
            "sms",
            try GatewayTemplate(.post, "https://sms.example.com/send", body: .form("to={{address}}&text={{body}}")),
            transport: transport(row), configuration: .init(clock: clock.wall))
        let part = MessagePart(body: "Lunch?", address: "+358401", key: IdempotencyKey("k1"), sentAt: clock.wall.now())
        #expect(await channel.deliver(part).name == row.gateway)
    }

    @Test(arguments: RetryTable.rows) func columnOfSegmentFollowsItsRule(row: RetryRow) {
        switch row.condition {
        case .answer(let status, let fields):
            #expect(row.segment == SegmentRule.outcome(status, retryAfter: fields["Retry-After"]))
        case .brokenOff, .failure:
            // `URLSession` gives its task an error, and `HTTPClient` leaves the file.
            #expect(row.segment == .nextFlush)
        }
    }

    @Test(arguments: RetryTable.rows) func columnOfAppriseFollowsItsRule(row: RetryRow) {
        guard case .answer(let status, _) = row.condition else {
            #expect(row.apprise == .failed)
            return
        }
        #expect(row.apprise == ((200..<300).contains(status) ? .sent : .failed))
    }

    @Test(arguments: RetryTable.rows) func everyDifferenceHasItsArgument(row: RetryRow) {
        if row.isDifferent { #expect(!row.reason.isEmpty) }
    }

    @Test func noConditionStandsInTwoRows() {
        #expect(Set(RetryTable.rows.map(\.condition)).count == RetryTable.rows.count)
    }
}
