import Testing
import WharfCore

@testable import WharfRepository

/// The rules for answers of overlapping requests, tested without tasks.
@Suite struct ModelCacheOverlapTests {
    private typealias AppliedAnswer = ModelCache<Int, String>.AppliedAnswer

    private static let now = WallTime(secondsSince1970: 1_000)

    private var cache = ModelCache<Int, String>(limit: 10)
    private let reported: AsyncStream<Snapshot<String>>
    private let observer: AsyncStream<Snapshot<String>>.Continuation

    init() { (reported, observer) = AsyncStream.makeStream() }

    private static func answer(
        _ value: String, _ source: Source = .network, asOf seconds: Int64, at version: Int64? = nil
    ) -> Snapshot<String> {
        let kept = Snapshot<String>.Kept(value: value, source: source, asOf: WallTime(secondsSince1970: seconds))
        return Snapshot(kept: kept.revised(version.map { .row(StoreVersion($0), changes: 0) }))
    }

    /// The answer of a store lookup, marked with the version of the row.
    private static func looked(_ found: Snapshot<String>) -> MarkedAnswer<String> {
        guard case .row(let version, _)? = found.kept?.revision else { return MarkedAnswer(found) }
        return MarkedAnswer(found, mark: ReadMark(store: version, pending: 0))
    }

    private mutating func watch(_ policy: ReadPolicy, knowing first: Snapshot<String>, asking mode: CacheMode) -> UInt64
    {
        let id = cache.add(observer, for: 1, policy) ?? 0
        cache.start(id, of: 1, first, mode)
        return id
    }

    @discardableResult
    private mutating func absorb(
        _ answer: Snapshot<String>, _ mode: CacheMode?, _ began: UInt64? = nil
    ) -> AppliedAnswer {
        cache.absorb(Self.looked(answer), for: 1, mode, began: began ?? cache.ask(1), at: Self.now)
    }

    /// All snapshots sent to the observer in order, each with the state of its fetch.
    private func everythingTold() async -> [String] {
        observer.finish()
        return await reported.reduce(into: []) { $0.append("\($1.value ?? "-") \($1.fetch)") }
    }

    /// Clients stamp answers on arrival, so the answer that arrives later may still be the older
    /// one.
    @Test(arguments: [10, 30])
    mutating func answerToTheLaterRequestIsKept(asOf: Int64) {
        let (slow, quick) = (cache.ask(1), cache.ask(1))
        absorb(Self.answer("newer", asOf: 20), .reload, quick)
        #expect(absorb(Self.answer("older", asOf: asOf), .bypass, slow).merged.value == "newer")
        #expect(cache.kept(1)?.value == "newer")
    }

    @Test mutating func olderAnswerToOverlappingLaterRequestIsDropped() {
        let (first, second) = (cache.ask(1), cache.ask(1))
        absorb(Self.answer("newer", asOf: 20), .reload, first)
        #expect(absorb(Self.answer("older", asOf: 10), .bypass, second).merged.value == "newer")
        #expect(cache.kept(1)?.value == "newer")
    }

    @Test mutating func networkOnlyObserverIgnoresKeptAnswerOfAnotherRead() async {
        _ = watch(.networkOnly, knowing: Snapshot(kept: nil), asking: .bypass)
        var failed = Self.answer("old", .store, asOf: 10, at: 1)
        failed = Snapshot(kept: failed.kept, error: ReadFailure(.offline, message: "scripted"))
        absorb(failed, .reload)
        #expect(await everythingTold() == ["- refreshing", "- refreshing"])
    }

    @Test mutating func networkOnlyObserverIsNotShownItsLateAnswer() async {
        _ = watch(.networkOnly, knowing: Snapshot(kept: nil), asking: .bypass)
        let (slow, quick) = (cache.ask(1), cache.ask(1))
        absorb(Self.answer("newer", asOf: 20), .reload, quick)
        let late = Self.answer("older", asOf: 30)
        absorb(late, .bypass, slow)
        #expect(await everythingTold() == ["- refreshing", "newer refreshing", "newer idle"])
    }

