import Testing
import WharfCore

@testable import WharfRepository

/// The rules for replacing a cached value, tested without tasks.
@Suite struct ModelCacheTests {
    private typealias Kept = Snapshot<String>.Kept

    private static func kept(
        _ value: String, _ source: Source = .network, asOf seconds: Int64, _ cacheControl: String? = nil
    ) -> Kept {
        var head = HTTPResponse(status: .ok)
        head.headerFields[.cacheControl] = cacheControl
        return Kept(value: value, source: source, asOf: WallTime(secondsSince1970: seconds), response: head)
    }

    private static let now = WallTime(secondsSince1970: 1_000)

    private static func failure(_ code: ReadFailure.Code) -> Snapshot<String> {
        Snapshot(kept: nil, error: ReadFailure(code, message: "scripted"))
    }

    private static let gone = Snapshot<String>(
        kept: nil, error: ReadFailure(.status, message: "scripted", response: HTTPResponse(status: .gone))
    )

    @Test func aLateAnswerDoesNotReplaceThatOfALaterRequest() {
        var cache = ModelCache<Int, String>(limit: 10)
        let slow = cache.begin()
        let quick = cache.begin()
        _ = cache.absorb(Snapshot(kept: Self.kept("newer", asOf: 20)), for: 1, .reload, began: quick, at: Self.now)
        let late = cache.absorb(
            Snapshot(kept: Self.kept("older", asOf: 10)), for: 1, .reload, began: slow, at: Self.now)
        #expect(late.value == "newer" && cache.kept(1)?.value == "newer")
    }

    @Test func laterAnswerWinsDespiteSlowOriginClock() {
        var cache = ModelCache<Int, String>(limit: 10)
        _ = cache.absorb(
            Snapshot(kept: Self.kept("first", asOf: 20)), for: 1, .reload, began: cache.begin(), at: Self.now)
        _ = cache.absorb(
            Snapshot(kept: Self.kept("second", asOf: 10)), for: 1, .reload, began: cache.begin(), at: Self.now)
        #expect(cache.kept(1)?.value == "second")
    }

    @Test func aStoredAnswerDoesNotReplaceANewerOne() {
        var cache = ModelCache<Int, String>(limit: 10)
        _ = cache.absorb(
            Snapshot(kept: Self.kept("newer", asOf: 20)), for: 1, .reload, began: cache.begin(), at: Self.now)
        let stored = Snapshot(kept: Self.kept("older", .httpCache, asOf: 10), error: Self.failure(.offline).error)
        let merged = cache.absorb(stored, for: 1, .normal, began: cache.begin(), at: Self.now)
        #expect(merged.value == "newer" && merged.kept?.source == .memory && merged.error?.code == .offline)
    }

    @Test(arguments: ["must-revalidate", "max-age=5, Must-Revalidate", "no-cache=\"\"", " no-cache ,private"])
    func mustRevalidateValueIsNotServedIfUnreachable(cacheControl: String) {
        var cache = ModelCache<Int, String>(limit: 10)
        let first = Snapshot(kept: Self.kept("old", asOf: 1, cacheControl))
        _ = cache.absorb(first, for: 1, .reload, began: cache.begin(), at: Self.now)
        let unreachable = cache.absorb(
            Self.failure(.connectionFailed), for: 1, .reload, began: cache.begin(), at: Self.now)
        #expect(unreachable.kept == nil)
        // The service did answer, so the last decodable value stays.
        let unreadable = cache.absorb(Self.failure(.undecodable), for: 1, .reload, began: cache.begin(), at: Self.now)
        #expect(unreadable.value == "old" && unreadable.error?.code == .undecodable)
    }

    @Test(arguments: [",", "=", "  ", "max-age=1", "x-no-cache", "no-cached", "no-cache=\"set-cookie\""])
    func otherDirectivesAllowStaleValueIfUnreachable(cacheControl: String) {
        var cache = ModelCache<Int, String>(limit: 10)
        let first = Snapshot(kept: Self.kept("old", asOf: 1, cacheControl))
        _ = cache.absorb(first, for: 1, .reload, began: cache.begin(), at: Self.now)
        let unreachable = cache.absorb(
            Self.failure(.connectionFailed), for: 1, .reload, began: cache.begin(), at: Self.now)
        #expect(unreachable.value == "old")
    }

    @Test func lateFailureIsIgnoredAndNotReported() async {
        var cache = ModelCache<Int, String>(limit: 10)
        let (stream, continuation) = AsyncStream.makeStream(of: Snapshot<String>.self)
        _ = cache.add(continuation, for: 1, .cacheThenNetwork)
        let slow = cache.begin()
        let quick = cache.begin()
        _ = cache.absorb(Snapshot(kept: Self.kept("newer", asOf: 20)), for: 1, .bypass, began: quick, at: Self.now)
        _ = cache.absorb(Self.failure(.timedOut), for: 1, .reload, began: slow, at: Self.now)
        _ = cache.absorb(Self.gone, for: 1, .normal, began: slow, at: Self.now)
        #expect(cache.kept(1)?.value == "newer")
        continuation.finish()
        var seen: [String?] = []
        for await snapshot in stream { seen.append(snapshot.error?.code.name ?? snapshot.value) }
        #expect(seen == ["newer"])
    }

