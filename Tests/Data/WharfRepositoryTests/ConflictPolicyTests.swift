import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository

/// Conflicts that are settled by the policy of the kind, with an outbox and without.
struct ConflictPolicyTests {
    typealias Note = WriteLaws.Note
    typealias Way = EditingStage.Way

    private let stage = EditingStage([Note(id: 1, title: "one", text: "first")])
    private var service: ScriptedOrigin<Note> { stage.service }

    private func app(_ way: Way, _ policy: ConflictPolicy, hasTags: Bool = true) -> EditingStage.App {
        stage.app(
            way, source: hasTags ? nil : service.source.withoutTags, kind: OutboxStage.notes.merging(policy))
    }

    private func shown(_ app: EditingStage.App, _ id: Int = 1) async -> Note? {
        await app.notes.snapshot(id: id, policy: .cacheOnly).value
    }

    @Test(arguments: Way.allCases, [true, false])
    func mineWinsTheMemberThatBothHaveChanged(way: Way, hasTags: Bool) async throws {
        let app = app(way, .mine, hasTags: hasTags)
        _ = await app.notes.snapshot(id: 1)
        service.put(Note(id: 1, title: "theirs", text: "theirs"))
        let both = Note(id: 1, title: "mine", text: "theirs")
        #expect(try await app.notes.edit(1) { $0.title = "mine" }.delivery() == .delivered(both))
        #expect(service.models == [both])
        #expect(await shown(app) == both)
        await app.end()
    }

    @Test(arguments: Way.allCases, [true, false])
    func theirsWinTheMemberThatBothHaveChanged(way: Way, hasTags: Bool) async throws {
        let app = app(way, .theirs, hasTags: hasTags)
        let base = Note(id: 1, title: "one", text: "first")
        _ = await app.notes.snapshot(id: 1)
        service.put(Note(id: 1, title: "theirs", text: "first"))
        let both = Note(id: 1, title: "theirs", text: "mine")
        let mine = Note(id: 1, title: "mine", text: "mine")
        #expect(try await app.notes.edit(mine, basedOn: base).delivery() == .delivered(both))
        #expect(service.models == [both])
        #expect(await shown(app) == both)
        await app.end()
    }

    @Test(arguments: Way.allCases, [true, false])
    func fullyOverruledEditIsDeliveredAsTheirs(way: Way, hasTags: Bool) async throws {
        let app = app(way, .theirs, hasTags: hasTags)
        _ = await app.notes.snapshot(id: 1)
        let theirs = Note(id: 1, title: "theirs", text: "theirs")
        service.put(theirs)
        #expect(try await app.notes.edit(1) { $0.title = "mine" }.delivery() == .delivered(theirs))
        #expect(service.models == [theirs])
        #expect(await shown(app) == theirs)
        await app.end()
    }

    @Test(arguments: Way.allCases)
    func minePolicyAddsDeletedModelAgain(way: Way) async throws {
        let app = app(way, .mine)
        _ = await app.notes.snapshot(id: 1)
        service.remove(1)
        let mine = Note(id: 1, title: "mine", text: "first")
        #expect(try await app.notes.edit(1) { $0.title = "mine" }.delivery() == .delivered(mine))
        #expect(service.models == [mine])
        #expect(await shown(app) == mine)
        await app.end()
    }

    /// Without entity tags the edit begins with a read. A service that reads no single models
    /// answers that read with 404 as well.
    @Test(arguments: Way.allCases, [ConflictPolicy.mine, .theirs])
    func modelNotFoundByReadIsAConflictUnderEachPolicy(way: Way, policy: ConflictPolicy) async throws {
        let app = app(way, policy, hasTags: false)
        _ = await app.notes.snapshot(id: 1)
        service.remove(1)
        let outcome = try await app.notes.edit(1) { $0.title = "mine" }.delivery()
        guard case .conflict(let theirs) = outcome else {
            return #expect(Bool(false), "expected a conflict, found \(outcome)")
        }
        #expect(theirs.value == nil && service.models.isEmpty)
        await app.end()
    }

    @Test(arguments: Way.allCases)
    func theirsPolicyDropsEditOfDeletedModel(way: Way) async throws {
        let app = app(way, .theirs)
        _ = await app.notes.snapshot(id: 1)
        service.remove(1)
        #expect(try await app.notes.edit(1) { $0.title = "mine" }.delivery() == .delivered(nil))
        #expect(service.models.isEmpty)
        #expect(await shown(app) == nil)
        await app.end()
    }

    @Test(arguments: Way.allCases, [true, false])
    func minePolicyDeletesChangedModel(way: Way, hasTags: Bool) async throws {
        let app = app(way, .mine, hasTags: hasTags)
        _ = await app.notes.snapshot(id: 1)
        service.put(Note(id: 1, title: "theirs", text: "theirs"))
        #expect(try await app.notes.delete(id: 1).delivery() == .delivered(nil))
        #expect(service.models.isEmpty)
        #expect(await shown(app) == nil)
        await app.end()
    }

    @Test(arguments: Way.allCases, [true, false])
    func theirsPolicyDropsDeletionOfChangedModel(way: Way, hasTags: Bool) async throws {
        let app = app(way, .theirs, hasTags: hasTags)
        _ = await app.notes.snapshot(id: 1)
        let theirs = Note(id: 1, title: "theirs", text: "theirs")
        service.put(theirs)
        #expect(try await app.notes.delete(id: 1).delivery() == .delivered(theirs))
        #expect(service.models == [theirs])
        #expect(await shown(app) == theirs)
        await app.end()
    }

