import Testing
import WharfCore

@testable import WharfRepository

/// The rules for cached values of a store that other writers change, tested without tasks.
@Suite struct ModelCacheStoreTests {
    private static let now = WallTime(secondsSince1970: 1_000)

    private var cache = ModelCache<Int, String>(limit: 10)

    private static func mark(_ version: Int64) -> ReadMark { ReadMark(store: StoreVersion(version), pending: 0) }

    /// The answer of a store lookup at a version.
    private static func stored(
        _ value: String, at version: Int64, asOf seconds: Int64 = 10, source: Source = .store
    ) -> MarkedAnswer<String> {
        let kept = Snapshot<String>.Kept(value: value, source: source, asOf: WallTime(secondsSince1970: seconds))
        return MarkedAnswer(
            Snapshot(kept: kept.revised(.row(StoreVersion(version), changes: 0))), mark: mark(version))
    }

    private static func nothing(at version: Int64) -> MarkedAnswer<String> {
        MarkedAnswer(Snapshot(kept: nil, error: .nothingKept), mark: mark(version))
    }

    private mutating func read(_ answer: MarkedAnswer<String>, _ began: UInt64? = nil) {
        let began = began ?? cache.ask(1)
        _ = cache.absorb(answer, for: 1, .storedOnly, began: began, at: Self.now)
    }

    private mutating func change(at version: Int64, _ keys: Int...) {
        for key in keys { cache.note(Self.mark(version), of: key) }
    }

    private mutating func watch(_ policy: ReadPolicy) -> (UInt64, AsyncStream<Snapshot<String>>, () -> Void) {
        let (stream, continuation) = AsyncStream.makeStream(of: Snapshot<String>.self)
        return (cache.add(continuation, for: 1, policy) ?? 0, stream, { continuation.finish() })
    }

    @Test mutating func valueIsTrustedUntilTheStoreChanges() {
        read(Self.stored("a", at: 1))
        #expect(cache.current(1)?.value == "a")
        change(at: 2, 1)
        #expect(cache.current(1) == nil)
    }

    @Test mutating func valueReadDuringStoreChangeIsNotTrusted() {
        let began = cache.ask(1)
        change(at: 2, 1)
        read(Self.stored("a", at: 1), began)
        #expect(cache.current(1) == nil)
        read(Self.stored("b", at: 2))
        #expect(cache.current(1)?.value == "b")
    }

    @Test mutating func staleEmptyReadDoesNotRemoveNewerValue() {
        let began = cache.ask(1)
        read(Self.stored("a", at: 2))
        read(Self.nothing(at: 1), began)
        #expect(cache.kept(1)?.value == "a")
        read(Self.nothing(at: 3))
        #expect(cache.kept(1) == nil)
    }

    @Test mutating func heldKeyReceivesAChangeAfterItsRead() {
        cache.hold(1)
        read(Self.nothing(at: 1))
        let look = StoreRead<String>(mark: Self.mark(1))
        #expect(cache.isNewest(look, 1))
        change(at: 2, 1)
        _ = cache.ask(1)
        #expect(!cache.isNewest(look, 1))
    }

    @Test mutating func releasedKeyWithoutAValueIsForgotten() {
        cache.hold(1)
        read(Self.nothing(at: 1))
        cache.release(1)
        #expect(cache.entries[1] == nil)
    }

    @Test mutating func changesToOtherKeysLeaveValueTrusted() {
        let began = cache.ask(1)
        change(at: 2, 2, 3)
        read(Self.stored("a", at: 1), began)
        #expect(cache.current(1)?.value == "a")
    }

    @Test mutating func newerStoreVersionWinsDespiteOlderDate() {
        read(Self.stored("a", at: 1, asOf: 20))
        read(Self.stored("undone", at: 2, asOf: 10))
        #expect(cache.current(1)?.value == "undone")
    }

    @Test mutating func staleReadHasNoEffect() {
        read(Self.stored("new", at: 2))
        read(Self.stored("old", at: 1, asOf: 20))
        #expect(cache.current(1)?.value == "new")
    }

    @Test mutating func lookWithAnotherValueUpdatesObservers() async {
        read(Self.stored("old", at: 1))
        let (observer, reported, finish) = watch(.cacheFirst)
        cache.start(observer, of: 1, Self.stored("old", at: 1).snapshot, nil)
        change(at: 2, 1)
        read(Self.stored("new", at: 2))
        finish()
        #expect(await reported.reduce(into: []) { $0.append($1.value) } == ["old", "new"])
    }

