import Testing
import WharfCore

@testable import WharfRepository

/// An observer's last snapshot is the state of its key, in every order of lookups, requests and
/// notifications.
@Suite struct LastSnapshotTests {
    private typealias AppliedAnswer = ModelCache<Int, String>.AppliedAnswer

    private static let now = WallTime(secondsSince1970: 1_000)

    private var cache = ModelCache<Int, String>(limit: 10)
    private let reported: AsyncStream<Snapshot<String>>
    private let observer: AsyncStream<Snapshot<String>>.Continuation

    init() { (reported, observer) = AsyncStream.makeStream(of: Snapshot<String>.self) }

    private static func row(_ value: String, at version: Int64) -> MarkedAnswer<String> {
        let kept = Snapshot<String>.Kept(value: value, source: .store, asOf: now)
        return MarkedAnswer(
            Snapshot(kept: kept.revised(.row(StoreVersion(version), changes: 0))), mark: mark(version))
    }

    private static func nothing(at version: Int64) -> MarkedAnswer<String> {
        MarkedAnswer(Snapshot(kept: nil, error: .nothingKept), mark: mark(version))
    }

    private static func mark(_ version: Int64) -> ReadMark { ReadMark(store: StoreVersion(version), pending: 0) }

    private static func unstored(_ value: String) -> MarkedAnswer<String> {
        MarkedAnswer(Snapshot(kept: .init(value: value, source: .network, asOf: now)))
    }

    private static let notFound = Snapshot<String>(
        kept: nil, error: ReadFailure(.status, message: "scripted: 404", response: HTTPResponse(status: .notFound)))

    @discardableResult
    private mutating func land(
        _ answer: MarkedAnswer<String>, _ mode: CacheMode, _ began: UInt64? = nil
    ) -> AppliedAnswer {
        cache.absorb(answer, for: 1, mode, began: began ?? cache.ask(1), at: Self.now)
    }

    private mutating func observe(_ policy: ReadPolicy) -> UInt64 { cache.add(observer, for: 1, policy) ?? 0 }

    /// A commit that the store announces, and the lookup that follows.
    private mutating func commit(_ look: MarkedAnswer<String>) {
        cache.note(look.mark ?? .none, of: 1)
        #expect(cache.takeUnread() == [1])
        cache.absorb(look: look, for: 1)
    }

    private func last() async -> Snapshot<String>? {
        observer.finish()
        return await reported.reduce(nil) { $1 }
    }

    @Test mutating func overtakenLateAnswerIsNotTheLastSnapshot() async {
        let observer = observe(.cacheThenNetwork)
        cache.start(observer, of: 1, after: land(Self.row("old", at: 5), .storedOnly), .reload)
        let began = cache.ask(1)
        commit(Self.row("new", at: 6))
        land(MarkedAnswer(Self.notFound, mark: Self.mark(6), isOvertaken: true), .reload, began)
        let last = await last()
        #expect(last?.value == "new" && last?.fetch == .idle && last?.error == nil)
    }

    @Test mutating func aDeletedModelDoesNotReturnWithALateAnswer() async {
        let observer = observe(.networkFirst)
        land(Self.unstored("deleted"), .reload)
        cache.start(observer, of: 1, after: nil, .reload)
        let began = cache.ask(1)
        cache.remove(1)
        land(Self.unstored("deleted"), .reload, began)
        let last = await last()
        #expect(last != nil && last?.value == nil && last?.fetch == .idle)
    }

    @Test mutating func theFirstCommitOfAnAccountIsReported() async {
        let observer = observe(.cacheOnly)
        cache.start(observer, of: 1, after: land(Self.nothing(at: 0), .storedOnly), nil)
        land(Self.row("first", at: 1), .storedOnly)
        cache.note(Self.mark(1), of: 1)
        #expect(await last()?.value == "first")
    }

    @Test(arguments: [ReadPolicy.cacheOnly, .cacheFirst])
    mutating func aCommitBetweenAReadAndItsSnapshotIsReported(policy: ReadPolicy) async {
        let observer = observe(policy)
        let look = land(Self.nothing(at: 1), .storedOnly)
        commit(Self.row("new", at: 2))
        cache.start(observer, of: 1, after: look, nil)
        let last = await last()
        #expect(last?.value == "new" && last?.error == nil)
    }

    @Test mutating func aRemovalBetweenAReadAndItsSnapshotIsReported() async {
        let observer = observe(.cacheOnly)
        let look = land(Self.row("old", at: 1), .storedOnly)
        commit(Self.nothing(at: 2))
        cache.start(observer, of: 1, after: look, nil)
        let last = await last()
        #expect(last != nil && last?.value == nil && last?.error?.code == .nothingKept)
    }

    @Test mutating func removalAfterAnAnswerIsNotRevertedByIt() async {
        let observer = observe(.cacheThenNetwork)
        cache.start(observer, of: 1, after: land(Self.row("old", at: 1), .storedOnly), .reload)
        land(Self.row("old", at: 1), .reload)
        commit(Self.nothing(at: 2))
        #expect(await last()?.value == nil)
    }

    /// A lookup may read a commit before the store announces it.
    @Test mutating func storeReadAheadOfItsNotificationUpdatesObservers() async {
        let observer = observe(.cacheFirst)
        cache.start(observer, of: 1, after: land(Self.row("old", at: 1), .storedOnly), nil)
        land(Self.row("new", at: 2), .storedOnly)
        cache.note(Self.mark(2), of: 1)
        #expect(cache.takeUnread().isEmpty)
        #expect(await last()?.value == "new")
    }

    @Test mutating func aRemovalThatACancelledRequestHasSeenIsReported() async {
        let observer = observe(.cacheFirst)
        cache.start(observer, of: 1, after: land(Self.row("old", at: 1), .storedOnly), nil)
        let cancelled = Snapshot<String>(kept: nil, error: ReadFailure(.cancelled, message: "scripted"))
        land(MarkedAnswer(cancelled, mark: Self.mark(2)), .reload)
        cache.note(Self.mark(2), of: 1)
        #expect(cache.takeUnread().isEmpty)
        let last = await last()
        #expect(last != nil && last?.value == nil)
    }

    @Test mutating func anAnswerFromBeforeAnInvalidationIsStale() {
        let began = cache.ask(1)
        cache.makeStale { key, _ in key == 1 }
        land(Self.unstored("old"), .reload, began)
        #expect(cache.kept(1)?.isFresh(at: Self.now) == false)
        land(Self.unstored("new"), .reload)
        #expect(cache.kept(1)?.staleAt == nil)
    }
}
