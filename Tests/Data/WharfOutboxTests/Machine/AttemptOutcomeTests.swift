import Testing
import WharfCore
import WharfRandom
import WharfStorage

@testable import WharfOutbox

/// The consequences of an answer, without a clock, a network or a journal.
@Suite struct AttemptOutcomeTests {
    private let now = WallTime.start + .seconds(100)

    private func outcome(
        of verdict: Delivery.Verdict, attempts: Int = 0, countedSince: WallTime? = nil,
        lastFailure: DeliveryFailure? = nil,
        merged: String? = nil, isAlone: Bool = false, isAbandoned: Bool = false,
        _ retry: OutboxRetry = .default
    ) -> AttemptOutcome {
        var random = Largest()
        let pending = PendingDelivery.sample(attempts: attempts, countedSince: countedSince, lastFailure: lastFailure)
        let attempt = Attempt(
            pending: pending, began: .start, ended: now, isAlone: isAlone, isAbandoned: isAbandoned)
        return attempt.outcome(
            of: verdict, merged: merged.map { (Array($0.utf8), IdempotencyKey("new")) }, retry, using: &random)
    }

    private func seconds(_ outcome: AttemptOutcome) -> Int64? {
        switch outcome {
        // The backoff is a random part of its bound, so the bound itself is never drawn.
        case .retry(let time, _), .merged(_, let time, _): (time - now + .milliseconds(1)).wholeSeconds
        default: nil
        }
    }

    @Test func deliveredVerdictStandsEvenIfCancelled() {
        #expect(outcome(of: .delivered) == .delivered)
        #expect(outcome(of: .delivered, isAbandoned: true) == .delivered)
    }

    @Test func backoffFromTheAnswerDoublesUpToItsCap() {
        let retry = OutboxRetry(base: .seconds(2), cap: .seconds(10))
        let pauses = (0..<5).map { seconds(outcome(of: .retry(.down), attempts: $0, retry)) }
        #expect(pauses == [2, 4, 8, 10, 10])
    }

    @Test func retryPauseIsRandomWithinItsBound() {
        var random = SeededGenerator(seed: 1)
        let retry = OutboxRetry(base: .seconds(8), cap: .seconds(8))
        let pauses = (0..<200).map { _ in retry.pause(afterFailures: 1, using: &random) }
        #expect(pauses.contains { $0 < Duration.seconds(1) } && pauses.contains { $0 > Duration.seconds(7) })
        #expect(pauses.allSatisfy { $0 >= Duration.zero && $0 < Duration.seconds(8) })
    }

    @Test func retryAfterIsALowerBound() {
        let retry = OutboxRetry(base: .seconds(2), cap: .seconds(10), longestRetryAfter: .seconds(500))
        #expect(seconds(outcome(of: .retry(.down, after: .seconds(60)), retry)) == 62)
        #expect(seconds(outcome(of: .retry(.down, after: .seconds(-5)), retry)) == 2)
    }

    @Test func excessiveRetryAfterIsCapped() {
        let retry = OutboxRetry(base: .seconds(2), cap: .seconds(10), longestRetryAfter: .seconds(500))
        #expect(seconds(outcome(of: .retry(.down, after: .seconds(31_536_000)), retry)) == 502)
    }

    @Test func entryIsExhaustedAtItsAttemptLimit() throws {
        let retry = OutboxRetry(attempts: 4, time: nil)
        #expect(seconds(outcome(of: .retry(.down), attempts: 2, retry)) != nil)
        guard case .dead(let failure) = outcome(of: .retry(.down), attempts: 3, retry) else {
            Issue.record("not given up")
            return
        }
        #expect(failure.code == .exhausted && failure.status == 503)
        #expect(failure.message == "given up after 4 attempts; the last failure: unavailable: down")
    }

    @Test func timeLimitExhaustsOnlyAfterThreeAttempts() {
        let retry = OutboxRetry(attempts: nil, time: .seconds(50))
        let early = WallTime.start - .seconds(1)
        #expect(seconds(outcome(of: .retry(.down), attempts: 1, countedSince: early, retry)) != nil)
        guard case .dead(let failure) = outcome(of: .retry(.down), attempts: 2, countedSince: early, retry) else {
            Issue.record("not given up")
            return
        }
        #expect(failure.message.hasPrefix("given up after 3 attempts in 101 s"))
        // The clock was set back after the first attempt.
        #expect(seconds(outcome(of: .retry(.down), attempts: 9, countedSince: now + .seconds(999), retry)) != nil)
    }

    @Test func retryWithoutLimitsNeverEnds() {
        let retry = OutboxRetry(attempts: nil, time: nil)
        #expect(seconds(outcome(of: .retry(.down), attempts: 1 << 40, countedSince: .distantPast, retry)) == 3_600)
    }

    @Test(arguments: [Delivery.Verdict.offline(.down), .needsAuthentication(.down), .rateLimited(.down)])
    func offlineUnauthorizedOrRateLimitedCountsNoAttempt(verdict: Delivery.Verdict) {
        let outcome = outcome(of: verdict, attempts: 99, countedSince: .distantPast)
        #expect(outcome == .held(.down))
        #expect(outcome.holdsLane && !outcome.counts)
        // The entry does not wait for a time.
        #expect(outcome.settlementOutcome(due: now) == .retry(at: now, .down))
    }

    @Test func heldDeliveryGoesBehindUntriedOnes() {
        let lease = Lease(lane: .init(name: "lane", destination: "api"), number: 3)
        let attempt = Attempt(pending: .sample(), began: .start, ended: now)
        #expect(attempt.settlement(.held(.down), under: lease)?.outcome == .retry(at: now, .down))
        let event = OutboxEvent.settling(.held(.down), attempt)
        #expect(event == .retrying(attempt.pending.subject, at: now, .down))
        for other in [AttemptOutcome.abandoned(.down)] {
            #expect(attempt.settlement(other, under: lease)?.outcome == .retry(at: .start, .down))
        }
    }

