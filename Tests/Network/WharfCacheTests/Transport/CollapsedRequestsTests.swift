import Testing
import WharfCore
import WharfFakes
import WharfPrimitives
import WharfStorage

@testable import WharfCache

@Suite struct CollapsedRequestsTests {
    private let fence = InvalidationFence()
    private let requests: CollapsedRequests
    private let request: RequestFacts

    init() throws {
        requests = CollapsedRequests(fence)
        request = try #require(facts())
    }

    private func leader(_ request: RequestFacts? = nil) throws -> CollapsedRequests.Leader {
        guard case .leader(let leader) = requests.join(request ?? self.request, mayLead: true) else {
            throw TransportError(.invalidRequest, message: "the request does not lead")
        }
        return leader
    }

    private func follower() throws -> CollapsedRequests.Follower {
        guard case .follower(let follower) = requests.join(request, mayLead: true) else {
            throw TransportError(.invalidRequest, message: "the request does not wait")
        }
        return follower
    }

    /// Waits for a follower, which becomes the leader.
    private func promoted(_ follower: CollapsedRequests.Follower) async throws -> CollapsedRequests.Leader {
        guard case .lead(let leader) = await follower.wait(before: nil) else {
            throw TransportError(.invalidRequest, message: "the request was not promoted")
        }
        return leader
    }

    @Test func cancelledLeadersAreNoFailures() async throws {
        var leader = try leader()
        let followers = [try follower(), try follower(), try follower(), try follower()]
        for follower in followers {
            leader.fail(.cancelled)
            leader = try await promoted(follower)
        }
        leader.end()
    }

    @Test func releasedLeaderIsReplaced() async throws {
        var leader: CollapsedRequests.Leader? = try leader()
        let follower = try follower()
        withExtendedLifetime(leader) {}
        leader = nil
        try await promoted(follower).end()
    }

    @Test func lostLeaderDoesNotEndTheNextFlight() async throws {
        let lost = try leader()
        let (second, third) = (try follower(), try follower())
        fence.invalidate([request.key.target])
        requests.invalidate([request.key.target])
        let leader = try await promoted(second)
        // The lost leader's answer is older than the invalidation.
        #expect(!lost.answer(isLasting: true) { _ in true })
        lost.end()
        lost.fail(.cancelled)
        leader.end()
        guard case .stored = await third.wait(before: nil) else {
            Issue.record("the follower does not look up the answer of the second leader")
            return
        }
    }

    @Test func followerThatJoinsAfterAnInvalidationGetsNoOlderAnswer() async throws {
        let leader = try leader()
        #expect(leader.inFlight.overtake())
        // The response is stored, and the invalidation comes before the flight ends.
        fence.invalidate([request.key.target])
        let follower = try follower()
        leader.end()
        try await promoted(follower).end()
        #expect(!follower.isInvalidated)
    }

    @Test func flightEndsAtTheHeadIfNoRequestWaits() throws {
        let first = try leader()
        #expect(!first.answer(isLasting: true) { _ in true })
        let second = try leader()
        first.end()
        // The first leader's end is not the second one's.
        _ = try follower()
        second.end()
    }

    @Test func leaderInTheBackgroundIsWaitedForUntilItsEnd() async throws {
        let leader = try #require(requests.lead(request))
        #expect(requests.lead(request) == nil)
        #expect(!leader.answer(isLasting: true) { _ in true })
        let follower = try follower()
        leader.end()
        guard case .stored = await follower.wait(before: nil) else {
            Issue.record("the follower does not look up the answer")
            return
        }
    }

    @Test func memoryOfUnusableAnswersIsBounded() throws {
        for number in 0...CollapsedRequests.unusableLimit {
            let request = try #require(facts(path: "/\(number)"))
            try leader(request).answerUnusable(isLasting: true)
        }
        #expect(requests.monitor.read { $0.unusable.count } == 1)
        #expect(requests.monitor.read { $0.flights.isEmpty })
    }
}
