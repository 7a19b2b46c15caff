import Testing
import WharfCore
import WharfCoreLaws
import WharfFakes

struct ScriptedRepositoryTests {
    typealias Note = WriteLaws.Note

    let clock = TestClock()
    let one = Note(id: 1, title: "one")
    let two = Note(id: 2, title: "two")
    let offline = ReadFailure(.offline, message: "scripted")

    private func notes(_ models: Note...) -> ScriptedRepository<Note> {
        ScriptedRepository(models, clock: clock.wall)
    }

    @Test func readReturnsTheScriptedModels() async throws {
        let notes: any ReadWriteRepository<Note> = notes(one, two)
        #expect(try await notes.get(id: 1) == one)
        #expect(try await notes.list() == [one, two])
        #expect(try await notes.list(EntityQuery().limit(1)) == [one])
        let missing = await notes.snapshot(id: 3).error
        #expect(missing?.isAnswer == true && missing?.response?.status == .notFound)
    }

    @Test func ageAndErrorStandBesideTheValue() async {
        let notes = notes()
        notes.show(one, source: .store, age: .seconds(3_600), lifetime: .seconds(60), error: offline)
        let snapshot = await notes.snapshot(id: 1)
        let now = clock.wall.now()
        #expect(snapshot.value == one && snapshot.error == offline && snapshot.kept?.source == .store)
        #expect(snapshot.kept?.age(at: now) == .seconds(3_600))
        #expect(snapshot.kept?.isFresh(at: now) == false)
        #expect(await notes.listSnapshot().value == [one])
    }

    @Test func failureAppliesToEveryReadWithoutItsOwn() async {
        let notes = notes(one, two)
        let timeout = ReadFailure(.timedOut, message: "scripted")
        notes.show(two, error: timeout)
        notes.fail(offline)
        #expect(await notes.snapshot(id: 1).error == offline)
        #expect(await notes.snapshot(id: 1).value == one)
        #expect(await notes.snapshot(id: 2).error == timeout)
        #expect(await notes.snapshot(id: 3).error == offline)
        #expect(await notes.listSnapshot().error == offline)
        notes.fail(nil)
        #expect(await notes.snapshot(id: 1).error == nil)
    }

    @Test func observerGetsTheCurrentValueThenEachChange() async {
        let notes = notes(one)
        var snapshots = notes.observe(id: 1).makeAsyncIterator()
        #expect(await snapshots.next(isolation: nil)?.value == one)
        notes.show(one, fetch: .refreshing)
        #expect(await snapshots.next(isolation: nil)?.fetch == .refreshing)
        notes.fail(offline)
        #expect(await snapshots.next(isolation: nil)?.error == offline)
        notes.remove(1)
        notes.fail(nil)
        #expect(await snapshots.next(isolation: nil)?.error?.isAnswer == true)
    }

    @Test func aSlowObserverGetsTheNewest() async {
        let notes = notes(one)
        var snapshots = notes.observe(id: 1).makeAsyncIterator()
        for title in ["a", "b", "c"] { notes.show(Note(id: 1, title: title)) }
        #expect(await snapshots.next(isolation: nil)?.value?.title == "c")
    }

    @Test func listsAreObservedAndCanBeReplaced() async {
        let notes = notes(one)
        var lists = notes.observeList().makeAsyncIterator()
        #expect(await lists.next(isolation: nil)?.value == [one])
        notes.show(two)
        #expect(await lists.next(isolation: nil)?.value == [one, two])
        notes.showList(Snapshot(kept: nil, error: offline, fetch: .paused))
        let failed = await lists.next(isolation: nil)
        #expect(failed?.kept == nil && failed?.error == offline && failed?.fetch == .paused)
        notes.showList(nil)
        #expect(await lists.next(isolation: nil)?.value == [one, two])
    }

    @Test func snapshotShownForAnIDLeavesListsAlone() async {
        let notes = notes(one)
        notes.show(Snapshot(kept: nil, error: offline), id: 1)
        #expect(await notes.snapshot(id: 1).kept == nil)
        #expect(await notes.listSnapshot().value == [one])
        notes.show(one)
        #expect(await notes.snapshot(id: 1).value == one)
    }

    @Test func changesAreShownAndDelivered() async throws {
        let notes = notes(one)
        var lists = notes.observeList().makeAsyncIterator()
        _ = await lists.next(isolation: nil)
        #expect(try await notes.add(two).delivery() == .delivered(two))
        #expect(await lists.next(isolation: nil)?.value == [one, two])
        let edited = Note(id: 1, title: "edited")
        #expect(try await notes.edit(edited, basedOn: one).delivery() == .delivered(edited))
        let again = Note(id: 1, title: "again")
        #expect(try await notes.edit(1) { $0.title = "again" }.delivery() == .delivered(again))
        #expect(try await notes.delete(id: 2).delivery() == .delivered(nil))
        #expect(notes.models == [again])
        #expect(notes.writes.count == 4)
    }

    @Test func aChangeThatIsRefusedChangesNothing() async throws {
        let notes = notes(one)
        let refusal = WriteFailure(.invalid, message: "scripted")
        notes.failWrites(refusal)
        #expect(try await notes.edit(Note(id: 1, title: "edited"), basedOn: one).delivery() == .rejected(refusal))
        #expect(notes.models == [one])
    }

    @Test func readsWaitAtTheGateUntilCancelledOrOpened() async {
        let notes = notes(one)
        let gate = Gate()
        notes.hold(at: gate)
        let (left, stayed) = (Task { await notes.snapshot(id: 1) }, Task { await notes.listSnapshot() })
        await gate.arrivals(2)
        left.cancel()
        #expect(await left.value.error?.code == .cancelled)
        gate.open()
        #expect(await stayed.value.value == [one])
    }

    @Test func readsAreLogged() async throws {
        let notes = notes(one)
        _ = await notes.snapshot(id: 1, policy: .cacheOnly)
        _ = await notes.listSnapshot(EntityQuery().limit(5), policy: nil)
        _ = notes.observe(id: 2, policy: .networkFirst).makeAsyncIterator()
        let reads = notes.reads
        try #require(reads.count == 3)
        guard case .one(1, .cacheOnly?) = reads[0], case .list(let query, nil) = reads[1],
            case .one(2, .networkFirst?) = reads[2]
        else {
            Issue.record("\(reads)")
            return
        }
        #expect(query.rows.limit == 5)
    }

    @Test func releasedIteratorIsNoLongerAnObserver() async {
        let notes = notes(one)
        let staying = notes.observe(id: 1).makeAsyncIterator()
        do {
            let leaving = notes.observeList().makeAsyncIterator()
            #expect(notes.observers == 2)
            withExtendedLifetime(leaving) {}
        }
        #expect(notes.observers == 1)
        withExtendedLifetime(staying) {}
    }

    @Test func observationEndsWithTheRepository() async {
        var notes: ScriptedRepository? = notes(one)
        var snapshots = notes?.observe(id: 1).makeAsyncIterator()
        _ = await snapshots?.next(isolation: nil)
        notes = nil
        #expect(await snapshots?.next(isolation: nil) == nil)
    }
}