    @Test func laneUnreachableAloneBacksOffAndIsExhausted() {
        let retry = OutboxRetry(attempts: 3, base: .seconds(2), cap: .seconds(10))
        #expect(seconds(outcome(of: .offline(.down), attempts: 1, isAlone: true, retry)) == 4)
        guard case .dead(let failure) = outcome(of: .offline(.down), attempts: 2, isAlone: true, retry) else {
            Issue.record("not given up")
            return
        }
        #expect(failure.code == .exhausted)
        let abandoned = outcome(of: .offline(.down), attempts: 2, isAlone: true, isAbandoned: true, retry)
        #expect(abandoned == .abandoned(.down))
    }

    @Test func aRequestThatStaysInProgressIsAConflict() {
        let failure = DeliveryFailure(.inProgress, message: "still at work", status: 409)
        #expect(outcome(of: .retry(failure), attempts: 6, lastFailure: failure).counts)
        guard case .conflict(let found, nil) = outcome(of: .retry(failure), attempts: 7, lastFailure: failure)
        else {
            Issue.record("no conflict")
            return
        }
        #expect(found.code == .conflict && found.status == 409)
        // Attempts that failed differently do not count towards the limit for "in progress".
        guard case .retry = outcome(of: .retry(failure), attempts: 7, lastFailure: .down) else {
            Issue.record("given up at the first 409")
            return
        }
    }

    @Test func onlyVerdictsFromTheReceiverAreAnswers() {
        func failure(_ code: DeliveryFailure.Code, _ status: Int?) -> DeliveryFailure {
            DeliveryFailure(code, message: "it failed", status: status)
        }
        let answers: [Delivery.Verdict] = [
            .delivered, .conflict(failure(.conflict, nil)), .retry(failure(.unavailable, nil)),
            .retry(failure(.noAnswer, 200)), .rejected(failure(.rejected, 422)),
            .needsAuthentication(failure(.needsAuthentication, 401)),
        ]
        let others: [Delivery.Verdict] = [
            .retry(failure(.noAnswer, nil)), .rejected(failure(.unreadable, nil)), .offline(failure(.offline, nil)),
            .needsAuthentication(failure(.needsAuthentication, nil)),
        ]
        #expect((answers + others).filter { $0.isAnswer } == answers)
    }

    @Test(arguments: [
        Delivery.Verdict.retry(.down), .offline(.down), .needsAuthentication(.down), .conflict(.down, theirs: nil),
    ])
    func cancelledAttemptIsRepeatedAndDoesNotCount(verdict: Delivery.Verdict) {
        let outcome = outcome(of: verdict, attempts: 99, countedSince: .distantPast, isAbandoned: true)
        #expect(outcome == .abandoned(.down))
        #expect(outcome.holdsLane && !outcome.counts)
    }

    @Test func rejectionIsADeadLetterEvenIfCancelled() {
        #expect(outcome(of: .rejected(.down)) == .dead(.down))
        #expect(outcome(of: .rejected(.down), isAbandoned: true) == .dead(.down))
        #expect(!AttemptOutcome.dead(.down).holdsLane)
    }

    @Test func unmergedConflictKeepsTheReceiversVersion() {
        let failure = DeliveryFailure(.conflict, message: "down", status: 503)
        #expect(outcome(of: .conflict(.down, theirs: [7])) == .conflict(failure, theirs: [7]))
        #expect(!AttemptOutcome.conflict(failure, theirs: nil).holdsLane)
        #expect(
            AttemptOutcome.conflict(failure, theirs: [7]).settlementOutcome(due: now) == .conflict(failure, theirs: [7])
        )
    }

    @Test func mergedEntryHasANewKeyAndTheReceiversBase() {
        let merged = outcome(of: .conflict(.down, theirs: [7]), merged: "both")
        let rewrite = Rewrite(.init("a"), payload: Array("both".utf8), key: IdempotencyKey("new"), base: [7])
        #expect(merged == .merged(rewrite, at: now, DeliveryFailure(.conflict, message: "down", status: 503)))
        #expect(merged.holdsLane && merged.counts)
    }

    @Test func repeatedConflictBacksOffAndBecomesADeadLetter() {
        let before = DeliveryFailure(.conflict, message: "before")
        let again = outcome(
            of: .conflict(.down, theirs: nil), attempts: 1, lastFailure: before, merged: "both",
            OutboxRetry(attempts: 3, base: .seconds(2), cap: .seconds(10)))
        #expect(seconds(again) == 4)
        let last = outcome(
            of: .conflict(.down, theirs: nil), attempts: 2, lastFailure: before, merged: "both",
            OutboxRetry(attempts: 3))
        #expect(last == .conflict(DeliveryFailure(.conflict, message: "down", status: 503), theirs: nil))
    }

    @Test func settlementRecordsAttemptsAndTheStartOfThisOne() {
        let lease = Lease(lane: .init(name: "lane", destination: "api"), number: 3)
        let attempt = Attempt(pending: .sample(attempts: 4), began: .start, ended: now)
        let counted = attempt.settlement(.delivered, under: lease)
        #expect(counted == Settlement(attempt.pending.id, under: lease, .delivered, attempts: 5, attemptedAt: .start))
        #expect(attempt.settlement(.held(.down), under: lease)?.attempts == 4)
        #expect(attempt.settlement(.dead(.down), under: lease)?.outcome == .dead(.down))
        #expect(attempt.settlement(.filledIn(Rewrite(.init("a"), payload: [])), under: lease) == nil)
    }
}
