import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfOutbox
import WharfRepository
import WharfStorage
import WharfStores

/// Pending changes of one model are shown over each other in the order of their delivery.
struct OverlayOrderTests {
    typealias Note = WriteLaws.Note

    private let stage = OutboxStage()
    private let edited = Note(id: 1, title: "edited", text: "first")

    @Test(arguments: [true, false])
    func retriedEditIsShownBelowLaterEdit(isNextProcess: Bool) async throws {
        let first = stage.begin()
        _ = await first.notes.snapshot(id: 1)
        let head = HTTPResponse(status: .init(code: 422))
        stage.service.failWrites(ReadFailure(.status, message: "scripted: 422", response: head))
        _ = try await first.notes.edit(edited, .optimistic).delivery()
        await eventually { await letters().count == 1 }
        stage.service.failWrites(OutboxStage.unreachable)
        let since = Note(id: 1, title: "since", text: "first")
        _ = try await first.notes.edit(since, .optimistic)
        await eventually { await stage.failures().isEmpty == false }
        if isNextProcess { await first.end() }
        let here = isNextProcess ? stage.begin() : first
        #expect(try await here.notes.pending()[1]?.isFailed == true)
        try await here.outbox.retry(letters().map(\.id))
        await eventually { (try? await here.notes.pending()[1]?.isFailed) != true }
        #expect(await here.notes.snapshot(id: 1, policy: .cacheOnly).value == since)
        await here.end()
    }

    /// The late change is of another process, and was journaled before a change of this one.
    @Test func editFoundLateIsShownInDeliveryOrder() async throws {
        let watched = WatchedWriteStore(sendsNotifications: false)
        let (here, there) = (
            stage.begin(in: watched, isDelivering: false), stage.begin(in: watched.base, isDelivering: false)
        )
        _ = await here.notes.snapshot(id: 1)
        #expect(try await here.notes.pending().isEmpty)
        _ = try await there.notes.edit(edited, .optimistic)
        let last = Note(id: 1, title: "last", text: "first")
        _ = try await here.notes.edit(last, .optimistic)
        let gate = Gate()
        stage.service.holdWrites(at: gate)
        let entry = try #require(try await watched.base.records(of: nil, after: nil, limit: 1).first).entry
        async let answer = here.notes.destination?.deliver(entry)
        await gate.arrivals(1)
        #expect(await here.notes.snapshot(id: 1, policy: .cacheOnly).value == last)
        gate.open()
        #expect(await answer?.verdict == .delivered)
        #expect(await here.notes.snapshot(id: 1, policy: .cacheOnly).value == last)
        await here.end()
        await there.end()
    }

    private func letters() async -> [DeadLetter] {
        (try? await stage.store.deadLetters(of: nil, after: nil, limit: 10)) ?? []
    }

    /// Waits until the condition holds. The suite's time limit ends a wait that never succeeds.
    private func eventually(_ isSo: () async -> Bool) async {
        await waitUntil { await isSo() }
    }
}

extension PendingState {
    fileprivate var isFailed: Bool { if case .failed = self { true } else { false } }
}