    @Test(arguments: Way.allCases)
    func minePolicyMakesAdditionOfExistingModelAConflict(way: Way) async throws {
        let app = app(way, .mine)
        let outcome = try await app.notes.add(Note(id: 1, title: "mine", text: "mine")).delivery()
        guard case .conflict = outcome else { return #expect(Bool(false), "expected a conflict, found \(outcome)") }
        #expect(service.models == [Note(id: 1, title: "one", text: "first")])
        await app.end()
    }

    /// An example is a service without a PATCH route.
    @Test(arguments: Way.allCases, [ConflictPolicy.ask, .mine, .theirs])
    func notFoundForEditOfExistingModelIsARejection(way: Way, policy: ConflictPolicy) async throws {
        let app = app(way, policy)
        let note = await app.notes.snapshot(id: 1).value
        // The outbox of this app has the same journal as the next one. It would deliver the edit to
        // the real service.
        await app.end()
        let source = service.source.writing { _, _ in Snapshot(kept: nil, error: .answer(404)) }
        let other = stage.app(way, source: source, kind: OutboxStage.notes.merging(policy))
        _ = await other.notes.snapshot(id: 1)
        let outcome = try await other.notes.edit(1) { $0.title = "mine" }.delivery()
        guard case .rejected = outcome else { return #expect(Bool(false), "expected a rejection, found \(outcome)") }
        #expect(await other.notes.snapshot(id: 1, policy: .cacheOnly).value == note)
        await other.end()
    }

    @Test(arguments: Way.allCases)
    func theirsPolicyDropsAdditionOfExistingModel(way: Way) async throws {
        let app = app(way, .theirs)
        let theirs = Note(id: 1, title: "one", text: "first")
        #expect(try await app.notes.add(Note(id: 1, title: "mine", text: "")).delivery() == .delivered(theirs))
        #expect(service.models == [theirs])
        #expect(await shown(app) == theirs)
        await app.end()
    }

    /// The service reads no single models, so the 404 does not prove that the model is gone.
    @Test(arguments: Way.allCases, [ConflictPolicy.mine, .theirs])
    func modelNotFoundAfterRefusalIsAConflict(way: Way, policy: ConflictPolicy) async throws {
        try await expectAConflict(way, policy, refusal: .answer(412), read: .answer(404))
    }

    /// A 404 to an edit may mean that the route is missing.
    @Test(arguments: [ConflictPolicy.mine, .theirs])
    func unreadableModelAfterNotFoundIsAConflict(policy: ConflictPolicy) async throws {
        try await expectAConflict(.direct, policy, refusal: .answer(404), read: OutboxStage.unreachable)
    }

    /// - Parameters:
    ///   - refusal: the answer to the edit.
    ///   - read: the answer to the read that follows.
    private func expectAConflict(
        _ way: Way, _ policy: ConflictPolicy, refusal: ReadFailure, read: ReadFailure
    ) async throws {
        let get = service.source.get
        let isRefused = Mutex(false)
        let writes = Mutex(0)
        let source = RemoteSource<Note> { id, mode in
            isRefused.withLock { $0 } ? Snapshot(kept: nil, error: read) : await get(id, mode)
        }.writing { _, _ in
            isRefused.withLock { $0 = true }
            writes.withLock { $0 += 1 }
            return Snapshot(kept: nil, error: refusal)
        }
        let app = stage.app(way, source: source, kind: OutboxStage.notes.merging(policy))
        _ = await app.notes.snapshot(id: 1)
        let outcome = try await app.notes.edit(1) { $0.title = "mine" }.delivery()
        guard case .conflict = outcome else { return #expect(Bool(false), "expected a conflict, found \(outcome)") }
        #expect(writes.withLock { $0 } == 1)
        await app.end()
    }

    /// The model at the service is still the base of the edit, and the service refuses it for
    /// another reason.
    @Test(arguments: Way.allCases, [ConflictPolicy.mine, .theirs])
    func aRefusalForAnotherReasonIsAConflictWithEachPolicy(way: Way, policy: ConflictPolicy) async throws {
        let app = app(way, policy)
        _ = await app.notes.snapshot(id: 1)
        service.failWrites(.answer(409))
        let outcome = try await app.notes.edit(1) { $0.title = "mine" }.delivery()
        guard case .conflict = outcome else { return #expect(Bool(false), "expected a conflict, found \(outcome)") }
        #expect(service.writes == 1)
        await app.end()
    }

    /// The second edit is based on the first one, whose title lost the conflict.
    @Test(arguments: Way.allCases, [ConflictPolicy.mine, .theirs])
    func anEditBehindASettledOneKeepsItsOwnMembers(way: Way, policy: ConflictPolicy) async throws {
        let app = app(way, policy)
        _ = await app.notes.snapshot(id: 1)
        let gate = Gate()
        service.holdWrites(at: gate)
        service.put(Note(id: 1, title: "theirs", text: "first"))
        async let first = app.notes.edit(1) { $0.title = "mine" }.delivery()
        await gate.arrivals(1)
        async let second = app.notes.edit(1) { $0.text = "mine" }.delivery()
        _ = await comesTrue { await self.shown(app)?.text == "mine" }
        service.holdWrites(at: nil)
        gate.open()
        let title = policy == .mine ? "mine" : "theirs"
        #expect(try await first == .delivered(Note(id: 1, title: title, text: "first")))
        #expect(try await second == .delivered(Note(id: 1, title: title, text: "mine")))
        #expect(service.models == [Note(id: 1, title: title, text: "mine")])
        await app.end()
    }
}
