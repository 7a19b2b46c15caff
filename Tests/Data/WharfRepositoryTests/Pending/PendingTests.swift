import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfOutbox
import WharfRepository
import WharfStorage
import WharfStores

/// The delivery state of each model's changes, for a list that shows it.
struct PendingTests {
    typealias Note = WriteLaws.Note

    private let stage = OutboxStage()
    private let edited = Note(id: 1, title: "edited", text: "first")

    @Test func observingPendingStatesKeepsTheRepository() async throws {
        weak var observed: Repository<Note>?
        var (states, outbox) = { [stage] in
            let app = stage.begin()
            observed = app.notes
            return (app.notes.observePending().makeAsyncIterator(), app.outbox)
        }()
        _ = await states.next(isolation: nil)
        try #require(observed).close()
        while await states.next(isolation: nil) != nil {}
        await outbox.close()
    }

    @Test func pendingStateFollowsAChangeUntilItIsSettled() async throws {
        let app = stage.begin()
        _ = await app.notes.snapshot(id: 1)
        var seen = app.notes.observePending().makeAsyncIterator()
        #expect(await seen.next(isolation: nil) == [:])
        let gate = Gate()
        stage.service.holdWrites(at: gate)
        stage.service.failWrites(OutboxStage.unreachable)
        _ = try await app.notes.edit(edited)
        #expect(await seen.until { $0 == [1: .sending] })
        gate.open()
        // The edit waits for the network.
        #expect(await seen.until { $0[1]?.waitingFor?.code == .offline })
        // Other changes for the same service wait for the network too.
        _ = try await app.notes.add(Note(id: 2, title: "two"), .optimistic)
        #expect(await seen.until { $0[2]?.waitingFor?.code == .offline })
        stage.reconnect()
        #expect(await seen.until { $0.isEmpty })
        #expect(stage.service.models.count == 2)
        await app.end()
    }

    @Test func unattemptedChangeIsOfflineAfterFailureOfAnother() async throws {
        let app = stage.begin(isDelivering: false)
        _ = await app.notes.snapshot(id: 1)
        _ = try await app.notes.edit(edited)
        _ = try await app.notes.add(Note(id: 2, title: "two"))
        #expect(try await app.notes.pending() == [1: .waiting(nil), 2: .waiting(nil)])
        stage.service.failWrites(OutboxStage.unreachable)
        let first = try #require(try await stage.store.records(of: nil, after: nil, limit: 1).first).entry
        _ = await app.notes.destination?.deliver(first)
        #expect(try await app.notes.pending()[2]?.waitingFor?.code == .offline)
        // The other change keeps its failure until an answer arrives.
        let gate = Gate()
        stage.service.holdWrites(at: gate)
        stage.service.failWrites(nil)
        async let again = app.notes.destination?.deliver(first)
        await gate.arrivals(1)
        #expect(try await app.notes.pending()[1] == .sending)
        #expect(try await app.notes.pending()[2]?.waitingFor?.code == .offline)
        gate.open()
        #expect(await again?.verdict == .delivered)
        #expect(try await app.notes.pending()[2] == .waiting(nil))
        await app.end()
    }

