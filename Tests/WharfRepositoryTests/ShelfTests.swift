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

    private static func failure(_ code: ReadFailure.Code) -> Snapshot<String> {
        Snapshot(kept: nil, error: ReadFailure(code, message: "scripted"))
    }

    @Test func aLateAnswerDoesNotReplaceThatOfALaterRequest() {
        var shelf = Shelf<Int, String>(limit: 10)
        let slow = shelf.begin()
        let quick = shelf.begin()
        _ = shelf.absorb(Snapshot(kept: Self.kept("newer", asOf: 20)), for: 1, .reload, began: quick)
        let late = shelf.absorb(Snapshot(kept: Self.kept("older", asOf: 10)), for: 1, .reload, began: slow)
        #expect(late.value == "newer" && shelf.kept(1)?.value == "newer")
    }

    @Test func anOriginWhoseClockIsBehindIsStillHeard() {
        var shelf = Shelf<Int, String>(limit: 10)
        _ = shelf.absorb(Snapshot(kept: Self.kept("first", asOf: 20)), for: 1, .reload, began: shelf.begin())
        _ = shelf.absorb(Snapshot(kept: Self.kept("second", asOf: 10)), for: 1, .reload, began: shelf.begin())
        #expect(shelf.kept(1)?.value == "second")
    }

    @Test func aStoredAnswerDoesNotReplaceANewerOne() {
        var shelf = Shelf<Int, String>(limit: 10)
        _ = shelf.absorb(Snapshot(kept: Self.kept("newer", asOf: 20)), for: 1, .reload, began: shelf.begin())
        let stored = Snapshot(kept: Self.kept("older", .httpCache, asOf: 10), error: Self.failure(.offline).error)
        let merged = shelf.absorb(stored, for: 1, .normal, began: shelf.begin())
        #expect(merged.value == "newer" && merged.kept?.source == .memory && merged.error?.code == .offline)
    }

    @Test(arguments: ["must-revalidate", "max-age=5, Must-Revalidate", "no-cache=\"set-cookie\"", " no-cache ,private"])
    func whatMustBeRevalidatedDoesNotStandInForAnUnreachableService(cacheControl: String) {
        var shelf = Shelf<Int, String>(limit: 10)
        let first = Snapshot(kept: Self.kept("old", asOf: 1, cacheControl))
        _ = shelf.absorb(first, for: 1, .reload, began: shelf.begin())
        let unreachable = shelf.absorb(Self.failure(.connectionFailed), for: 1, .reload, began: shelf.begin())
        #expect(unreachable.kept == nil)
        // The service answered this time: the last value that could be read stays.
        let unreadable = shelf.absorb(Self.failure(.undecodable), for: 1, .reload, began: shelf.begin())
        #expect(unreadable.value == "old" && unreadable.error?.code == .undecodable)
    }

    @Test(arguments: [",", "=", "  ", "max-age=1", "x-no-cache", "no-cached"])
    func otherDirectivesLetItStandIn(cacheControl: String) {
        var shelf = Shelf<Int, String>(limit: 10)
        let first = Snapshot(kept: Self.kept("old", asOf: 1, cacheControl))
        _ = shelf.absorb(first, for: 1, .reload, began: shelf.begin())
        let unreachable = shelf.absorb(Self.failure(.connectionFailed), for: 1, .reload, began: shelf.begin())
        #expect(unreachable.value == "old")
    }

    @Test func theLongestUnreadGoFirstAndObservedOnesStay() async {
        var shelf = Shelf<Int, String>(limit: 3)
        let (stream, continuation) = AsyncStream.makeStream(of: Snapshot<String>.self)
        _ = shelf.add(continuation, for: 1)
        for key in 1...6 {
            let value = Snapshot(kept: Self.kept("\(key)", asOf: 1))
            _ = shelf.absorb(value, for: key, .normal, began: shelf.begin())
        }
        #expect((1...6).filter { shelf.kept($0) != nil } == [1, 5, 6])
        withExtendedLifetime(stream) {}
    }

    @Test func thatSomebodyGaveUpIsNoNewsForObservers() async {
        var shelf = Shelf<Int, String>(limit: 3)
        let (stream, continuation) = AsyncStream.makeStream(of: Snapshot<String>.self)
        _ = shelf.add(continuation, for: 1)
        _ = shelf.absorb(Self.failure(.cancelled), for: 1, .reload, began: shelf.begin())
        _ = shelf.absorb(Self.failure(.offline), for: 1, .reload, began: shelf.begin())
        continuation.finish()
        var seen: [ReadFailure.Code?] = []
        for await snapshot in stream { seen.append(snapshot.error?.code) }
        #expect(seen == [.offline])
    }
}