    /// The store kept its row over the answer. A newer row was shown since.
    @Test mutating func networkOnlyObserverIsNotShownAnOldRowForItsAnswer() async {
        _ = watch(.networkOnly, knowing: Snapshot(kept: nil), asking: .bypass)
        let (slow, quick) = (cache.ask(1), cache.ask(1))
        absorb(Self.answer("newer", asOf: 20, at: 2), .reload, quick)
        absorb(Self.answer("older", .store, asOf: 20, at: 1), .bypass, slow)
        #expect(await everythingTold() == ["- refreshing", "newer refreshing", "newer idle"])
    }

    /// The answer to the later request was absorbed before the observer started.
    @Test mutating func networkOnlyObserverOfLateRequestGetsNewerAnswer() async {
        let (slow, quick) = (cache.ask(1), cache.ask(1))
        absorb(Self.answer("newer", asOf: 20), .reload, quick)
        _ = watch(.networkOnly, knowing: Snapshot(kept: nil), asking: .bypass)
        let late = Self.answer("older", asOf: 30)
        absorb(late, .bypass, slow)
        #expect(await everythingTold() == ["- refreshing", "newer idle"])
    }

    @Test mutating func answerDoesNotRevertNewerUpdate() async {
        let known = Self.answer("a", .httpCache, asOf: 10)
        absorb(known, .storedOnly)
        _ = watch(.standard, knowing: known, asking: .normal)
        absorb(known, .normal)
        absorb(Self.answer("b", .pushed, asOf: 10), nil)
        #expect(await everythingTold() == ["a refreshing", "a idle", "b idle"])
    }

    @Test mutating func refreshAfterAnAnswerIsTold() async {
        _ = watch(.cacheThenNetwork, knowing: Snapshot(kept: nil), asking: .reload)
        absorb(Self.answer("first", asOf: 10), .reload)
        cache.changeRefresh(of: 1) { $0.begin(.reload) }
        absorb(Self.answer("second", asOf: 20), .reload)
        #expect(
            await everythingTold() == ["- refreshing", "first idle", "first refreshing", "second idle"])
    }

    @Test mutating func firstReadOfObserverDoesNotRevertNewerUpdate() async {
        let id = cache.add(observer, for: 1, .cacheThenNetwork) ?? 0
        let look = cache.look(Self.answer("old", .store, asOf: 10))
        absorb(Self.answer("new", asOf: 10), .reload)
        cache.start(id, of: 1, after: look, .reload)
        #expect(await everythingTold() == ["new idle", "new refreshing"])
    }

    @Test mutating func storeReadOvertakenByAnAnswerIsIgnored() async {
        let old = Self.answer("a", .store, asOf: 10, at: 1)
        absorb(old, .storedOnly)
        _ = watch(.standard, knowing: old, asking: .normal)
        absorb(Self.answer("b", asOf: 10, at: 2), .normal)
        cache.absorb(look: Self.looked(old), for: 1)
        #expect(cache.kept(1)?.value == "b")
        #expect(await everythingTold() == ["a refreshing", "b idle"])
    }

    /// Observers get a committed value from the answer of the request that committed it, once.
    @Test(arguments: [CacheMode.reload, .storedOnly])
    mutating func commitIsReportedOnceByItsAnswerDespiteOtherRead(other: CacheMode) async {
        let old = Self.answer("a", .store, asOf: 10, at: 1)
        let new = Self.answer("b", .store, asOf: 10, at: 2)
        absorb(old, .storedOnly)
        _ = watch(.standard, knowing: old, asking: .normal)
        let began = cache.ask(1)
        cache.startCommit(of: 1)
        cache.note(ReadMark(store: StoreVersion(2), pending: 0), of: 1)
        if other == .storedOnly { absorb(new, .storedOnly) }
        #expect(cache.takeUnread().isEmpty)
        cache.endCommit(of: 1)
        absorb(new, .reload, began)
        #expect(await everythingTold() == ["a refreshing", "b refreshing"])
    }
}
