import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository

/// The example of the article: the user's own list, else the popular list, and a label that says
/// which one is shown.
struct OrElseTests {
    typealias Model = RepositoryLaws.Model

    private let stage = LateAnswers()

    private static func failure(_ code: ReadFailure.Code, _ status: Int? = nil) -> ReadFailure {
        ReadFailure(code, message: "scripted", response: status.map { HTTPResponse(status: .init(code: $0)) })
    }

    @Test func keptValueIsServedBeforeFallbackValue() async {
        _ = await stage.row.snapshot(id: 1)
        let gate = stage.holdUp()
        let snapshot = await stage.late(gate) { await stage.row.snapshot(id: 1, policy: .networkFirst) }
        #expect(snapshot.value == LateAnswers.old && snapshot.kept?.source == .memory && snapshot.kept?.remote == nil)
        #expect(snapshot.error?.code == .timedOut && stage.others.requests == 0)
        gate.open()
    }

    @Test func fallbackAnswersUnderItsNameWithoutKeptValue() async {
        let gate = stage.holdUp()
        let one = await stage.late(gate) { await stage.row.snapshot(id: 1) }
        #expect(one.value == LateAnswers.popular && one.kept?.remote == "popular" && one.kept?.source == .network)
        #expect(one.error?.code == .timedOut && one.fetch == .refreshing)
        let all = await stage.late(gate, arrivals: 2) { await stage.row.listSnapshot() }
        #expect(all.value == [LateAnswers.popular] && all.kept?.remote == "popular" && all.error?.code == .timedOut)
        gate.open()
    }

    @Test(arguments: [
        failure(.connectionFailed), failure(.status, 503), failure(.status, 401), failure(.status, 404),
        failure(.undecodable),
    ])
    func anErrorNeverBlanksTheScreen(_ failure: ReadFailure) async {
        stage.source.answer(.failure(failure))
        let snapshot = await stage.row.snapshot(id: 1)
        #expect(snapshot.value == LateAnswers.popular && snapshot.error == failure && snapshot.fetch == .idle)
    }

    @Test func allErrorsAreReportedInOrderWhenAllFail() async {
        let third = ScriptedRepository<Model>(clock: stage.clock.wall)
        third.fail(Self.failure(.hostNotFound))
        stage.others.answer(.failure(Self.failure(.connectionFailed)))
        let gate = stage.holdUp()
        let row = stage.row.orElse(third, named: "editors")
        let snapshot = await stage.late(gate) { await row.listSnapshot() }
        // The scripted source has an empty list even if its requests fail.
        #expect(snapshot.kept?.remote == "editors" && snapshot.value == [])
        let one = await stage.late(gate, arrivals: 2) { await row.snapshot(id: 1) }
        #expect(one.kept == nil && one.error?.code == .timedOut)
        #expect(one.error?.others.map(\.code) == [.connectionFailed, .hostNotFound])
        #expect(one.error?.description.hasSuffix("; connectionFailed: scripted; hostNotFound: scripted") == true)
        gate.open()
    }

    @Test func cancelledReadDoesNotAskFallback() async {
        let gate = stage.holdUp()
        let reading = Task { await stage.row.snapshot(id: 1) }
        await gate.arrivals(1)
        await stage.clock.untilSleeping()
        reading.cancel()
        let left = await reading.value
        #expect(left.error?.code == .cancelled && left.error?.others == [] && stage.others.requests == 0)
    }

    // MARK: Observing

    @Test func observerGetsFallbackValueUntilPrimaryAnswers() async throws {
        let gate = stage.holdUp()
        var snapshots = stage.row.observe(id: 1).makeAsyncIterator()
        let first = try #require(await snapshots.next(isolation: nil))
        #expect(first.kept == nil && first.error == nil && first.fetch == .refreshing)
        await gate.arrivals(1)
        await stage.clock.untilSleeping()
        stage.clock.advance(by: .seconds(1))
        let standIn = try #require(await stage.reported(&snapshots) { $0.kept != nil })
        #expect(standIn.value == LateAnswers.popular && standIn.kept?.remote == "popular")
        #expect(standIn.error?.code == .timedOut && standIn.fetch == .refreshing)
        gate.open()
        let own = try #require(await stage.reported(&snapshots) { $0.kept?.remote == nil })
        #expect(own.value == LateAnswers.new && own.error == nil && own.fetch == .idle)
    }

    @Test func observerOfKeptValueLearnsThatRefreshTimedOut() async throws {
        _ = await stage.row.snapshot(id: 1)
        let gate = stage.holdUp()
        var snapshots = stage.row.observe(id: 1).makeAsyncIterator()
        await gate.arrivals(1)
        await stage.clock.untilSleeping()
        stage.clock.advance(by: .seconds(1))
        let late = try #require(await stage.reported(&snapshots) { $0.error != nil })
        #expect(late.value == LateAnswers.old && late.kept?.remote == nil && late.error?.code == .timedOut)
        #expect(late.fetch == .refreshing && stage.others.requests == 0)
        gate.open()
    }

    @Test func observerReceivesAllErrorsWhenAllFail() async throws {
        stage.source.answer(.failure(Self.failure(.connectionFailed)))
        stage.others.answer(.failure(Self.failure(.hostNotFound)))
        var snapshots = stage.row.observeList().makeAsyncIterator()
        let settled = try #require(await stage.reported(&snapshots) { $0.fetch == .idle })
        #expect(settled.kept == nil && settled.error?.code == .connectionFailed)
        #expect(settled.error?.others.map(\.code) == [.hostNotFound])
    }

    @Test func timelyAnswerIsNotReportedLateAfterDeadline() async throws {
        let base = Repository(source: stage.source.source, configuration: .init(clock: stage.clock.wall))
        let row = base.within(.seconds(1), clock: stage.clock.wall, timer: stage.clock)
        var snapshots = row.observe(id: 1).makeAsyncIterator()
        _ = await stage.reported(&snapshots) { $0.fetch == .idle }
        await stage.clock.untilSleeping()
        stage.clock.advance(by: .seconds(2))
        await letOthersRun()
        await base.receive(LateAnswers.new)
        let next = try #require(await snapshots.next(isolation: nil))
        #expect(next.value == LateAnswers.new && next.error == nil)
    }
}
