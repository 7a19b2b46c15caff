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

/// Changes of a model that was added offline, at a service that assigns ids.
struct IdentifyingTests {
    typealias Note = WriteLaws.Note

    private let stage = OutboxStage([])
    private let added = Note(id: -1, title: "new")
    private let edited = Note(id: -1, title: "newer")
    private let arrived = Note(id: 42, title: "newer")

    /// The service gives an added note the id 42.
    private func source(_ gate: Gate? = nil) throws -> RemoteSource<Note> {
        let write = try #require(stage.service.source.write)
        return stage.service.source.writing { change, key in
            if case .add(let note) = change {
                return await write(.add(Note(id: 42, title: note.title, text: note.text)), key)
            }
            await gate?.pass()
            return await write(change, key)
        }
    }

    @Test func editsGoToTheIDThatTheServiceGave() async throws {
        let gate = Gate()
        let app = stage.begin(try source(gate), kind: OutboxStage.identified, isDelivering: false)
        let first = try await app.notes.add(added, .optimistic)
        let last = try await app.notes.edit(edited, .optimistic)
        app.outbox.register(try #require(app.notes.destination))
        #expect(await first.delivery() == .delivered(Note(id: 42, title: "new")))
        // The pending edit is shown over the service's version of the addition.
        let shown = await app.notes.snapshot(id: 42, policy: .cacheOnly)
        #expect(shown.value == arrived && shown.kept?.isPending == true)
        #expect(try await app.notes.pending().keys.sorted() == [42])
        gate.open()
        #expect(await last.delivery() == .delivered(arrived))
        #expect(stage.service.models == [arrived])
        #expect(await app.notes.snapshot(id: 42, policy: .cacheOnly).kept?.isPending == false)
        #expect(try await app.notes.pending().isEmpty)
        await app.end()
    }

    /// A screen that shows the addition stays open while it is delivered, and is opened again
    /// later.
    @Test func readersOfTheTemporaryIDFollowToTheNewOne() async throws {
        let app = stage.begin(try source(), kind: OutboxStage.identified, isDelivering: false)
        let receipt = try await app.notes.add(added, .optimistic)
        var snapshots = app.notes.observe(id: -1, policy: .cacheFirst).makeAsyncIterator()
        #expect(await snapshots.next()?.value == added)
        app.outbox.register(try #require(app.notes.destination))
        let here = Note(id: 42, title: "new")
        #expect(await receipt.delivery() == .delivered(here))
        var shown = await snapshots.next()
        while shown != nil, shown?.value != here { shown = await snapshots.next() }
        #expect(shown?.value == here)
        stage.service.put(Note(id: 42, title: "theirs"))
        _ = await app.notes.snapshot(id: 42, policy: .networkOnly)
        while shown != nil, shown?.value?.title != "theirs" { shown = await snapshots.next() }
        #expect(shown?.value == Note(id: 42, title: "theirs"))
        for policy in [ReadPolicy.cacheOnly, .standard, .networkFirst] {
            #expect(await app.notes.snapshot(id: -1, policy: policy).value == Note(id: 42, title: "theirs"))
        }
        await app.end()
        let next = stage.begin(try source(), kind: OutboxStage.identified)
        #expect(await next.notes.snapshot(id: -1, policy: .cacheOnly).value == Note(id: 42, title: "theirs"))
        await next.end()
    }

    @Test func observerOfRejectedAdditionIsReportedOfRemoval() async throws {
        let refusing = stage.service.source.writing { _, _ in Snapshot(kept: nil, error: .answer(422)) }
        let app = stage.begin(refusing, kind: OutboxStage.identified, isDelivering: false)
        let receipt = try await app.notes.add(added, .optimistic)
        var snapshots = app.notes.observe(id: -1, policy: .cacheOnly).makeAsyncIterator()
        #expect(await snapshots.next()?.value == added)
        app.outbox.register(try #require(app.notes.destination))
        guard case .rejected = await receipt.delivery() else {
            Issue.record("expected that it is rejected")
            return
        }
        #expect(await snapshots.next()?.value == nil)
        await app.end()
    }

    /// The app counts its temporary ids from -1 in each launch.
    @Test func aTemporaryIDThatIsUsedAgainIsAnotherModel() async throws {
        let app = stage.begin(try source(), kind: OutboxStage.identified)
        #expect(try await app.notes.add(added, .optimistic).delivery() == .delivered(Note(id: 42, title: "new")))
        await app.end()
        let refusing = stage.service.source.writing { _, _ in Snapshot(kept: nil, error: .answer(422)) }
        let next = stage.begin(refusing, kind: OutboxStage.identified)
        guard case .rejected = await (try await next.notes.add(Note(id: -1, title: "other"), .optimistic)).delivery()
        else {
            Issue.record("expected that it is rejected")
            return
        }
        #expect(await next.notes.snapshot(id: -1, policy: .cacheOnly).value == nil)
        #expect(try await next.notes.discard(id: -1) == 1)
        #expect(try await next.notes.pending().isEmpty)
        await next.end()
    }

    @Test func editOfAdditionIsSentUnderServiceIDByNextProcess() async throws {
        let write = try #require(try source().write)
        let additions = stage.service.source.writing { change, key in
            guard case .add = change else { return Snapshot(kept: nil, error: OutboxStage.unreachable) }
            return await write(change, key)
        }
        let first = stage.begin(additions, kind: OutboxStage.identified, isDelivering: false)
        _ = try await first.notes.add(added, .optimistic)
        _ = try await first.notes.edit(edited, .optimistic)
        first.outbox.register(try #require(first.notes.destination))
        await eventually { await stage.failures().isEmpty == false }
        await first.end()
        let second = stage.begin(try source(), kind: OutboxStage.identified, isDelivering: false)
        let shown = await second.notes.snapshot(id: 42, policy: .cacheOnly)
        #expect(shown.value == arrived)
        second.outbox.register(try #require(second.notes.destination))
        await eventually { stage.service.models == [arrived] }
        #expect(try await stage.store.deadLetters(of: nil, after: nil, limit: 1).isEmpty)
        await second.end()
    }

    @Test func additionSentByOtherProcessIsShownUnderServiceID() async throws {
        let gate = Gate()
        let here = stage.begin(try source(), kind: OutboxStage.identified, isDelivering: false)
        let there = stage.begin(try source(gate), kind: OutboxStage.identified, isDelivering: false)
        _ = try await here.notes.add(added, .optimistic)
        _ = try await here.notes.edit(edited, .optimistic)
        there.outbox.register(try #require(there.notes.destination))
        await gate.arrivals(1)
        await eventually { (try? await here.notes.pending().keys.sorted()) == [42] }
        #expect(await here.notes.snapshot(id: 42, policy: .cacheOnly).value == arrived)
        gate.open()
        await eventually { (try? await here.notes.pending().isEmpty) == true }
        #expect(stage.service.models == [arrived])
        await here.end()
        await there.end()
    }

    @Test func changeByTemporaryIDAfterDeliveryReachesServiceID() async throws {
        let app = stage.begin(try source(), kind: OutboxStage.identified)
        _ = try await app.notes.add(added).delivery()
        await eventually { await counts() == 0 }
        #expect(try await app.notes.edit(edited, basedOn: added).delivery() == .delivered(arrived))
        #expect(try await app.notes.delete(id: -1).delivery() == .delivered(nil))
        #expect(stage.service.models.isEmpty)
        await app.end()
    }

    @Test func unrewrittenEditIsSentUnderServiceID() async throws {
        let app = stage.begin(try source(), kind: OutboxStage.identified)
        _ = try await app.notes.add(added).delivery()
        await eventually { await counts() == 0 }
        await app.end()
        // A kind without `identifying` puts the edit into the journal with the temporary id.
        let other = stage.begin(try source(), isDelivering: false)
        _ = try await other.notes.edit(edited, basedOn: added)
        await other.end()
        let gate = Gate()
        let last = stage.begin(try source(gate), kind: OutboxStage.identified)
        await gate.arrivals(1)
        // Adding reads the journal, whose entry still has the temporary id.
        _ = try await last.notes.add(Note(id: -2, title: "other"), .optimistic)
        #expect(await last.notes.snapshot(id: 42, policy: .cacheOnly).value == arrived)
        gate.open()
        await eventually { await counts() == 0 }
        #expect(stage.service.models.contains(arrived))
        #expect(await last.notes.snapshot(id: 42, policy: .cacheOnly).value == arrived)
        await last.end()
    }

    @Test func deletionOfPendingAdditionReachesTheService() async throws {
        let app = stage.begin(try source(), kind: OutboxStage.identified, isDelivering: false)
        _ = try await app.notes.add(added, .optimistic)
        let deleted = try await app.notes.delete(id: -1, .optimistic)
        app.outbox.register(try #require(app.notes.destination))
        #expect(await deleted.delivery() == .delivered(nil))
        #expect(stage.service.models.isEmpty)
        #expect(await app.notes.snapshot(id: 42, policy: .cacheOnly).value == nil)
        await app.end()
    }

    @Test func editByServiceIDIsSentBehindWaitingEdits() async throws {
        let gate = Gate()
        let app = stage.begin(try source(gate), kind: OutboxStage.identified, isDelivering: false)
        let first = try await app.notes.add(added, .optimistic)
        _ = try await app.notes.edit(edited, .optimistic)
        app.outbox.register(try #require(app.notes.destination))
        _ = await first.delivery()
        await gate.arrivals(1)
        let last = try await app.notes.edit(Note(id: 42, title: "newest"), .optimistic)
        // All entries are in one lane, which keeps their order.
        #expect(Set(try await stage.store.records(of: nil, after: nil, limit: 9).map(\.entry.lane)).count == 1)
        gate.open()
        #expect(await last.delivery() == .delivered(Note(id: 42, title: "newest")))
        #expect(stage.service.models == [Note(id: 42, title: "newest")])
        await app.end()
    }

    @Test func editWithUnparsableIDIsRejectedAndBlocksNothing() async throws {
        // Ids that are not `LosslessStringConvertible` can't be restored from their text.
        let kind = EntityKind<Note>("note", codec: Note.codec, id: { String($0) })
            .identifying { Note(id: $1, title: $0.title, text: $0.text) }
        let app = stage.begin(try source(), kind: kind, isDelivering: false)
        let first = try await app.notes.add(added, .optimistic)
        let meanwhile = try await app.notes.edit(edited, .optimistic)
        app.outbox.register(try #require(app.notes.destination))
        guard case .delivered = await first.delivery() else { return #expect(Bool(false), "expected a delivery") }
        guard case .rejected = await meanwhile.delivery() else {
            return #expect(Bool(false), "expected that it is set aside")
        }
        await eventually { await counts() == 0 }
        // The failure is reported once the entry is at the head of its lane.
        let last = try await app.notes.edit(edited, basedOn: added)
        let other = try await app.notes.edit(Note(id: 42, title: "other"))
        guard case .rejected(let failure) = await last.delivery() else {
            return #expect(Bool(false), "expected that it is set aside")
        }
        #expect(failure.message.contains("give EntityKind a `parsing`"))
        guard case .delivered = await other.delivery() else { return #expect(Bool(false), "expected a delivery") }
        await eventually { await counts() == 0 }
        #expect(await app.notes.snapshot(id: -1, policy: .cacheOnly).kept?.isPending != true)
        await app.end()
    }

    @Test func reusedTemporaryIDMeansTheLatestAddition() async throws {
        let write = try #require(stage.service.source.write)
        let last = Mutex(41)
        let source = stage.service.source.writing { change, key in
            guard case .add(let note) = change else { return await write(change, key) }
            let id = last.withLock { last in
                last += 1
                return last
            }
            return await write(.add(Note(id: id, title: note.title, text: note.text)), key)
        }
        let yesterday = stage.begin(source, kind: OutboxStage.identified)
        _ = try await yesterday.notes.add(Note(id: -1, title: "yesterday's")).delivery()
        await eventually { await counts() == 0 }
        await yesterday.end()
        let today = stage.begin(source, kind: OutboxStage.identified, isDelivering: false)
        _ = try await today.notes.add(added, .optimistic)
        let changed = try await today.notes.edit(edited, .optimistic)
        #expect(await today.notes.snapshot(id: -1, policy: .cacheOnly).value == edited)
        today.outbox.register(try #require(today.notes.destination))
        #expect(await changed.delivery() == .delivered(Note(id: 43, title: "newer")))
        #expect(stage.service.models == [Note(id: 42, title: "yesterday's"), Note(id: 43, title: "newer")])
        await today.end()
    }

    private func counts() async -> Int {
        (try? await stage.store.counts(of: nil).pending.values.reduce(0, +)) ?? -1
    }

    /// Waits until the condition holds. The suite's time limit ends a wait that never succeeds.
    private func eventually(_ isSo: () async -> Bool) async {
        await waitUntil { await isSo() }
    }
}
