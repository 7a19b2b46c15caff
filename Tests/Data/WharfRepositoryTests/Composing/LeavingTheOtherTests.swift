import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository

/// An `orElse` observer observes the second repository only while the first has no value.
struct LeavingTheOtherTests {
    typealias Model = RepositoryLaws.Model

    private static let own = Model(id: 1, name: "own")
    private static let popular = Model(id: 1, name: "popular")
    private static let down = Snapshot<Model>(
        kept: nil, error: ReadFailure(.connectionFailed, message: "scripted"), fetch: .idle)

    private let first = ScriptedRepository<Model>()
    private let other = ScriptedRepository([popular])

    private func reported(
        _ snapshots: inout SnapshotSequence<Model>.AsyncIterator, where isWanted: (Snapshot<Model>) -> Bool
    ) async -> Snapshot<Model>? {
        while let next = await snapshots.next(isolation: nil) {
            if isWanted(next) { return next }
        }
        return nil
    }

    private func untilNobodyObserves(_ repository: ScriptedRepository<Model>) async {
        await waitUntil { repository.observers == 0 }
    }

    @Test func fallbackObservationEndsWhenPrimaryHasModels() async throws {
        first.show(Self.down, id: 1)
        var snapshots = first.orElse(other, named: "popular").observe(id: 1).makeAsyncIterator()
        let standIn = try #require(await reported(&snapshots) { $0.kept != nil })
        #expect(standIn.kept?.remote == "popular" && other.observers == 1 && other.reads.count == 1)
        first.show(Self.own)
        let answer = try #require(await reported(&snapshots) { $0.kept?.remote == nil })
        #expect(answer.value == Self.own)
        await untilNobodyObserves(other)
        first.show(Self.own, error: Self.down.error)
        _ = await reported(&snapshots) { $0.error != nil }
        #expect(other.reads.count == 1)
    }

    @Test func fallbackListObservationEndsWhenPrimaryHasList() async throws {
        let down = ReadFailure(.connectionFailed, message: "scripted")
        first.showList(Snapshot(kept: nil, error: down))
        var snapshots = first.orElse(other, named: "popular").observeList().makeAsyncIterator()
        while let next = await snapshots.next(isolation: nil), next.kept == nil {}
        #expect(other.observers == 1)
        first.showList(nil)
        await untilNobodyObserves(other)
        #expect(other.reads.count == 1)
    }

    @Test func fallbackRequestIsCancelledWhenPrimaryHasModels() async throws {
        let (gate, isGivenUp) = (Gate(), Gate())
        let source = RemoteSource<Model>(
            get: { _, _ in
                await gate.pass()
                if Task.isCancelled { isGivenUp.open() }
                return Snapshot(kept: nil, error: ReadFailure(.cancelled, message: "scripted"))
            },
            list: { _, _ in Snapshot(kept: nil) })
        first.show(Self.down, id: 1)
        var snapshots = first.orElse(Repository(source: source), named: "popular").observe(id: 1)
            .makeAsyncIterator()
        _ = await snapshots.next(isolation: nil)
        await gate.arrivals(1)
        first.show(Self.own)
        await isGivenUp.pass()
        let answer = try #require(await reported(&snapshots) { $0.kept != nil })
        #expect(answer.value == Self.own)
    }

    @Test func fallbackIsObservedAgainWhenPrimaryLosesItsValue() async throws {
        first.show(Self.down, id: 1)
        var snapshots = first.orElse(other, named: "popular").observe(id: 1).makeAsyncIterator()
        for round in 1...3 {
            let standIn = try #require(await reported(&snapshots) { $0.kept != nil })
            #expect(standIn.value?.name == "popular" + String(repeating: "!", count: round - 1))
            #expect(standIn.kept?.remote == "popular" && standIn.error == Self.down.error && other.reads.count == round)
            first.show(Self.own)
            _ = await reported(&snapshots) { $0.value == Self.own }
            await untilNobodyObserves(other)
            // The value that the second repository sent before is not sent again.
            other.show(Model(id: 1, name: "popular" + String(repeating: "!", count: round)))
            first.show(Self.down, id: 1)
        }
    }

    /// The late value belongs to an observation that ended, either because the first repository had
    /// a model or because the second was observed anew.
    @Test(arguments: [false, true]) func lateAnswerOfEndedFallbackIsNotShown(isObservedAnew: Bool) async throws {
        let other = LateOther()
        first.show(Self.down, id: 1)
        var snapshots = first.orElse(other, named: "popular").observe(id: 1).makeAsyncIterator()
        await waitUntil { other.asked >= 1 }
        first.show(Self.own)
        _ = await reported(&snapshots) { $0.value == Self.own }
        if isObservedAnew {
            first.show(Self.down, id: 1)
            await waitUntil { other.asked >= 2 }
        }
        other.answer(0, "late")
        await letOthersRun()
        first.show(Snapshot(kept: nil, error: ReadFailure(.timedOut, message: "scripted")), id: 1)
        let next = try #require(await reported(&snapshots) { $0.error?.code == .timedOut })
        #expect(next.kept == nil && next.fetch == .refreshing)
        await waitUntil { other.asked >= 2 }
        other.answer(1, "anew")
        let anew = try #require(await reported(&snapshots) { $0.kept != nil })
        #expect(anew.value?.name == "anew")
        await waitUntil { other.asked >= 3 }
        other.end()
    }

    @Test func refreshingPrimaryDoesNotAskFallback() async throws {
        first.show(Snapshot(kept: nil, fetch: .refreshing), id: 1)
        var snapshots = first.orElse(other, named: "popular").observe(id: 1).makeAsyncIterator()
        let awaited = try #require(await snapshots.next(isolation: nil))
        #expect(awaited.kept == nil && awaited.error == nil && awaited.fetch == .refreshing)
        await letOthersRun()
        first.show(Self.own)
        _ = await reported(&snapshots) { $0.value == Self.own }
        #expect(other.reads.isEmpty)
    }

    @Test func retryingPrimaryKeepsFallbackObserved() async throws {
        first.show(Self.down, id: 1)
        var snapshots = first.orElse(other, named: "popular").observe(id: 1).makeAsyncIterator()
        _ = await reported(&snapshots) { $0.kept != nil }
        for error in [nil, Self.down.error, ReadFailure(.timedOut, message: "scripted"), nil] {
            first.show(Snapshot(kept: nil, error: error, fetch: .refreshing), id: 1)
            let next = try #require(await reported(&snapshots) { $0.fetch == .refreshing && $0.error == error })
            #expect(next.value == Self.popular && other.observers == 1 && other.reads.count == 1)
        }
    }

    @Test func cancelledObserverEndsPrimaryAndFallback() async throws {
        first.show(Self.down, id: 1)
        let (first, other) = (first, other)
        let observing = Task {
            for await snapshot in first.orElse(other, named: "popular").observe(id: 1) where snapshot.kept != nil {
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await observing.value
        await untilNobodyObserves(first)
        await untilNobodyObserves(other)
        #expect(other.reads.count == 1)
    }
}