    @Test func refusedChangeShowsReasonUntilDiscarded() async throws {
        let first = stage.begin()
        _ = await first.notes.snapshot(id: 1)
        refuse()
        let receipt = try await first.notes.edit(edited, .optimistic)
        guard case .rejected = await receipt.delivery() else { return #expect(Bool(false), "expected a rejection") }
        #expect(try await first.notes.pending()[1]?.failure?.status == 422)
        await eventually { await letters().count == 1 }
        await first.end()
        let second = stage.begin()
        #expect(try await second.notes.pending()[1]?.failure?.status == 422)
        var seen = second.notes.observePending().makeAsyncIterator()
        try await second.outbox.discard(letters().map(\.id))
        #expect(await seen.until { $0.isEmpty })
        await second.end()
    }

    @Test func retriedChangeIsShownAgainAtOnce() async throws {
        let app = stage.begin()
        _ = await app.notes.snapshot(id: 1)
        var seen = app.notes.observePending().makeAsyncIterator()
        refuse()
        _ = try await app.notes.edit(edited, .optimistic).delivery()
        await eventually { await letters().count == 1 }
        #expect(await app.notes.snapshot(id: 1, policy: .cacheOnly).value?.title == "one")
        let gate = Gate()
        stage.service.holdWrites(at: gate)
        stage.service.failWrites(nil)
        try await app.outbox.retry(letters().map(\.id))
        #expect(await seen.until { $0[1] == .sending })
        #expect(await app.notes.snapshot(id: 1, policy: .cacheOnly).value == edited)
        gate.open()
        #expect(await seen.until { $0.isEmpty })
        #expect(stage.service.models == [edited])
        await app.end()
    }

    /// The other process is, for example, an extension of the app.
    @Test func changeOfOtherProcessIsShownUntilItIsSettled() async throws {
        let (here, there) = (stage.begin(isDelivering: false), stage.begin(isDelivering: false))
        _ = await here.notes.snapshot(id: 1)
        var seen = here.notes.observePending().makeAsyncIterator()
        _ = try await there.notes.edit(edited, .optimistic)
        #expect(await seen.until { $0 == [1: .waiting(nil)] })
        #expect(await here.notes.snapshot(id: 1, policy: .cacheOnly).value == edited)
        there.outbox.register(try #require(there.notes.destination))
        #expect(await seen.until { $0.isEmpty })
        let arrived = await here.notes.snapshot(id: 1, policy: .cacheOnly)
        #expect(arrived.value == edited && arrived.kept?.isPending == false)
        await here.end()
        await there.end()
    }

    @Test func failedChangeDecidesThePendingStateOfItsModel() async throws {
        let app = stage.begin()
        _ = await app.notes.snapshot(id: 1)
        var seen = app.notes.observePending().makeAsyncIterator()
        refuse()
        _ = try await app.notes.edit(edited, .optimistic).delivery()
        stage.service.failWrites(OutboxStage.unreachable)
        _ = try await app.notes.edit(Note(id: 1, title: "again"), .optimistic)
        await eventually { await stage.failures().isEmpty == false }
        #expect(try await app.notes.pending()[1]?.failure?.status == 422)
        try await app.outbox.discard(letters().map(\.id))
        #expect(await seen.until { $0[1]?.waitingFor?.code == .offline })
        await app.end()
    }

    @Test func failedJournalReadsAreRetriedUntilChangesSettle() async throws {
        let store = WatchedWriteStore()
        let (here, there) = (
            stage.begin(in: store, isDelivering: false), stage.begin(in: store, isDelivering: false)
        )
        _ = await here.notes.snapshot(id: 1)
        let receipt = try await here.notes.edit(edited, .optimistic)
        async let outcome = receipt.delivery()
        var seen = here.notes.observePending().makeAsyncIterator()
        #expect(await seen.until { $0 == [1: .waiting(nil)] })
        await eventually { await there.notes.snapshot(id: 1, policy: .cacheOnly).value == edited }
        store.failLooks(4)
        there.outbox.register(try #require(there.notes.destination))
        await eventually {
            stage.clock.advance(by: .seconds(1))
            return store.failed == 4
        }
        await eventually {
            stage.clock.advance(by: .seconds(30))
            return await here.notes.snapshot(id: 1, policy: .cacheOnly).kept?.isPending == false
        }
        #expect(try await here.notes.pending().isEmpty)
        // Either process may have been notified first.
        guard case .unknown = await outcome else { return #expect(Bool(false), "expected that it was decided there") }
        await here.end()
        await there.end()
    }

    /// The counts of waiting entries and dead letters stay the same, but the entries differ.
    @Test func commitThatLeavesTheCountsEqualIsSeen() async throws {
        let store = WatchedWriteStore()
        let first = stage.begin(in: store.base)
        _ = await first.notes.snapshot(id: 1)
        refuse()
        _ = try await first.notes.edit(edited, .optimistic).delivery()
        await eventually { (try? await store.counts(of: nil).dead.isEmpty) == false }
        await first.end()
        let here = stage.begin(in: store, isDelivering: false)
        _ = try await here.notes.add(Note(id: 2, title: "two"), .optimistic)
        _ = try await here.notes.edit(Note(id: 2, title: "second"), .optimistic)
        #expect(try await here.notes.pending()[1]?.failure?.status == 422)
        // The process has read all three entries.
        await eventually { store.reads.rows >= 3 }
        let records = try await store.base.records(of: nil, after: nil, limit: 9)
        let added = try #require(records.first { !$0.entry.lane.contains("/1") })
        var commit = Commit()
        commit.retried = try await store.deadLetters(of: nil, after: nil, limit: 9).map(\.id)
        // A discarded entry makes the entries that depend on it dead letters.
        commit.discarded = [DeliveryID(added.entry.id, to: "entity/note")]
        _ = try await store.commit(commit)
        await eventually {
            let pending = try? await here.notes.pending()
            return pending?[1]?.waitingFor?.status == 422 && pending?[2]?.failure?.code == .dependencyDiscarded
        }
        #expect(await here.notes.snapshot(id: 1, policy: .cacheOnly).value == edited)
        #expect(await here.notes.snapshot(id: 2, policy: .cacheOnly).value == nil)
        await here.end()
    }

    /// Returns an addition of note 2 by a process whose clock is behind.
    private func earlierEntry() async throws -> OutboxEntry {
        let elsewhere = MemoryWriteStore()
        let behind = stage.begin(in: elsewhere, isDelivering: false)
        _ = try await behind.notes.add(Note(id: 2, title: "two"), .optimistic)
        let record = try #require(try await elsewhere.records(of: nil, after: nil, limit: 1).first)
        await behind.end()
        stage.clock.advance(by: .seconds(1))
        return record.entry
    }

    /// The entry comes from a process whose clock is behind.
    @Test func changeWithAnEarlierEntryIDIsSeen() async throws {
        let entry = try await earlierEntry()
        let here = stage.begin(isDelivering: false)
        _ = await here.notes.snapshot(id: 1)
        _ = try await here.notes.edit(edited, .optimistic)
        #expect(try await here.notes.pending().keys.sorted() == [1])
        let last = try #require(try await stage.store.records(of: nil, after: nil, limit: 1).first).entry
        try await here.outbox.discard([DeliveryID(last.id, to: "entity/note")])
        await eventually { (try? await here.notes.pending().isEmpty) == true }
        // The journal gives the entry a later position than the removed one, although its id is
        // earlier.
        _ = try await stage.store.commit(Commit(enqueued: [entry]))
        await eventually { (try? await here.notes.pending().keys.sorted()) == [2] }
        #expect(await here.notes.snapshot(id: 2, policy: .cacheOnly).value?.title == "two")
        await here.end()
    }

    /// One commit settles the last entry that was read, and enqueues one of a process whose clock
    /// is behind. The journal has as many entries as before.
    @Test func changeThatTakesThePlaceOfTheLastOneIsSeen() async throws {
        let entry = try await earlierEntry()
        let here = stage.begin(isDelivering: false)
        _ = await here.notes.snapshot(id: 1)
        _ = try await here.notes.edit(edited, .optimistic)
        let there = stage.begin(isDelivering: false)
        #expect(try await there.notes.pending().keys.sorted() == [1])
        let last = try #require(try await stage.store.records(of: nil, after: nil, limit: 1).first).entry
        var commit = Commit(enqueued: [entry])
        commit.discarded = [DeliveryID(last.id, to: "entity/note")]
        _ = try await stage.store.commit(commit)
        await eventually { (try? await there.notes.pending().keys.sorted()) == [2] }
        await here.end()
        await there.end()
    }

    @Test func receiptIsFulfilledWhenOtherProcessDelivers() async throws {
        let store = stage.store
        // An app extension, for example, does not deliver.
        let outbox = OutboxEngine(
            store: store,
            configuration: .init(connectivity: stage.connectivity, clock: stage.clock.wall, timer: stage.clock))
        let notes = Repository(
            OutboxStage.notes, in: store, remote: stage.source, outbox: outbox,
            configuration: .init(clock: stage.clock.wall, timer: stage.clock))
        _ = await notes.snapshot(id: 1)
        let receipt = try await notes.edit(edited, .optimistic)
        let isReported = Mutex(false)
        let task = Task {
            let outcome = await receipt.delivery()
            isReported.withLock { $0 = true }
            return outcome
        }
        let there = stage.begin()
        // The journal's signal alone must suffice, as no time passes.
        await eventually { isReported.withLock(\.self) }
        guard case .unknown = await task.value else {
            return #expect(Bool(false), "expected that it was decided there")
        }
        #expect(stage.service.models == [edited])
        notes.close()
        await there.end()
        await outbox.close()
    }

    @Test func readsOfManyPendingChangesGrowLinearly() async throws {
        let (store, count) = (WatchedWriteStore(), 200)
        let app = stage.begin(in: store, isDelivering: false)
        for id in 10..<10 + count { _ = try await app.notes.add(Note(id: id, title: "\(id)"), .optimistic) }
        #expect(try await app.notes.pending().count == count)
        #expect(store.reads.all <= 2 * count, "\(store.reads)")
        var seen = app.notes.observePending().makeAsyncIterator()
        app.outbox.register(try #require(app.notes.destination))
        #expect(await seen.until { $0.isEmpty })
        await eventually { (try? await store.counts(of: nil).pending.isEmpty) == true }
        #expect(store.reads.all <= 5 * count, "\(store.reads)")
        await app.end()
    }

    private func refuse() {
        let head = HTTPResponse(status: .init(code: 422))
        stage.service.failWrites(ReadFailure(.status, message: "scripted: 422", response: head))
    }

    private func letters() async -> [DeadLetter] {
        (try? await stage.store.deadLetters(of: nil, after: nil, limit: 10)) ?? []
    }

    /// Waits until the condition holds. The suite's time limit ends a wait that never succeeds.
    private func eventually(_ isSo: () async -> Bool) async {
        await waitUntil { await isSo() }
    }
}

extension PendingStates<Int>.AsyncIterator {
    /// Whether an element satisfies the condition before the sequence ends.
    mutating func until(_ isSo: ([Int: PendingState]) -> Bool) async -> Bool {
        while let states = await next(isolation: nil) {
            if isSo(states) { return true }
        }
        return false
    }
}

extension PendingState {
    fileprivate var waitingFor: DeliveryFailure? { if case .waiting(let failure) = self { failure } else { nil } }
    fileprivate var failure: DeliveryFailure? { if case .failed(let failure) = self { failure } else { nil } }
}