    @Test mutating func commitOfOpenRequestIsReportedOnceByItsAnswer() async {
        let (observer, reported, finish) = watch(.cacheThenNetwork)
        cache.start(observer, of: 1, Snapshot(kept: nil), .reload)
        let began = cache.ask(1)
        cache.startCommit(of: 1)
        change(at: 7, 1)
        // The answer of the commit notifies the observers.
        #expect(cache.takeUnread().isEmpty)
        cache.endCommit(of: 1)
        let answer = Self.stored("new", at: 7, source: .network)
        _ = cache.absorb(answer, for: 1, .reload, began: began, at: Self.now)
        cache.absorb(look: Self.stored("new", at: 7), for: 1)
        cache.absorb(look: Self.stored("another's", at: 8), for: 1)
        finish()
        let seen = await reported.reduce(into: []) { $0.append("\($1.value ?? "-") \($1.fetch)") }
        #expect(seen == ["- refreshing", "new idle", "another's idle"])
    }

    @Test mutating func commitOfTheReadItselfIsNotReportedAgain() async {
        let (observer, reported, finish) = watch(.cacheThenNetwork)
        let began = cache.ask(1)
        cache.startCommit(of: 1)
        change(at: 7, 1)
        cache.endCommit(of: 1)
        let answer = Self.stored("old", at: 7, source: .httpCache)
        _ = cache.absorb(answer, for: 1, .storedOnly, began: began, at: Self.now)
        cache.start(observer, of: 1, answer.snapshot, .reload)
        // The lookup of a slow store finishes only now.
        cache.absorb(look: Self.stored("old", at: 7), for: 1)
        finish()
        #expect(await reported.reduce(into: []) { $0.append("\($1.value ?? "-") \($1.fetch)") } == ["old refreshing"])
    }

    @Test mutating func landedCommitLeavesNothingUnread() {
        let (_, _, finish) = watch(.cacheThenNetwork)
        let began = cache.ask(1)
        cache.startCommit(of: 1)
        change(at: 7, 1)
        #expect(cache.unread == [1])
        cache.endCommit(of: 1)
        _ = cache.absorb(Self.stored("new", at: 7, source: .network), for: 1, .reload, began: began, at: Self.now)
        #expect(cache.unread.isEmpty)
        finish()
    }

    @Test(arguments: [true, false])
    mutating func commitOfCancelledRequestIsReported(isLookedAt: Bool) async {
        let (observer, reported, finish) = watch(.cacheFirst)
        read(Self.stored("old", at: 1))
        cache.start(observer, of: 1, Self.stored("old", at: 1).snapshot, nil)
        let (began, look) = (cache.ask(1), cache.ask(1))
        cache.startCommit(of: 1)
        change(at: 7, 1)
        #expect(cache.takeUnread().isEmpty)
        let cancelled = MarkedAnswer<String>(Snapshot(kept: nil, error: ReadFailure(.cancelled, message: "cancelled")))
        cache.endCommit(of: 1)
        _ = cache.absorb(cancelled, for: 1, .reload, began: began, at: Self.now)
        read(isLookedAt ? Self.stored("new", at: 7) : cancelled, look)
        #expect(cache.takeUnread() == (isLookedAt ? [] : [1]))
        cache.absorb(look: Self.stored("new", at: 7), for: 1)
        finish()
        #expect(await reported.reduce(into: []) { $0.append($1.value) } == ["old", "new"])
    }

    @Test mutating func observedKeyStaysUnreadAfterAFailedLook() async {
        read(Self.stored("old", at: 1))
        let (observer, reported, finish) = watch(.cacheOnly)
        cache.start(observer, of: 1, Self.stored("old", at: 1).snapshot, nil)
        change(at: 2, 1)
        #expect(cache.takeUnread() == [1])
        cache.absorb(look: Self.failed(.failed), for: 1)
        #expect(cache.takeUnread() == [1])
        // A closed store is not asked again.
        cache.absorb(look: Self.failed(.closed), for: 1)
        #expect(cache.takeUnread().isEmpty)
        finish()
        #expect(await reported.reduce(into: []) { $0.append($1.value) } == ["old"])
    }

    private static func failed(_ code: StoreError.Code) -> MarkedAnswer<String> {
        let cause = StoreError(code, message: "scripted")
        return MarkedAnswer(Snapshot(kept: nil, error: ReadFailure(.storeFailed, message: "scripted", cause: cause)))
    }

    @Test mutating func removalFromStoreClearsStoredValuesOnly() {
        read(Self.stored("a", at: 1))
        read(Self.nothing(at: 2))
        #expect(cache.kept(1) == nil)
        let unstored = Snapshot<String>.Kept(value: "secret", source: .network, asOf: Self.now)
        _ = cache.absorb(Snapshot(kept: unstored), for: 1, .reload, began: cache.ask(1), at: Self.now)
        read(Self.nothing(at: 3))
        #expect(cache.kept(1)?.value == "secret")
    }

    @Test mutating func doubtedValueIsTrustedAfterTheNextRead() {
        read(Self.stored("a", at: 1))
        _ = cache.ask(1)
        cache.doubt(1)
        #expect(cache.current(1) == nil)
        read(Self.stored("a", at: 1))
        #expect(cache.current(1)?.value == "a")
    }
}
