import Testing
import WharfCore

@testable import WharfRepository

/// The rules about what replaces what, without tasks.
@Suite struct ShelfTests {
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
        var shelf = Shelf<Int, String>(limit: 10)
        let slow = shelf.begin()
        let quick = shelf.begin()
        _ = shelf.absorb(Snapshot(kept: Self.kept("newer", asOf: 20)), for: 1, .reload, began: quick, at: Self.now)
        let late = shelf.absorb(
            Snapshot(kept: Self.kept("older", asOf: 10)), for: 1, .reload, began: slow, at: Self.now)
        #expect(late.value == "newer" && shelf.kept(1)?.value == "newer")
    }

    @Test func anOriginWhoseClockIsBehindIsStillHeard() {
        var shelf = Shelf<Int, String>(limit: 10)
        _ = shelf.absorb(
            Snapshot(kept: Self.kept("first", asOf: 20)), for: 1, .reload, began: shelf.begin(), at: Self.now)
        _ = shelf.absorb(
            Snapshot(kept: Self.kept("second", asOf: 10)), for: 1, .reload, began: shelf.begin(), at: Self.now)
        #expect(shelf.kept(1)?.value == "second")
    }

    @Test func aStoredAnswerDoesNotReplaceANewerOne() {
        var shelf = Shelf<Int, String>(limit: 10)
        _ = shelf.absorb(
            Snapshot(kept: Self.kept("newer", asOf: 20)), for: 1, .reload, began: shelf.begin(), at: Self.now)
        let stored = Snapshot(kept: Self.kept("older", .httpCache, asOf: 10), error: Self.failure(.offline).error)
        let merged = shelf.absorb(stored, for: 1, .normal, began: shelf.begin(), at: Self.now)
        #expect(merged.value == "newer" && merged.kept?.source == .memory && merged.error?.code == .offline)
    }

    @Test(arguments: ["must-revalidate", "max-age=5, Must-Revalidate", "no-cache=\"\"", " no-cache ,private"])
    func whatMustBeRevalidatedDoesNotStandInForAnUnreachableService(cacheControl: String) {
        var shelf = Shelf<Int, String>(limit: 10)
        let first = Snapshot(kept: Self.kept("old", asOf: 1, cacheControl))
        _ = shelf.absorb(first, for: 1, .reload, began: shelf.begin(), at: Self.now)
        let unreachable = shelf.absorb(
            Self.failure(.connectionFailed), for: 1, .reload, began: shelf.begin(), at: Self.now)
        #expect(unreachable.kept == nil)
        // The service answered this time: the last value that could be read stays.
        let unreadable = shelf.absorb(Self.failure(.undecodable), for: 1, .reload, began: shelf.begin(), at: Self.now)
        #expect(unreadable.value == "old" && unreadable.error?.code == .undecodable)
    }

    @Test(arguments: [",", "=", "  ", "max-age=1", "x-no-cache", "no-cached", "no-cache=\"set-cookie\""])
    func otherDirectivesLetItStandIn(cacheControl: String) {
        var shelf = Shelf<Int, String>(limit: 10)
        let first = Snapshot(kept: Self.kept("old", asOf: 1, cacheControl))
        _ = shelf.absorb(first, for: 1, .reload, began: shelf.begin(), at: Self.now)
        let unreachable = shelf.absorb(
            Self.failure(.connectionFailed), for: 1, .reload, began: shelf.begin(), at: Self.now)
        #expect(unreachable.value == "old")
    }

    @Test func aLateFailureTakesNothingBackAndIsNoNews() async {
        var shelf = Shelf<Int, String>(limit: 10)
        let (stream, continuation) = AsyncStream.makeStream(of: Snapshot<String>.self)
        _ = shelf.add(continuation, for: 1, .cacheThenNetwork)
        let slow = shelf.begin()
        let quick = shelf.begin()
        _ = shelf.absorb(Snapshot(kept: Self.kept("newer", asOf: 20)), for: 1, .bypass, began: quick, at: Self.now)
        _ = shelf.absorb(Self.failure(.timedOut), for: 1, .reload, began: slow, at: Self.now)
        _ = shelf.absorb(Self.gone, for: 1, .normal, began: slow, at: Self.now)
        #expect(shelf.kept(1)?.value == "newer")
        continuation.finish()
        var seen: [String?] = []
        for await snapshot in stream { seen.append(snapshot.error?.code.name ?? snapshot.value) }
        #expect(seen == ["newer"])
    }

    @Test func aLateAnswerDoesNotBringBackWhatIsGone() {
        var shelf = Shelf<Int, String>(limit: 10)
        let slow = shelf.begin()
        let quick = shelf.begin()
        _ = shelf.absorb(Self.gone, for: 1, .bypass, began: quick, at: Self.now)
        _ = shelf.absorb(Snapshot(kept: Self.kept("older", asOf: 10)), for: 1, .reload, began: slow, at: Self.now)
        #expect(shelf.kept(1) == nil)
    }

    @Test func whatIsKeptAlreadyIsNoNews() async throws {
        var shelf = Shelf<Int, String>(limit: 10)
        let (stream, continuation) = AsyncStream.makeStream(of: Snapshot<String>.self)
        let stored = Snapshot(kept: Self.kept("kept", .httpCache, asOf: 10))
        _ = shelf.absorb(stored, for: 1, .normal, began: shelf.begin(), at: Self.now)
        let added = shelf.add(continuation, for: 1, .cacheThenNetwork)
        let observer = try #require(added)
        shelf.tell(observer, of: 1, stored, refresh: .reload)
        _ = shelf.absorb(stored, for: 1, .normal, began: shelf.begin(), at: Self.now)
        // Another's read brings something newer while this observer's own refresh goes on.
        let newer = Snapshot(kept: Self.kept("newer", asOf: 20))
        _ = shelf.absorb(newer, for: 1, .normal, began: shelf.begin(), at: Self.now)
        _ = shelf.absorb(newer, for: 1, .reload, began: shelf.begin(), at: Self.now)
        continuation.finish()
        var seen: [String] = []
        for await snapshot in stream { seen.append("\(snapshot.value ?? "") \(snapshot.fetch)") }
        #expect(seen == ["kept refreshing", "newer refreshing", "newer idle"])
    }

    @Test func answersThatBringNothingPushNoValueOut() {
        var shelf = Shelf<Int, String>(limit: 3)
        for key in 1...3 {
            let value = Snapshot(kept: Self.kept("\(key)", asOf: 1))
            _ = shelf.absorb(value, for: key, .normal, began: shelf.begin(), at: Self.now)
        }
        for key in 4...50 {
            _ = shelf.absorb(Self.failure(.offline), for: key, .normal, began: shelf.begin(), at: Self.now)
        }
        #expect((1...3).allSatisfy { shelf.kept($0) != nil })
    }

    @Test func aFreshAnswerThatMustBeRevalidatedWhenStaleStandsIn() {
        var shelf = Shelf<Int, String>(limit: 3)
        let fresh = Kept(
            value: "fresh", source: .network, asOf: Self.now, staleAt: Self.now + .seconds(60),
            response: HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=60, must-revalidate"])
        )
        _ = shelf.absorb(Snapshot(kept: fresh), for: 1, .normal, began: shelf.begin(), at: Self.now)
        let early = shelf.absorb(Self.failure(.offline), for: 1, .reload, began: shelf.begin(), at: Self.now)
        #expect(early.value == "fresh")
        let late = Self.now + .seconds(60)
        #expect(shelf.absorb(Self.failure(.offline), for: 1, .reload, began: shelf.begin(), at: late).kept == nil)
    }

    @Test func theLongestUnreadGoFirstAndObservedOnesStay() async {
        var shelf = Shelf<Int, String>(limit: 3)
        let (stream, continuation) = AsyncStream.makeStream(of: Snapshot<String>.self)
        _ = shelf.add(continuation, for: 1, .cacheThenNetwork)
        for key in 1...6 {
            let value = Snapshot(kept: Self.kept("\(key)", asOf: 1))
            _ = shelf.absorb(value, for: key, .normal, began: shelf.begin(), at: Self.now)
        }
        #expect((1...6).filter { shelf.kept($0) != nil } == [1, 5, 6])
        withExtendedLifetime(stream) {}
    }

    @Test func thatSomebodyGaveUpIsNoNewsForObservers() async {
        var shelf = Shelf<Int, String>(limit: 3)
        let (stream, continuation) = AsyncStream.makeStream(of: Snapshot<String>.self)
        _ = shelf.add(continuation, for: 1, .cacheThenNetwork)
        _ = shelf.absorb(Self.failure(.cancelled), for: 1, .reload, began: shelf.begin(), at: Self.now)
        _ = shelf.absorb(Self.failure(.offline), for: 1, .reload, began: shelf.begin(), at: Self.now)
        continuation.finish()
        var seen: [ReadFailure.Code?] = []
        for await snapshot in stream { seen.append(snapshot.error?.code) }
        #expect(seen == [.offline])
    }
}
