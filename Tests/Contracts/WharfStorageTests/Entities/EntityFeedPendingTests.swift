import Testing
import WharfCore
import WharfCoreLaws
import WharfFakes

@testable import WharfStorage

/// Readers from now on, which take the pending changes without waiting.
@Suite struct EntityFeedPendingTests {
    private let readers = EntityFeedReaders(timer: TestClock())
    private let key = EntityKey(kind: "note", id: "1")

    private func feed(_ kind: String? = nil, since version: StoreVersion? = nil, now: StoreVersion? = nil) -> EntityFeed
    {
        readers.subscribe(to: nil, kind: kind, since: version, now: now) { _ in
            .changes([EntityKey(kind: "note", id: "of the log"): change(3)], reached: StoreVersion(3))
        }
    }

    private func tell(_ keys: EntityKey..., at version: Int64) {
        let changes = Dictionary(uniqueKeysWithValues: keys.map { ($0, change(version)) })
        readers.tell(
            .changes(changes, reached: StoreVersion(version)), of: nil, since: StoreVersion(version - 1))
    }

    /// The unread changes: the keys with their versions, "everything" with its version, or nil.
    private func taken(_ feed: EntityFeed) -> [String: Int64]? {
        var taken: [String: Int64]?
        feed.takePending { pending in
            switch pending {
            case .changes(let changes):
                taken = Dictionary(uniqueKeysWithValues: changes.map { ($0.key.id, $0.value.version.number) })
            case .everything(let version): taken = ["everything": version?.number ?? -1]
            }
        }
        return taken
    }

    @Test func changeIsPendingUntilItsReadEnds() {
        let changes = feed()
        tell(key, at: 1)
        var read: [ReportedKeys] = []
        changes.takePending { pending in
            // A reader that asks now must not take the memory for up to date.
            #expect(changes.pendingFlag.isSet)
            if case .changes(let changes) = pending { read.append(.keys(Set(changes.keys))) }
        }
        #expect(read == [.keys([key])])
        #expect(!changes.pendingFlag.isSet)
    }

    @Test func changeDuringAReadStaysPending() {
        let changes = feed()
        readers.tell(.everything(reached: StoreVersion(1)), of: nil, since: .none)
        changes.takePending { _ in tell(key, at: 2) }
        #expect(changes.pendingFlag.isSet)
        #expect(taken(changes) == ["1": 2])
    }

    @Test func newestVersionOfSeveralChangesIsReported() {
        let changes = feed()
        for version in 2...5 as ClosedRange<Int64> { tell(key, at: version) }
        #expect(taken(changes) == ["1": 5])
        readers.tell(.everything(reached: StoreVersion(7)), of: nil, since: StoreVersion(5))
        for version in 8...9 as ClosedRange<Int64> { tell(key, at: version) }
        #expect(taken(changes) == ["everything": 9])
    }

    @Test func nothingIsReadWithoutAChange() {
        let changes = feed()
        #expect(taken(changes) == nil)
        tell(key, at: 1)
        _ = taken(changes)
        #expect(taken(changes) == nil)
    }

    @Test func moreKeysThanAReaderHoldsAreEverything() {
        let changes = feed()
        for version in 1...1_001 as ClosedRange<Int64> { tell(EntityKey(kind: "note", id: "\(version)"), at: version) }
        #expect(taken(changes) == ["everything": 1_001])
        tell(key, at: 1_002)
        #expect(taken(changes) == ["1": 1_002])
    }

    @Test func gapIsTakenAsEverythingUpToTheLastReport() {
        let changes = feed(now: StoreVersion(4))
        tell(key, at: 6)
        #expect(changes.pendingFlag.isSet)
        #expect(taken(changes) == ["everything": 6])
        tell(key, at: 5)
        #expect(taken(changes) == nil)
        tell(key, at: 7)
        #expect(taken(changes) == ["1": 7])
    }

    @Test func readerFromNowOnBeginsWithTheNextReport() async {
        let changes = feed()
        tell(key, at: 6)
        #expect(taken(changes) == ["1": 6])
        tell(key, at: 8)
        #expect(taken(changes) == ["everything": 8])
        #expect(await EntityStoreLaws.next(feed()) == nil)
    }

    @Test func commitOfAnotherKindIsNeitherNewsNorAGap() async {
        let (notes, all) = (feed("note"), feed())
        let other = EntityKey(kind: "draft", id: "2")
        tell(other, at: 1)
        #expect(!notes.pendingFlag.isSet)
        #expect(taken(notes) == nil)
        tell(key, other, at: 2)
        #expect(taken(notes) == ["1": 2])
        tell(key, at: 3)
        tell(other, at: 4)
        #expect(await EntityStoreLaws.next(notes) == .changes([key: change(3)], reached: StoreVersion(4)))
        #expect(taken(all) == ["1": 3, "2": 4])
    }

    @Test func unknownOutcomeIsTakenWithoutAVersion() {
        let changes = feed(now: StoreVersion(4))
        tell(key, at: 5)
        readers.lookAgain()
        #expect(changes.pendingFlag.isSet)
        #expect(taken(changes) == ["everything": -1])
        #expect(!changes.pendingFlag.isSet)
        tell(key, at: 6)
        #expect(taken(changes) == ["1": 6])
    }

    @Test func iteratorFromNowOnReadsEverythingAfterAnUnknownOutcome() async {
        let changes = feed("note")
        readers.lookAgain()
        #expect(await EntityStoreLaws.next(changes) == .everything(reached: StoreVersion(3)))
        tell(key, at: 4)
        #expect(await EntityStoreLaws.next(changes) == .changes([key: change(4)], reached: StoreVersion(4)))
        #expect(!changes.pendingFlag.isSet)
    }

    @Test func readerThatResumesDoubtsUntilItReadsTheLog() async {
        let (taking, waiting) = (feed(since: StoreVersion(2)), feed(since: StoreVersion(2)))
        #expect(taken(taking) == ["everything": -1])
        #expect(await EntityStoreLaws.next(waiting)?.reached == StoreVersion(3))
        #expect(!waiting.pendingFlag.isSet)
    }
}

private func change(_ version: Int64) -> EntityFeed.Change { .init(version: StoreVersion(version), isRemoval: false) }
