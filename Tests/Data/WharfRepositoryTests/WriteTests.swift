import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository
import WharfStores

/// The behaviour that a store adds to the laws of every repository that writes.
struct WriteTests {
    typealias Note = WriteLaws.Note

    private let clock = TestClock()
    private let store = FaultyEntityStore()
    private let incidents = IncidentLog()
    private let service: ScriptedOrigin<Note>
    private let notes: Repository<Note>

    init() {
        service = ScriptedOrigin([Note(id: 1, title: "one")], clock: clock.wall)
        var configuration = RepositoryConfiguration(clock: clock.wall)
        configuration.onIncident = incidents.handler
        notes = Repository(
            EntityKind("note", codec: Note.codec), in: store, remote: service.source, configuration: configuration)
    }

    private func code(_ write: () async throws -> WriteReceipt<Note>) async -> WriteFailure.Code? {
        do {
            _ = try await write()
            return nil
        } catch {
            return (error as? WriteFailure)?.code
        }
    }

    @Test func aSourceForReadingTakesNoChange() async {
        let reading = RemoteSource<Note> { id, _ in Snapshot(kept: nil, error: nil) }
        let notes = Repository(EntityKind("note", codec: Note.codec), in: store, remote: reading)
        #expect(await code { try await notes.edit(Note(id: 1, title: "x"), .optimistic) } == .unsupported)
        let local = Repository(EntityKind("note", codec: Note.codec), in: store)
        #expect(await code { try await local.delete(id: 1) } == .unsupported)
    }

    @Test func unencodableModelIsNotSent() async {
        struct Odd: Error {}
        let kind = EntityKind(
            "note",
            codec: Codec<Note> { _ in
                throw Odd()
            } decode: { _, _ in
                throw Odd()
            })
        let notes = Repository(kind, in: store, remote: service.source)
        #expect(await code { try await notes.add(Note(id: 2, title: "x")) } == .unencodable)
        #expect(service.writes == 0)
    }

    @Test func aClosedRepositoryTakesNoChange() async {
        notes.close()
        #expect(await code { try await notes.edit(Note(id: 1, title: "x")) } == .closed)
        #expect(service.writes == 0)
    }

    @Test func fullStoreDoesNotStopDelivery() async throws {
        _ = await notes.snapshot(id: 1)
        store.isFull = true
        let edited = Note(id: 1, title: "edited")
        #expect(try await notes.edit(edited, .optimistic).delivery() == .delivered(edited))
        #expect(service.models == [edited])
        #expect(incidents.codes == [.storeFailed])
    }