    @Test func lateAnswerDoesNotRestoreDeletedModel() {
        var cache = ModelCache<Int, String>(limit: 10)
        let slow = cache.begin()
        let quick = cache.begin()
        _ = cache.absorb(Self.gone, for: 1, .bypass, began: quick, at: Self.now)
        _ = cache.absorb(Snapshot(kept: Self.kept("older", asOf: 10)), for: 1, .reload, began: slow, at: Self.now)
        #expect(cache.kept(1) == nil)
    }

    @Test func unchangedAnswerIsNotReportedToObservers() async throws {
        var cache = ModelCache<Int, String>(limit: 10)
        let (stream, continuation) = AsyncStream.makeStream(of: Snapshot<String>.self)
        let stored = Snapshot(kept: Self.kept("kept", .httpCache, asOf: 10))
        _ = cache.absorb(stored, for: 1, .normal, began: cache.begin(), at: Self.now)
        let added = cache.add(continuation, for: 1, .cacheThenNetwork)
        let observer = try #require(added)
        cache.start(observer, of: 1, stored, .reload)
        _ = cache.absorb(stored, for: 1, .normal, began: cache.begin(), at: Self.now)
        // Another reader's answer is newer, and this observer's own refresh is still open.
        let newer = Snapshot(kept: Self.kept("newer", asOf: 20))
        _ = cache.absorb(newer, for: 1, .normal, began: cache.begin(), at: Self.now)
        _ = cache.absorb(newer, for: 1, .reload, began: cache.begin(), at: Self.now)
        continuation.finish()
        var seen: [String] = []
        for await snapshot in stream { seen.append("\(snapshot.value ?? "") \(snapshot.fetch)") }
        #expect(seen == ["kept refreshing", "newer refreshing", "newer idle"])
    }

    @Test func failedReadsEvictNoValue() {
        var cache = ModelCache<Int, String>(limit: 3)
        for key in 1...3 {
            let value = Snapshot(kept: Self.kept("\(key)", asOf: 1))
            _ = cache.absorb(value, for: key, .normal, began: cache.begin(), at: Self.now)
        }
        for key in 4...50 {
            _ = cache.absorb(Self.failure(.offline), for: key, .normal, began: cache.begin(), at: Self.now)
        }
        #expect((1...3).allSatisfy { cache.kept($0) != nil })
    }

    @Test func mustRevalidateValueIsServedWhileFresh() {
        var cache = ModelCache<Int, String>(limit: 3)
        let fresh = Kept(
            value: "fresh", source: .network, asOf: Self.now, staleAt: Self.now + .seconds(60),
            response: HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=60, must-revalidate"])
        )
        _ = cache.absorb(Snapshot(kept: fresh), for: 1, .normal, began: cache.begin(), at: Self.now)
        let early = cache.absorb(Self.failure(.offline), for: 1, .reload, began: cache.begin(), at: Self.now)
        #expect(early.value == "fresh")
        let late = Self.now + .seconds(60)
        #expect(cache.absorb(Self.failure(.offline), for: 1, .reload, began: cache.begin(), at: late).kept == nil)
    }

    @Test func leastRecentlyUsedAreEvictedUnlessObserved() async {
        var cache = ModelCache<Int, String>(limit: 3)
        let (stream, continuation) = AsyncStream.makeStream(of: Snapshot<String>.self)
        _ = cache.add(continuation, for: 1, .cacheThenNetwork)
        for key in 1...6 {
            let value = Snapshot(kept: Self.kept("\(key)", asOf: 1))
            _ = cache.absorb(value, for: key, .normal, began: cache.begin(), at: Self.now)
        }
        #expect((1...6).filter { cache.kept($0) != nil } == [1, 5, 6])
        withExtendedLifetime(stream) {}
    }

    @Test func cancelledReadIsNotReportedToObservers() async {
        var cache = ModelCache<Int, String>(limit: 3)
        let (stream, continuation) = AsyncStream.makeStream(of: Snapshot<String>.self)
        _ = cache.add(continuation, for: 1, .cacheThenNetwork)
        _ = cache.absorb(Self.failure(.cancelled), for: 1, .reload, began: cache.begin(), at: Self.now)
        _ = cache.absorb(Self.failure(.offline), for: 1, .reload, began: cache.begin(), at: Self.now)
        continuation.finish()
        var seen: [ReadFailure.Code?] = []
        for await snapshot in stream { seen.append(snapshot.error?.code) }
        #expect(seen == [.offline])
    }
}

extension ModelCache {
    /// Absorbs an answer that carries no store version.
    mutating func absorb(
        _ answer: Snapshot<Value>, for key: Key, _ mode: CacheMode?, began: UInt64, at now: WallTime
    ) -> Snapshot<Value> {
        absorb(MarkedAnswer(answer), for: key, mode, began: began, at: now).merged
    }

    /// A store lookup that has finished with the given result.
    mutating func look(_ found: Snapshot<Value>) -> AppliedAnswer {
        AppliedAnswer(MarkedAnswer(found), found, .storedOnly, isLate: false, at: begin())
    }

    /// Gives an observer its first snapshot as soon as its store lookup has finished.
    mutating func start(_ observer: UInt64, of key: Key, _ found: Snapshot<Value>, _ mode: CacheMode?) {
        start(observer, of: key, after: look(found), mode)
    }

    /// Gives an observer its first snapshot, after a request in the mode has begun.
    mutating func start(_ observer: UInt64, of key: Key, after look: AppliedAnswer?, _ mode: CacheMode?) {
        if let mode { changeRefresh(of: key) { $0.begin(mode) } }
        start(observer, of: key, after: look, isSettled: mode == nil)
    }
}
