import Testing
import WharfCore

@testable import WharfRepository

/// The rules about what memory holds of a store that others change, without tasks.
@Suite struct ShelfStoreTests {
    private static let now = WallTime(secondsSince1970: 1_000)

    private static func stored(_ value: String, stamp: Int, asOf seconds: Int64 = 10) -> Snapshot<String> {
        let kept = Snapshot<String>.Kept(value: value, source: .store, asOf: WallTime(secondsSince1970: seconds))
        return Snapshot(kept: kept.stamped(stamp))
    }

    private var shelf = Shelf<Int, String>(limit: 10)

    private mutating func read(_ value: Snapshot<String>, _ began: UInt64? = nil) {
        let began = began ?? shelf.ask(1)
        _ = shelf.absorb(value, for: 1, .storedOnly, began: began, at: Self.now)
    }

    @Test mutating func whatWasReadIsHeldUntilTheStoreChanges() {
        read(Self.stored("a", stamp: 1))
        #expect(shelf.current(1)?.value == "a")
        _ = shelf.changed([1])
        #expect(shelf.current(1) == nil)
    }

    @Test mutating func whatWasReadWhileTheStoreChangedIsNotTrusted() {
        let began = shelf.ask(1)
        _ = shelf.changed([1])
        read(Self.stored("a", stamp: 1), began)
        #expect(shelf.current(1) == nil)
        read(Self.stored("b", stamp: 2))
        #expect(shelf.current(1)?.value == "b")
    }

    @Test mutating func aLookThatFoundNothingTakesNothingAwayThatHasComeSince() {
        let began = shelf.ask(1)
        read(Self.stored("a", stamp: 1))
        read(Snapshot(kept: nil, error: .nothingKept), began)
        #expect(shelf.kept(1)?.value == "a")
        read(Snapshot(kept: nil, error: .nothingKept))
        #expect(shelf.kept(1) == nil)
    }

    @Test mutating func changesOfOthersLeaveItTrusted() {
        let began = shelf.ask(1)
        _ = shelf.changed([2, 3])
        read(Self.stored("a", stamp: 1), began)
        #expect(shelf.current(1)?.value == "a")
    }

    @Test mutating func theStoreIsBelievedAlsoWhereItsRowIsOlder() {
        read(Self.stored("a", stamp: 1, asOf: 20))
        read(Self.stored("undone", stamp: 2, asOf: 10))
        #expect(shelf.current(1)?.value == "undone")
    }

    @Test mutating func whatAnOpenQuestionCommitsIsToldOnceByItsAnswer() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Snapshot<String>.self)
        let observer = shelf.add(continuation, for: 1, .cacheThenNetwork) ?? 0
        shelf.tell(observer, of: 1, Snapshot(kept: nil), refresh: .reload)
        let began = shelf.ask(1)
        shelf.expect(7, for: 1, of: began)
        #expect(shelf.changed([1]) == [1])
        _ = shelf.absorbStored(Self.stored("new", stamp: 7), for: 1, began: shelf.begin())
        let answer = Snapshot<String>.Kept(value: "new", source: .network, asOf: Self.now).stamped(7)
        _ = shelf.absorb(Snapshot(kept: answer), for: 1, .reload, began: began, at: Self.now)
        _ = shelf.absorbStored(Self.stored("new", stamp: 7), for: 1, began: shelf.begin())
        _ = shelf.absorbStored(Self.stored("another's", stamp: 8), for: 1, began: shelf.begin())
        continuation.finish()
        var seen: [String] = []
        for await snapshot in stream { seen.append("\(snapshot.value ?? "-") \(snapshot.fetch)") }
        #expect(seen == ["- refreshing", "new idle", "another's idle"])
    }

    @Test mutating func whatALookPutsIntoTheStoreItselfIsNoNews() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Snapshot<String>.self)
        let observer = shelf.add(continuation, for: 1, .cacheThenNetwork) ?? 0
        let began = shelf.ask(1)
        shelf.expect(7, for: 1, of: began)
        #expect(shelf.changed([1]) == [1])
        let answer = Snapshot<String>.Kept(value: "old", source: .httpCache, asOf: Self.now).stamped(7)
        _ = shelf.absorb(Snapshot(kept: answer), for: 1, .storedOnly, began: began, at: Self.now)
        shelf.tell(observer, of: 1, Snapshot(kept: answer), refresh: .reload)
        // A slow store is read again only now.
        _ = shelf.absorbStored(Self.stored("old", stamp: 7), for: 1, began: shelf.begin())
        continuation.finish()
        var seen: [String] = []
        for await snapshot in stream { seen.append("\(snapshot.value ?? "-") \(snapshot.fetch)") }
        #expect(seen == ["old refreshing"])
    }

    @Test(arguments: [true, false])
    mutating func whatSomebodyPutsIntoTheStoreWhoThenGivesUpIsTold(isLookedAt: Bool) async {
        let (stream, continuation) = AsyncStream.makeStream(of: Snapshot<String>.self)
        let observer = shelf.add(continuation, for: 1, .cacheFirst) ?? 0
        read(Self.stored("old", stamp: 1))
        shelf.tell(observer, of: 1, Self.stored("old", stamp: 1), refresh: nil)
        let (began, look) = (shelf.ask(1), shelf.ask(1))
        shelf.expect(7, for: 1, of: began)
        #expect(shelf.changed([1]) == [1])
        // The question's own answer is going to tell of it.
        _ = shelf.absorbStored(Self.stored("new", stamp: 7), for: 1, began: shelf.begin())
        let cancelled = Snapshot<String>(kept: nil, error: ReadFailure(.cancelled, message: "cancelled"))
        _ = shelf.absorb(cancelled, for: 1, .reload, began: began, at: Self.now)
        let seen = isLookedAt ? Self.stored("new", stamp: 7) : cancelled
        _ = shelf.absorb(seen, for: 1, .storedOnly, began: look, at: Self.now)
        let unread = shelf.takeUnread()
        #expect(unread == [1])
        _ = shelf.absorbStored(Self.stored("new", stamp: 7), for: 1, began: shelf.begin())
        continuation.finish()
        var told: [String] = []
        for await snapshot in stream { told.append(snapshot.value ?? "-") }
        #expect(told == ["old", "new"])
    }

    @Test mutating func whatLeftTheStoreLeavesMemoryAndWhatNeverWasThereStays() {
        let nothing = Snapshot<String>(kept: nil, error: .nothingKept)
        read(Self.stored("a", stamp: 1))
        read(nothing)
        #expect(shelf.kept(1) == nil)
        let unstored = Snapshot<String>.Kept(value: "secret", source: .network, asOf: Self.now)
        _ = shelf.absorb(Snapshot(kept: unstored), for: 1, .reload, began: shelf.ask(1), at: Self.now)
        read(nothing)
        #expect(shelf.kept(1)?.value == "secret")
    }
}
