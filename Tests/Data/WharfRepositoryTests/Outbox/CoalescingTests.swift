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

/// Several waiting edits of one model, coalesced into one request.
struct CoalescingTests {
    typealias Note = WriteLaws.Note

    private static let kind = OutboxStage.notes.coalescingEdits()
    private let stage = OutboxStage()

    private func note(_ title: String, id: Int = 1) -> Note { Note(id: id, title: title, text: "first") }

    private func begin(_ kind: EntityKind<Note> = kind, isDelivering: Bool = false) async -> OutboxStage.Process {
        let app = stage.begin(kind: kind, isDelivering: isDelivering)
        _ = await app.notes.snapshot(id: 1)
        return app
    }

    private func deliver(_ app: OutboxStage.Process) throws {
        app.outbox.register(try #require(app.notes.destination))
    }

    private func isDelivered(_ outcome: WriteOutcome<Note>) -> Bool {
        if case .delivered = outcome { true } else { false }
    }

    @Test func manyEditsAreOneRequestAndEachReceiptGetsItsOutcome() async throws {
        let app = await begin()
        let receipts = try await edits(700, app)
        #expect(await app.notes.snapshot(id: 1, policy: .cacheOnly).value == note("700"))
        #expect(try await stage.store.records(of: nil, after: nil, limit: 1_000).count == 1)
        try deliver(app)
        for receipt in receipts { #expect(isDelivered(await receipt.delivery())) }
        #expect(stage.keys.withLock { $0.count } == 1)
        #expect(stage.service.models == [note("700")])
        await app.end()
    }

    /// The first edit was attempted. No later edit is coalesced into it, as its bytes may have
    /// arrived.
    @Test func editsBehindAnAttemptedOneCoalesceAmongThemselves() async throws {
        stage.connectivity.turn(online: false)
        stage.service.failWrites(OutboxStage.unreachable)
        let app = await begin(isDelivering: true)
        var receipts = [try await app.notes.edit(note("first"), .optimistic)]
        await waitUntil { await stage.failures().isEmpty == false }
        receipts += try await edits(100, app)
        #expect(try await stage.store.records(of: nil, after: nil, limit: 1_000).count == 2)
        stage.reconnect()
        for receipt in receipts { #expect(isDelivered(await receipt.delivery())) }
        #expect(Set(stage.keys.withLock { $0 }).count == 2)
        #expect(stage.service.models == [note("100")])
        await app.end()
    }

    private func edits(_ count: Int, _ app: OutboxStage.Process) async throws -> [WriteReceipt<Note>] {
        var receipts: [WriteReceipt<Note>] = []
        for number in 1...count { receipts.append(try await app.notes.edit(note("\(number)"), .optimistic)) }
        return receipts
    }

    @Test func editOfPendingAdditionIsCoalescedIntoIt() async throws {
        let app = await begin()
        _ = try await app.notes.add(note("two", id: 2), .optimistic)
        _ = try await app.notes.edit(note("second", id: 2), .optimistic)
        try deliver(app)
        try await stage.settled()
        #expect(stage.keys.withLock { $0.count } == 1)
        #expect(stage.service.models.contains(note("second", id: 2)))
        await app.end()
    }

    @Test func anEditBehindOneThatIsSentHasItsOwnKey() async throws {
        let gate = Gate()
        stage.service.holdWrites(at: gate)
        let app = await begin(isDelivering: true)
        _ = try await app.notes.edit(note("sent"), .optimistic)
        await gate.arrivals(1)
        let receipts = [
            try await app.notes.edit(note("next"), .optimistic), try await app.notes.edit(note("last"), .optimistic),
        ]
        #expect(try await stage.store.records(of: nil, after: nil, limit: 9).count == 2)
        gate.open()
        for receipt in receipts { #expect(isDelivered(await receipt.delivery())) }
        #expect(Set(stage.keys.withLock { $0 }).count == 2)
        #expect(stage.service.models == [note("last")])
        await app.end()
    }

    /// Another process sends the entry, and this process has not been notified.
    @Test func editIsNotCoalescedIntoOneThatOtherProcessSends() async throws {
        let gate = Gate()
        stage.service.holdWrites(at: gate)
        let (here, there) = (await begin(), stage.begin(kind: Self.kind, isDelivering: false))
        _ = try await here.notes.edit(note("sent"), .optimistic)
        try deliver(there)
        await gate.arrivals(1)
        _ = try await here.notes.edit(note("last"), .optimistic)
        let records = try await stage.store.records(of: nil, after: nil, limit: 9)
        #expect(records.count == 2 && Set(records.map(\.entry.key)).count == 2)
        gate.open()
        try await stage.settled()
        #expect(stage.service.models == [note("last")])
        await here.end()
        await there.end()
    }

    @Test func aKindThatDoesNotCoalesceSendsEach() async throws {
        let app = await begin(OutboxStage.notes)
        for title in ["a", "b", "c"] { _ = try await app.notes.edit(note(title), .optimistic) }
        try deliver(app)
        try await stage.settled()
        #expect(stage.keys.withLock { $0.count } == 3)
        await app.end()
    }

    @Test func editNotBasedOnThePreviousOneIsNotCoalesced() async throws {
        let app = await begin()
        // Neither edit is shown, so the second is not based on the first.
        for title in ["a", "b"] { _ = try await app.notes.edit(note(title), .confirmed) }
        _ = try await app.notes.delete(id: 1, .optimistic)
        _ = try await app.notes.edit(note("again"), basedOn: note("b"))
        #expect(try await stage.store.records(of: nil, after: nil, limit: 9).count == 4)
        await app.end()
    }

    /// The other process has read the entry before an edit was coalesced into it.
    @Test(arguments: [true, false])
    func editUnawareOfCoalescedEditIsAConflict(isDeliveredByItsMaker: Bool) async throws {
        let watched = WatchedWriteStore(sendsNotifications: false)
        let here = stage.begin(in: watched.base, kind: Self.kind, isDelivering: false)
        _ = await here.notes.snapshot(id: 1)
        _ = try await here.notes.edit(note("seen"), .optimistic)
        let there = stage.begin(in: watched, kind: Self.kind, isDelivering: false)
        #expect(try await there.notes.pending().count == 1)
        await waitUntil { watched.reads.counts != 0 }
        // A read of the journal that is in progress must not see the next edit.
        await letOthersRun()
        _ = try await here.notes.edit(note("unseen"), .optimistic)
        #expect(try await watched.base.records(of: nil, after: nil, limit: 9).count == 1)
        _ = try await there.notes.edit(note("last"), .optimistic)
        try deliver(isDeliveredByItsMaker ? there : here)
        try await waitUntil { try await watched.base.counts(of: nil).pending.isEmpty }
        #expect(stage.service.models == [note("unseen")])
        let letters = try await watched.base.deadLetters(of: nil, after: nil, limit: 9)
        #expect(letters.map(\.failure.code) == [.conflict])
        await here.end()
        await there.end()
    }

    @Test func aCoalescedEditOfAnotherProcessIsShown() async throws {
        let (here, there) = (await begin(), await begin())
        for title in ["a", "b"] {
            _ = try await there.notes.edit(note(title), .optimistic)
            await waitUntil { await here.notes.snapshot(id: 1, policy: .cacheOnly).value == note(title) }
        }
        #expect(try await stage.store.records(of: nil, after: nil, limit: 9).count == 1)
        await here.end()
        await there.end()
    }

    @Test func aCoalescedEditIsShownInTheNextProcess() async throws {
        let first = await begin()
        for title in ["a", "b"] { _ = try await first.notes.edit(note(title), .optimistic) }
        await first.end()
        let second = stage.begin(kind: Self.kind, isDelivering: false)
        #expect(await second.notes.snapshot(id: 1, policy: .cacheOnly).value == note("b"))
        #expect(try await second.notes.pending() == [1: .waiting(nil)])
        await second.end()
    }
}
