import Testing
import WharfCore

@testable import WharfRepository

/// The rules about answers that were on their way at the same time, without tasks.
@Suite struct ShelfOverlapTests {
    private typealias Answer = ReadThrough<Int, String>.Answer

    private static let now = WallTime(secondsSince1970: 1_000)

    private var shelf = Shelf<Int, String>(limit: 10)
    private let told: AsyncStream<Snapshot<String>>
    private let observer: AsyncStream<Snapshot<String>>.Continuation

    init() { (told, observer) = AsyncStream.makeStream() }

    private static func answer(
        _ value: String, _ source: Source = .network, asOf seconds: Int64, stamp: Int? = nil
    ) -> Snapshot<String> {
        let kept = Snapshot<String>.Kept(value: value, source: source, asOf: WallTime(secondsSince1970: seconds))
        return Snapshot(kept: kept.stamped(stamp))
    }

    private mutating func watch(_ policy: ReadPolicy, knowing first: Snapshot<String>, asking mode: CacheMode) -> UInt64
    {
        let id = shelf.add(observer, for: 1, policy) ?? 0
        shelf.tell(id, of: 1, first, refresh: mode)
        return id
    }

    @discardableResult
    private mutating func absorb(
        _ answer: Snapshot<String>, _ mode: CacheMode?, _ began: UInt64? = nil
    ) -> Snapshot<String> {
        shelf.absorb(answer, for: 1, mode, began: began ?? shelf.ask(1), at: Self.now)
    }

    /// In order, with the state of the refresh.
    private func everythingTold() async -> [String] {
        observer.finish()
        return await told.reduce(into: []) { $0.append("\($1.value ?? "-") \($1.fetch)") }
    }

    /// Clients stamp answers when they arrive: the later of two may be older all the same.
    @Test(arguments: [10, 30])
    mutating func theAnswerToTheLaterQuestionStays(asOf: Int64) {
        let (slow, quick) = (shelf.ask(1), shelf.ask(1))
        absorb(Self.answer("newer", asOf: 20), .reload, quick)
        #expect(absorb(Self.answer("older", asOf: asOf), .bypass, slow).value == "newer")
        #expect(shelf.kept(1)?.value == "newer")
    }

    @Test mutating func ofTwoThatOverlapTheOriginsOlderIsLateThoughItWasAskedForLater() {
        let (first, second) = (shelf.ask(1), shelf.ask(1))
        absorb(Self.answer("newer", asOf: 20), .reload, first)
        #expect(absorb(Self.answer("older", asOf: 10), .bypass, second).value == "newer")
        #expect(shelf.kept(1)?.value == "newer")
    }

    @Test mutating func whoAsksTheNetworkAloneIsNotShownWhatStoodInForAnothersAnswer() async {
        _ = watch(.networkOnly, knowing: Snapshot(kept: nil), asking: .bypass)
        var failed = Self.answer("old", .store, asOf: 10, stamp: 1)
        failed = Snapshot(kept: failed.kept, error: ReadFailure(.offline, message: "scripted"))
        absorb(failed, .reload)
        #expect(await everythingTold() == ["- refreshing", "- refreshing"])
    }

    @Test mutating func whoAsksTheNetworkAloneIsNotShownItsOwnLateAnswer() async {
        let id = watch(.networkOnly, knowing: Snapshot(kept: nil), asking: .bypass)
        let (slow, quick) = (shelf.ask(1), shelf.ask(1))
        absorb(Self.answer("newer", asOf: 20), .reload, quick)
        let late = Self.answer("older", asOf: 30)
        let answer = Answer(raw: late, merged: absorb(late, .bypass, slow), landed: shelf.begin())
        shelf.settle(id, of: 1, answer, .bypass)
        #expect(await everythingTold() == ["- refreshing", "newer refreshing", "newer idle"])
    }

    @Test mutating func newsSinceAnAnswerIsNotTakenBackByIt() async {
        let known = Self.answer("a", .httpCache, asOf: 10)
        absorb(known, .storedOnly)
        let id = watch(.standard, knowing: known, asking: .normal)
        let answer = Answer(raw: known, merged: absorb(known, .normal), landed: shelf.begin())
        absorb(Self.answer("b", .pushed, asOf: 10), nil)
        shelf.settle(id, of: 1, answer, .normal)
        #expect(await everythingTold() == ["a refreshing", "b refreshing", "b idle"])
    }

    @Test mutating func whoeverIsSlowToHearOfAnAnswerDoesNotEndTheNextRefresh() async {
        let id = watch(.cacheThenNetwork, knowing: Snapshot(kept: nil), asking: .reload)
        let merged = absorb(Self.answer("first", asOf: 10), .reload)
        let first = Answer(raw: merged, merged: merged, landed: shelf.begin())
        _ = shelf.startRefreshes { _, _, _ in true }
        shelf.settle(id, of: 1, first, .reload)
        absorb(Self.answer("second", asOf: 20), .reload)
        #expect(
            await everythingTold() == ["- refreshing", "first idle", "first refreshing", "second idle"])
    }

    @Test mutating func newsWhileAnObserverLooksForItsFirstValueIsNotTakenBackByThat() async {
        let id = shelf.add(observer, for: 1, .cacheThenNetwork) ?? 0
        absorb(Self.answer("new", asOf: 10), .reload)
        shelf.tell(id, of: 1, Self.answer("old", .store, asOf: 10), refresh: .reload)
        #expect(await everythingTold() == ["new idle", "new refreshing"])
    }

    @Test mutating func aLookAtTheStoreDuringWhichSomethingCameIsNoLook() async {
        let old = Self.answer("a", .store, asOf: 10, stamp: 1)
        absorb(old, .storedOnly)
        _ = watch(.standard, knowing: old, asking: .normal)
        let began = shelf.begin()
        absorb(Self.answer("b", asOf: 10, stamp: 2), .normal)
        let isDone = shelf.absorbStored(old, for: 1, began: began)
        #expect(!isDone && shelf.kept(1)?.value == "b")
        #expect(await everythingTold() == ["a refreshing", "b idle"])
    }

    /// Of what a question commits nobody else tells.
    @Test(arguments: [CacheMode.reload, .storedOnly])
    mutating func whatAnotherHasSeenFirstIsToldByTheAnswerThatCommittedIt(other: CacheMode) async {
        let old = Self.answer("a", .store, asOf: 10, stamp: 1)
        let new = Self.answer("b", .store, asOf: 10, stamp: 2)
        absorb(old, .storedOnly)
        _ = watch(.standard, knowing: old, asking: .normal)
        let began = shelf.ask(1)
        shelf.expect(2, for: 1, of: began)
        _ = shelf.changed([1])
        if other == .storedOnly { absorb(new, .storedOnly) }
        let isDone = shelf.absorbStored(new, for: 1, began: shelf.begin())
        #expect(isDone)
        absorb(new, .reload, began)
        #expect(await everythingTold() == ["a refreshing", "b refreshing"])
    }
}
