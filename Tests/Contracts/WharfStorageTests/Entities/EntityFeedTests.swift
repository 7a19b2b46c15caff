import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfStorage

/// Feeds whose commits are announced out of order, and whose log fails.
@Suite struct EntityFeedTests {
    private let clock = TestClock()
    private let readers: EntityFeedReaders
    private let log = Log()

    init() { readers = EntityFeedReaders(timer: clock) }

    private func feed(since version: Int64 = 0) -> EntityFeed {
        readers.subscribe(to: nil, since: StoreVersion(version)) { [log] (version) throws(StoreError) in
            try log.read(since: version)
        }
    }

    private func key(_ version: Int64) -> EntityKey { EntityKey(kind: "note", id: "\(version)") }

    private func changes(_ versions: ClosedRange<Int64>) -> EntityFeed.Element {
        var all: [EntityKey: EntityFeed.Change] = [:]
        for version in versions { all[key(version)] = .init(version: StoreVersion(version), isRemoval: false) }
        return .changes(all, reached: StoreVersion(versions.upperBound))
    }

    private func tell(_ version: Int64) {
        readers.tell(changes(version...version), of: nil, since: StoreVersion(version - 1))
    }

    @Test func commitsReportedInOrderAreNotReadFromTheLog() async {
        let feed = feed()
        #expect(await EntityStoreLaws.next(feed) == nil)
        for version in 1...3 as ClosedRange<Int64> { tell(version) }
        #expect(await EntityStoreLaws.next(feed) == changes(1...3))
        #expect(log.reads == 1)
    }

    @Test func commitReportedOutOfOrderIsReadFromTheLog() async {
        let feed = feed()
        #expect(await EntityStoreLaws.next(feed) == nil)
        tell(1)
        tell(3)
        tell(2)
        log.answer(changes(2...3))
        #expect(await EntityStoreLaws.next(feed) == changes(1...1))
        #expect(await EntityStoreLaws.next(feed) == changes(2...3))
        tell(4)
        #expect(await EntityStoreLaws.next(feed) == changes(4...4))
        #expect(log.reads == 2)
    }

    @Test func commitReportedAfterItsLogReadIsNotRepeated() async {
        let feed = feed()
        log.answer(changes(1...5))
        #expect(await EntityStoreLaws.next(feed) == changes(1...5))
        tell(4)
        #expect(await EntityStoreLaws.next(feed) == nil)
        tell(6)
        #expect(await EntityStoreLaws.next(feed) == changes(6...6))
    }

    @Test func commitReportedDuringALogReadIsReadByTheNext() async {
        let feed = feed()
        log.answer(changes(1...1)) { [self] in tell(2) }
        #expect(await EntityStoreLaws.next(feed) == changes(1...1))
        log.answer(changes(2...2))
        #expect(await EntityStoreLaws.next(feed) == changes(2...2))
    }

    /// The outcome of a commit is unknown, so no version tells of it.
    @Test func logIsReadAgainAfterALookAgainDuringItsRead() async {
        let feed = feed()
        log.answer(changes(1...1)) { [self] in readers.lookAgain() }
        #expect(await EntityStoreLaws.next(feed) == changes(1...1))
        log.answer(changes(2...2))
        #expect(await EntityStoreLaws.next(feed) == changes(2...2))
        #expect(await EntityStoreLaws.next(feed) == nil)
        #expect(log.reads == 2)
    }

    @Test func failedLogReadIsRetriedWhenTheStoreWakes() async {
        var iterator = feed().makeAsyncIterator()
        log.fail()
        let element = Task { [self] in
            await log.failed()
            log.answer(changes(1...1))
            readers.wake()
        }
        #expect(await iterator.next() == changes(1...1))
        await element.value
        #expect(log.reads == 2)
    }

    /// No store wakes the reader, and no commit comes.
    @Test func failedLogReadIsRetriedAfterAPause() async {
        var iterator = feed().makeAsyncIterator()
        log.fail()
        let time = Task { [self] in
            await waitUntil { clock.sleepers == 1 }
            #expect(log.reads == 1)
            log.fail()
            clock.advance(by: .milliseconds(100))
            await waitUntil { clock.sleepers == 1 }
            #expect(log.reads == 2)
            log.answer(changes(1...1))
            clock.advance(by: .milliseconds(199))
            #expect(clock.sleepers == 1)
            clock.advance(by: .milliseconds(1))
        }
        #expect(await iterator.next() == changes(1...1))
        await time.value
        #expect(log.reads == 3)
    }

    @Test func releasedFeedEndsThePauseAfterAFailedRead() async {
        var one: EntityFeed? = feed()
        log.fail()
        if let one { #expect(await EntityStoreLaws.next(one) == nil) }
        await waitUntil { clock.sleepers == 1 }
        one = nil
        await waitUntil { clock.sleepers == 0 }
    }

    @Test func tooManyPendingKeysBecomeEverything() async {
        let feed = feed()
        #expect(await EntityStoreLaws.next(feed) == nil)
        for version in 1...10_001 as ClosedRange<Int64> { tell(version) }
        #expect(await EntityStoreLaws.next(feed) == .everything(reached: StoreVersion(10_001)))
        tell(10_002)
        #expect(await EntityStoreLaws.next(feed) == changes(10_002...10_002))
    }

    @Test func aClosedStoreEndsItsFeeds() async {
        let before = feed()
        #expect(await EntityStoreLaws.next(before) == nil)
        tell(1)
        readers.finish()
        var iterator = before.makeAsyncIterator()
        #expect(await iterator.next() == changes(1...1))
        #expect(await iterator.next() == nil)
        for await element in feed() { Issue.record("heard of \(element)") }
    }

    @Test func releasedFeedHasNoReader() {
        var one: EntityFeed? = feed()
        #expect(readers.accounts == [nil])
        withExtendedLifetime(one) {}
        one = nil
        #expect(readers.accounts.isEmpty)
        #expect(one == nil)
    }
}

private final class Log: Sendable {
    private struct State {
        var reads = 0
        var answer: EntityFeed.Element?
        var meanwhile: (@Sendable () -> Void)?
        var fails = false
        var failures = 0
    }

    private let state = Mutex(State())

    var reads: Int { state.withLock { $0.reads } }

    /// Makes the next read return the element, and the others nothing.
    func answer(_ element: EntityFeed.Element, _ meanwhile: (@Sendable () -> Void)? = nil) {
        state.withLock { ($0.answer, $0.meanwhile) = (element, meanwhile) }
    }

    /// Makes the next read fail.
    func fail() { state.withLock { $0.fails = true } }

    func failed() async { while state.withLock({ $0.failures == 0 }) { await Task.yield() } }

    func read(since version: StoreVersion) throws(StoreError) -> EntityFeed.Element? {
        let (answer, meanwhile, fails) = state.withLock { state in
            defer { (state.answer, state.meanwhile) = (nil, nil) }
            state.reads += 1
            if state.fails { state.failures += 1 }
            defer { state.fails = false }
            return (state.answer, state.meanwhile, state.fails)
        }
        meanwhile?()
        if fails { throw StoreError(.failed, message: "not now") }
        return answer
    }
}
