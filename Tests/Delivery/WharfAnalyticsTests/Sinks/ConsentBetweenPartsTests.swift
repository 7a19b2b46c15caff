import Synchronization
import Testing
import WharfCore
import WharfFakes

@testable import WharfAnalytics

/// A collector that needs a batch in parts, and a consent that changes when the first part arrives.
@Suite struct ConsentBetweenPartsTests {
    private func deliver(
        _ categories: [Consent.Category], firstAnswer: StubAnswer = .respond(.contentTooLarge), left: Consent
    ) async throws -> (verdicts: [Delivery.Verdict], requests: Int) {
        let consent = ConsentState(Consent(.statistics, .marketing))
        let arrived = Mutex(0)
        let network = StubTransport { _ in
            let number = arrived.withLock { count in
                count += 1
                return count
            }
            if number == 1 { return firstAnswer }
            if number == 2 { _ = consent.begin(left) }
            return .ok("")
        }
        let collector = HTTPCollector(
            endpoint: HTTPCollectorTests.endpoint, transport: network, configuration: .init(clock: TestClock().wall))
        let entries = try categories.enumerated().map { number, category in
            try OutboxEntry.sample(.sample(number, category: category))
        }
        let deliveries = await AnalyticsDestination(collector, consent: consent).deliver(entries)
        return (deliveries.map(\.verdict), network.requests.count)
    }

    @Test(arguments: [StubAnswer.respond(.contentTooLarge), .respond(.badRequest)])
    func eventWithdrawnBetweenPartsIsNotSent(answer: StubAnswer) async throws {
        let (verdicts, requests) = try await deliver(
            Array(repeating: .statistics, count: 4), firstAnswer: answer, left: .none)
        #expect(requests == 2)
        #expect(verdicts[..<2].allSatisfy { $0 == .delivered })
        for verdict in verdicts[2...] {
            guard case .retry(let failure, nil) = verdict else { return #expect(Bool(false), "\(verdict)") }
            #expect(failure.code == .withoutConsent)
        }
    }

    @Test func withdrawnEventHoldsItsPart() async throws {
        let (verdicts, requests) = try await deliver(
            [.statistics, .statistics, .statistics, .marketing], left: Consent(.statistics))
        #expect(requests == 2)
        #expect(verdicts.map(\.isRetry) == [false, false, true, true])
    }

    @Test func partWithConsentIsStillSent() async throws {
        let (verdicts, requests) = try await deliver(
            [.marketing, .marketing, .statistics, .statistics], left: Consent(.statistics))
        #expect(requests == 3)
        #expect(verdicts.allSatisfy { $0 == .delivered })
    }
}