    @Test func foreignChangeWhileEditsWaitIsAConflict() async throws {
        _ = await notes.snapshot(id: 1)
        let gate = Gate()
        service.holdWrites(at: gate)
        let notes = notes
        let first = Task.immediate { try await notes.edit(Note(id: 1, title: "first")).delivery() }
        await gate.arrivals(1)
        let second = Task.immediate { try await notes.edit(Note(id: 1, title: "second")).delivery() }
        service.put(Note(id: 1, title: "theirs"))
        gate.open()
        for outcome in [try await first.value, try await second.value] {
            guard case .conflict(let theirs) = outcome else { return #expect(Bool(false), "found \(outcome)") }
            #expect(theirs.value?.title == "theirs")
        }
        #expect(service.models.map(\.title) == ["theirs"])
    }

    @Test func listReadKeepsEntityTagsOfUnchangedModels() async throws {
        _ = await notes.snapshot(id: 1)
        _ = await notes.listSnapshot(policy: .networkFirst)
        service.put(Note(id: 1, title: "theirs"))
        guard case .conflict = try await notes.edit(Note(id: 1, title: "mine")).delivery() else {
            return #expect(Bool(false), "expected a conflict")
        }
        // The list's version has no tag, so it can't be told from the service's current version.
        service.put(Note(id: 1, title: "newer"))
        _ = await notes.listSnapshot(policy: .networkFirst)
        #expect(try await notes.edit(Note(id: 1, title: "mine")).delivery() == .delivered(Note(id: 1, title: "mine")))
    }

    @Test func additionStandsInAListInOrderOfItsQuery() async throws {
        let byTitle = Field<Note, String>("title") { $0.title }
        let kind = EntityKind("sorted", codec: Note.codec, indexes: [byTitle.index])
        let sorted = Repository(kind, in: store, remote: service.source, configuration: .init(clock: clock.wall))
        service.put(Note(id: 2, title: "three"))
        let query = EntityQuery<Note>().sorted(by: byTitle)
        let other = EntityQuery<Note>().filter(byTitle == "one")
        _ = await sorted.listSnapshot(query, policy: .networkFirst)
        _ = await sorted.listSnapshot(other, policy: .networkFirst)
        let gate = Gate()
        service.holdWrites(at: gate)
        let added = Task { try await sorted.add(Note(id: 3, title: "seven"), .optimistic) }
        await gate.arrivals(1)
        #expect(await sorted.listSnapshot(query, policy: .cacheOnly).value?.map(\.title) == ["one", "seven", "three"])
        let others = await sorted.listSnapshot(other, policy: .cacheOnly)
        #expect(others.value?.contains { $0.title == "seven" } == false && others.kept?.isPending == false)
        gate.open()
        _ = try await added.value
    }

    // MARK: What the service says is not what it seems

    @Test func failedDeletionIsRevertedInLists() async throws {
        let notes = notes
        _ = await notes.listSnapshot(policy: .networkFirst)
        var lists = notes.observeList(policy: .cacheFirst).makeAsyncIterator()
        #expect(await lists.next(isolation: nil)?.value?.count == 1)
        let gate = Gate()
        service.holdWrites(at: gate)
        service.failWrites(ReadFailure(.connectionLost, message: "scripted"))
        let deleted = Task { try await notes.delete(id: 1, .optimistic) }
        await gate.arrivals(1)
        let hidden = await notes.listSnapshot(policy: .cacheOnly)
        #expect(hidden.value == [] && hidden.kept?.isPending == true)
        var last = await lists.next(isolation: nil)
        while last?.value?.count != 0 { last = await lists.next(isolation: nil) }
        gate.open()
        await #expect(throws: WriteFailure.self) { try await deleted.value }
        while last?.value?.count != 1 { last = await lists.next(isolation: nil) }
        #expect(await notes.listSnapshot(policy: .cacheOnly).value?.count == 1)
    }

    @Test func observerLearnsThatAnEditIsNoLongerPending() async throws {
        var seen = notes.observe(id: 1, policy: .cacheFirst).makeAsyncIterator()
        _ = await seen.next(isolation: nil)
        var last = await notes.snapshot(id: 1, policy: .cacheOnly)
        for round in 0..<50 {
            _ = try await notes.edit(Note(id: 1, title: "\(round)"), .optimistic)
            last = await notes.snapshot(id: 1, policy: .cacheOnly)
            #expect(last.value?.title == "\(round)" && last.kept?.isPending == false)
        }
        var reported = await seen.next(isolation: nil)
        while reported?.kept?.isPending != false || reported?.value?.title != "49" {
            reported = await seen.next(isolation: nil)
        }
    }

    @Test func editIsNotSentIfItsEntityTagIsUnreadable() async {
        _ = await notes.snapshot(id: 1)
        store.isUnreadable = true
        #expect(await code { try await notes.edit(Note(id: 1, title: "x"), .optimistic) } == .storeFailed)
        #expect(service.writes == 0)
        store.isUnreadable = false
        #expect(await notes.snapshot(id: 1, policy: .cacheOnly).value?.title == "one")
    }

    @Test func additionWithUndecodableAnswerIsDelivered() async throws {
        service.failWrites(
            ReadFailure(.undecodable, message: "scripted: OK", response: HTTPResponse(status: .created)))
        let two = Note(id: 2, title: "two")
        #expect(try await notes.add(two).delivery() == .delivered(nil))
        #expect(incidents.codes == [.answerUnreadable])
        #expect(await notes.snapshot(id: 2, policy: .cacheOnly).value == two)
    }

    @Test func nextReadFetchesModelOfUndeliveredEdit() async throws {
        let kind = EntityKind("note", codec: Note.codec, timeToLive: .seconds(3_600))
        let notes = Repository(kind, in: store, remote: service.source, configuration: .init(clock: clock.wall))
        _ = await notes.snapshot(id: 1)
        service.failWrites(ReadFailure(.timedOut, message: "scripted"))
        #expect(await code { try await notes.edit(Note(id: 1, title: "arrived")) } == .notDelivered)
        service.put(Note(id: 1, title: "arrived"))
        #expect(await notes.snapshot(id: 1).value?.title == "arrived")
    }

    @Test(arguments: [429, 507, 511, 529, 599, 999]) func retryableStatusDoesNotRejectTheEdit(status: Int) async {
        _ = await notes.snapshot(id: 1)
        service.failWrites(scripted(status))
        #expect(await code { try await notes.edit(Note(id: 1, title: "x")) } == .notDelivered)
    }

    @Test(arguments: [423, 501, 505]) func permanentStatusRejectsTheEdit(status: Int) async throws {
        _ = await notes.snapshot(id: 1)
        service.failWrites(scripted(status))
        guard case .rejected(let failure) = try await notes.edit(Note(id: 1, title: "x")).delivery() else {
            Issue.record("expected a rejection")
            return
        }
        #expect(failure.code == .refused)
    }

    private func scripted(_ status: Int) -> ReadFailure {
        ReadFailure(.status, message: "scripted", response: HTTPResponse(status: .init(code: status)))
    }

    @Test func changeThatServiceAlreadyHasIsDelivered() async throws {
        _ = await notes.snapshot(id: 1)
        let mine = Note(id: 1, title: "mine")
        service.put(mine)
        #expect(try await notes.edit(mine).delivery() == .delivered(mine))
        service.remove(1)
        service.failWrites(ReadFailure(.status, message: "412", response: HTTPResponse(status: .preconditionFailed)))
        #expect(try await notes.delete(id: 1).delivery() == .delivered(nil))
    }

    @Test func deletionAnsweredWithTheModelRemovesIt() async throws {
        let now = clock.wall.now()
        let source = service.source.writing { _, _ in
            Snapshot(kept: .init(value: Note(id: 1, title: "one"), source: .network, asOf: now))
        }
        let notes = Repository(EntityKind("note", codec: Note.codec), in: store, remote: source)
        _ = await notes.snapshot(id: 1)
        #expect(try await notes.delete(id: 1).delivery() == .delivered(nil))
        #expect(await notes.snapshot(id: 1, policy: .cacheOnly).value == nil)
    }

    @Test func editIsKeptInMemoryIfTheStoreIsFull() async throws {
        _ = await notes.snapshot(id: 1)
        store.isFull = true
        let edited = Note(id: 1, title: "edited")
        try await notes.edit(edited)
        #expect(await notes.snapshot(id: 1, policy: .cacheFirst).value == edited)
    }

    @Test func additionIsKeptUnderTheServiceID() async throws {
        let now = clock.wall.now()
        let source = service.source.writing { _, _ in
            Snapshot(kept: .init(value: Note(id: 9, title: "named"), source: .network, asOf: now))
        }
        let notes = Repository(EntityKind("note", codec: Note.codec), in: store, remote: source)
        store.isFull = true
        try await notes.add(Note(id: 0, title: "named"))
        #expect(await notes.snapshot(id: 9, policy: .cacheOnly).value?.title == "named")
        #expect(await notes.snapshot(id: 0, policy: .cacheOnly).value == nil)
    }

    @Test func deletionRemovesModelHeldInMemoryOnly() async throws {
        let now = clock.wall.now()
        let source = RemoteSource<Note> { _, mode in
            guard mode != .storedOnly else { return Snapshot(kept: nil, error: nil) }
            let head = HTTPResponse(status: .ok, headerFields: [.cacheControl: "no-store"])
            let kept = Snapshot<Note>.Kept(
                value: Note(id: 1, title: "one"), source: .network, asOf: now, staleAt: now + .seconds(60),
                response: head)
            return Snapshot(kept: kept)
        }.writing { _, _ in Snapshot(kept: nil) }
        let notes = Repository(
            EntityKind("note", codec: Note.codec), in: store, remote: source, configuration: .init(clock: clock.wall))
        #expect(await notes.snapshot(id: 1).value != nil)
        try await notes.delete(id: 1)
        #expect(await notes.snapshot(id: 1, policy: .cacheOnly).value == nil)
    }

    @Test func editOnRowOlderThanUnstoredAnswerIsRefused() async throws {
        let write = try #require(service.source.write)
        let source = service.source.writing { change, key in
            let answer = await write(change, key)
            guard let kept = answer.kept, var head = kept.response else { return answer }
            head.headerFields[.cacheControl] = "no-store"
            return Snapshot(kept: .init(value: kept.value, source: .network, asOf: kept.asOf, response: head))
        }
        let notes = Repository(
            EntityKind("note", codec: Note.codec), in: store, remote: source, configuration: .init(clock: clock.wall))
        _ = await notes.snapshot(id: 1)
        _ = await notes.listSnapshot()
        try await notes.edit(1) { $0.title = "edited" }
        #expect(await notes.snapshot(id: 1, policy: .cacheOnly).value?.title == "edited")
        #expect(await notes.listSnapshot(policy: .cacheOnly).value?.map(\.id) == [1])
        await #expect(throws: WriteFailure.self) { try await notes.edit(1) { $0.text = "edited" } }
        // A read brings the model into the store again.
        _ = await notes.snapshot(id: 1, policy: .networkFirst)
        guard case .delivered = try await notes.edit(1, .optimistic, { $0.text = "edited" }).delivery() else {
            Issue.record("expected that the second edit is delivered")
            return
        }
        #expect(service.models == [Note(id: 1, title: "edited", text: "edited")])
    }

    /// The origin answered the read before it accepted the edit.
    @Test func editOnReadDuringUnstoredEditIsRefused() async throws {
        let write = try #require(service.source.write)
        let source = service.source.writing { change, key in
            let answer = await write(change, key)
            guard let kept = answer.kept else { return answer }
            let head = HTTPResponse(status: .ok, headerFields: [.cacheControl: "no-store"])
            return Snapshot(kept: .init(value: kept.value, source: .network, asOf: kept.asOf, response: head))
        }
        let notes = Repository(
            EntityKind("note", codec: Note.codec), in: store, remote: source, configuration: .init(clock: clock.wall))
        _ = await notes.snapshot(id: 1)
        let gate = Gate()
        service.holdWrites(at: gate)
        let edit = Task { try await notes.edit(1, .optimistic) { $0.title = "edited" } }
        await gate.arrivals(1)
        _ = await notes.snapshot(id: 1, policy: .networkFirst)
        gate.open()
        _ = try await edit.value
        await #expect(throws: WriteFailure.self) { try await notes.edit(1) { $0.text = "edited" } }
    }

    @Test func cachedListDoesNotRevertLaterEdit() async throws {
        let (now, service) = (clock.wall.now(), service)
        let cached = RemoteSource<Note>(
            get: service.source.get,
            list: { query, mode in
                guard mode == .normal else { return await service.source.list?(query, mode) ?? Snapshot(kept: nil) }
                let old = [Note(id: 1, title: "one")]
                return Snapshot(kept: .init(value: old, source: .httpCache, asOf: now, staleAt: now + .seconds(300)))
            })
        let notes = Repository(
            EntityKind("note", codec: Note.codec), in: store,
            remote: service.source.write.map(cached.writing) ?? cached, configuration: .init(clock: clock.wall))
        _ = await notes.snapshot(id: 1)
        clock.advance(by: .seconds(1))
        let edited = Note(id: 1, title: "edited")
        try await notes.edit(edited)
        #expect(await notes.listSnapshot().value == [edited])
        #expect(await notes.snapshot(id: 1, policy: .cacheOnly).value == edited)
    }

    @Test func additionStaysInListUntilItsNextFetch() async throws {
        _ = await notes.listSnapshot(policy: .networkFirst)
        clock.advance(by: .seconds(1))
        let two = Note(id: 2, title: "two")
        _ = try await notes.add(two, .optimistic)
        #expect(await notes.listSnapshot(policy: .cacheOnly).value?.map(\.id) == [1, 2])
        service.remove(2)
        clock.advance(by: .seconds(1))
        #expect(await notes.listSnapshot(policy: .networkFirst).value?.map(\.id) == [1])
    }

    @Test func closingRepositoryDropsWaitingEdit() async throws {
        _ = await notes.snapshot(id: 1)
        let (gate, notes) = (Gate(), notes)
        service.holdWrites(at: gate)
        let first = Task.immediate { try await notes.edit(Note(id: 1, title: "first")) }
        await gate.arrivals(1)
        let second = Task.immediate { try await notes.edit(Note(id: 1, title: "second")) }
        notes.close()
        gate.open()
        _ = try await first.value
        #expect(await code { try await second.value } == .closed)
        #expect(service.models.map(\.title) == ["first"] && service.writes == 1)
    }

    @Test func overlappingEditsApplyInCallOrder() async throws {
        _ = await notes.snapshot(id: 1)
        let notes = notes
        for round in 0..<50 {
            let gate = Gate()
            service.holdWrites(at: gate)
            let calls = (0..<4).map { number in
                Task.immediate { try await notes.edit(Note(id: 1, title: "\(round).\(number)"), .optimistic) }
            }
            await gate.arrivals(1)
            await waitUntil { await notes.snapshot(id: 1, policy: .cacheOnly).value?.title == "\(round).3" }
            gate.open()
            for call in calls { _ = try await call.value }
            #expect(service.models.map(\.title) == ["\(round).3"])
        }
    }

    @Test func aModelWithAChangeOnItsWayIsNotEvicted() async throws {
        _ = await notes.snapshot(id: 1)
        let (gate, notes) = (Gate(), notes)
        service.holdWrites(at: gate)
        let edited = Task { try await notes.edit(Note(id: 1, title: "edited")) }
        await gate.arrivals(1)
        #expect(try await notes.evict(EvictionLimits(count: 0)).models.isEmpty)
        gate.open()
        _ = try await edited.value
        #expect(try await notes.evict(EvictionLimits(count: 0)).models.count == 1)
    }
}
