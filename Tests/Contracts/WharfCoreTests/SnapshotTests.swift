import Testing
import WharfChecks
import WharfCore
import WharfFakes

@Suite struct SnapshotTests {
    private static let kept = Snapshot<Int>.Kept(
        value: 7, source: .httpCache, asOf: WallTime(secondsSince1970: 100), staleAt: WallTime(secondsSince1970: 160)
    )
    private static let failure = ReadFailure(.timedOut, message: "too late")

    @Test func aValueIsGivenAlsoWhenTheRefreshFailed() throws {
        #expect(try Snapshot(kept: Self.kept, error: Self.failure).get() == 7)
        #expect(throws: Self.failure) { try Snapshot<Int>(kept: nil, error: Self.failure).get() }
    }

    @Test func emptySnapshotThrowsNothingKept() {
        #expect { try Snapshot<Int>(kept: nil).get() } throws: { ($0 as? ReadFailure)?.code == .nothingKept }
    }

    @Test func mappingKeepsAgeSourceAndError() {
        let mapped = Snapshot(kept: Self.kept, error: Self.failure, fetch: .refreshing).map { "\($0)" }
        #expect(mapped.value == "7")
        #expect(mapped.kept?.asOf == Self.kept.asOf && mapped.kept?.source == .httpCache)
        #expect(mapped.error == Self.failure && mapped.fetch == .refreshing)
    }

    @Test func throwingMappingFailsAsUnmappable() {
        let mapped = Snapshot(kept: Self.kept).map { _ -> String in throw Self.failure }
        #expect(mapped.kept == nil && mapped.error?.code == .unmappable)
    }

    @Test func ageAndFreshnessFollowTheClock() {
        #expect(Self.kept.age(at: WallTime(secondsSince1970: 130)) == .seconds(30))
        #expect(Self.kept.age(at: WallTime(secondsSince1970: 90)) == .zero)
        #expect(Self.kept.isFresh(at: WallTime(secondsSince1970: 159)))
        #expect(!Self.kept.isFresh(at: WallTime(secondsSince1970: 160)))
    }

    @Test(arguments: [
        (401, true), (404, true), (410, true), (429, true), (501, true), (500, false), (502, false), (503, false),
        (504, false),
    ])
    func onlyServerFailuresMayBeMaskedByAKeptValue(status: Int, isAnswer: Bool) {
        let failure = ReadFailure(.status, message: "", response: HTTPResponse(status: .init(code: status)))
        #expect(failure.isAnswer == isAnswer)
    }
}

@Suite struct RemoteSourceTests {
    private struct Note: Identifiable, Sendable, Equatable {
        let id: Int
    }

    @Test func aPlainClosureKeepsNothing() async {
        let clock = TestClock()
        let source = RemoteSource<Note>(get: { Note(id: $0) }, clock: clock.wall)
        #expect(await source.get(1, .storedOnly).error?.code == .nothingKept)
        let answer = await source.get(1, .normal)
        #expect(answer.value == Note(id: 1) && answer.kept?.asOf == clock.wall.now())
        #expect(source.list == nil)
    }

    @Test func errorThrownByClosureIsTheFailure() async {
        struct Broken: Error {}
        let source = RemoteSource<Note>(get: { _ in throw Broken() }, list: { _ in throw CancellationError() })
        let answer = await source.get(1, .normal)
        #expect(answer.kept == nil && answer.error?.code == .sourceFailed && answer.error?.cause is Broken)
        #expect(await source.list?(EntityQuery(), .normal).error?.code == .cancelled)
    }
}
