import Synchronization
import Testing
import WharfCore
import WharfPrimitives
import WharfStorage

@testable import WharfRepository

/// Pending changes, and the observers that they notify.
@Suite struct PendingChangesTests {
    typealias Thing = PendingStage.Thing

    private let failure = DeliveryFailure(.unavailable, message: "scripted: 503", status: 503)
    private let offline = DeliveryFailure(.offline, message: "scripted: the network is down")
    private let pending = PendingChanges<Thing>()

    private func begin(
        _ number: Int, of model: Int = 1, validator: String? = nil, behind: [Int] = [], overlay: Overlay? = nil,
        isLocal: Bool = false
    ) {
        pending.apply(
            .begun(
                PendingStage.change(
                    number, of: model, validator: validator, behind: behind, overlay: overlay, isLocal: isLocal)))
    }

    private func decide(
        _ number: Int, _ failure: DeliveryFailure? = nil, _ taken: PendingEvent<Thing>.ServiceEffect? = nil
    ) {
        pending.apply(.decided(PendingStage.entry(number), failure, taken, at: PendingStage.start))
    }

    private func state(of model: Int) -> PendingState? {
        pending.read { $0.published.states[PendingStage.CountedID(number: model)] }
    }

    private func validator(of number: Int) -> String? { pending.change(PendingStage.entry(number))?.validator }

    // MARK: Validators

    @Test func deliveredChangeUpdatesValidatorOfDependentChanges() {
        begin(1, validator: "a", isLocal: true)
        begin(2, validator: "a", behind: [1], isLocal: true)
        begin(3, validator: "b", behind: [1], isLocal: true)
        begin(4, validator: "a", isLocal: true)
        decide(1, nil, .init(validator: "c"))
        #expect([2, 3, 4].map(validator) == ["c", "b", "a"])
    }

    @Test func refusedChangeUpdatesNoValidator() {
        begin(1, validator: "a")
        begin(2, validator: "a", behind: [1])
        decide(1, failure)
        #expect(validator(of: 2) == "a")
    }

    @Test(arguments: [("\"a\"", "\"a\""), ("W/\"a\"", nil), (nil, nil)] as [(String?, String?)])
    func onlyAStrongEntityTagIsSentBack(tag: String?, validator: String?) {
        var head = HTTPResponse(status: .ok)
        head.headerFields[.eTag] = tag
        #expect(head.strongValidator == validator)
    }

    // MARK: Caches

    @Test func hiddenChangeIsNotReported() {
        begin(1, isLocal: true)
        #expect(!pending.changes.pendingFlag.isSet && !pending.listChanges.pendingFlag.isSet)
        #expect(pending.read(\.shownCount) == 0 && pending.shown("1").isEmpty)
        begin(2, overlay: .deletion, isLocal: true)
        #expect(pending.changes.pendingFlag.isSet && pending.listChanges.pendingFlag.isSet)
        #expect(pending.shown("1").layers.count == 1 && pending.shown("1").decides)
        decide(1)
        decide(2)
        #expect(pending.read(\.shownCount) == 0 && pending.shown("1").isEmpty && pending.open("1").isEmpty)
    }

    @Test func aLaterReadHasAGreaterNumber() {
        begin(1, overlay: PendingStage.overlay(1))
        let first = pending.shown("1")
        decide(1)
        let second = pending.shown("1")
        #expect(second.number > first.number && second.isEmpty && second.last == 0 && first.last == first.number)
    }

    /// Otherwise the value with the change would have the revision of the value without it.
    @Test func recordOfAChangeKeepsItsNumber() {
        begin(1, overlay: PendingStage.overlay(1))
        let first = pending.shown("1")
        pending.apply(.recorded(PendingStage.change(1, of: 1, overlay: PendingStage.overlay(1), at: 1)))
        #expect(first.last > 0 && pending.shown("1").last == first.last)
    }

    // MARK: Pending states

    @Test func changingOneOfManyStatesVisitsFewOthers() async {
        let looks = PendingStage.CountedID.Looks()
        pending.restored()
        for number in 0..<10_000 {
            pending.apply(.begun(PendingStage.change(number, of: number, looks: looks)))
        }
        let states = PendingStates(current: pending.known) { [pending] in
            let published = pending.read(\.published)
            return ((published.states, published.number), pending.known.latest.version)
        }
        var seen = states.makeAsyncIterator()
        #expect(await seen.next(isolation: nil)?.count == 10_000)
        let before = looks.count.load(ordering: .relaxed)
        pending.apply(.sending(PendingStage.entry(77)))
        let published = await seen.next(isolation: nil)
        let count = looks.count.load(ordering: .relaxed) - before
        #expect(count > 0 && count < 50, "looked \(count) times")
        #expect(published?[PendingStage.CountedID(number: 77)] == .sending && published?.count == 10_000)
    }

    @Test func aChangeThatAltersNoStateIsNotReported() {
        begin(1)
        begin(2)
        pending.apply(.sending(PendingStage.entry(1)))
        let number = pending.read(\.published.number)
        // If a model has two changes, the sending one determines its state.
        pending.apply(.answered(PendingStage.entry(2), failure))
        #expect(pending.read(\.published.number) == number)
        decide(1)
        #expect(state(of: 1) == .waiting(failure))
    }

    @Test func offlineFailureIsReportedUntilADelivery() {
        for number in 1...3 { begin(number, of: number) }
        pending.apply(.answered(PendingStage.entry(1), offline))
        #expect((1...3).allSatisfy { state(of: $0) == .waiting(offline) })
        pending.apply(.recorded(PendingStage.change(2, of: 2, .dead, failure, at: 2)))
        decide(1)
        #expect([1, 2, 3].map(state) == [nil, .failed(failure), .waiting(nil)])
        pending.apply(.settled(PendingStage.entry(3)))
        pending.apply(.settled(PendingStage.entry(2)))
        #expect(pending.read(\.published.states).isEmpty)
    }

    /// A process that does not deliver learns of failures and settlements by records alone.
    @Test func recordedOfflineFailureEndsWithItsChange() {
        pending.apply(
            .recorded(PendingStage.change(1, of: 1, .waiting, offline, at: 1)),
            .recorded(PendingStage.change(2, of: 2, .waiting, offline, at: 2)),
            .recorded(PendingStage.change(3, of: 3, at: 3)))
        #expect((1...3).allSatisfy { state(of: $0) == .waiting(offline) })
        // The second change still has its failure.
        pending.apply(.settled(PendingStage.entry(1)))
        #expect([1, 2, 3].map(state) == [nil, .waiting(offline), .waiting(offline)])
        pending.apply(.settled(PendingStage.entry(2)))
        #expect([1, 2, 3].map(state) == [nil, nil, .waiting(nil)])
    }

    @Test func changeIsReportedUnderTheNewIDOfItsModel() {
        begin(1, of: 1)
        pending.apply(.recorded(PendingStage.change(1, of: 42, at: 1)))
        #expect(
            pending.read(\.published.states).mapValues { $0 } == [PendingStage.CountedID(number: 42): .waiting(nil)])
        // The journal may contain the old id for ever.
        pending.apply(.recorded(PendingStage.change(1, of: 1, at: 1)))
        #expect(state(of: 42) == .waiting(nil) && state(of: 1) == nil)
    }

    // MARK: Outcomes

    @Test func outcomeAwaitedFromOutboxIsNotFulfilledEarly() async {
        let (entry, other) = (PendingStage.entry(1), PendingStage.entry(2))
        let (receipt, received) = (pending.receipt(of: entry), pending.receipt(of: other))
        #expect(pending.startHearing(other) && !pending.startHearing(other))
        for entry in [entry, other] { pending.fulfil(entry, .delivered(nil), unlessHeard: true) }
        #expect(receipt.value != nil && received.value == nil)
        pending.fulfil(other, .delivered(nil))
        #expect(received.value != nil && !pending.startHearing(entry))
    }

    /// Another process settled the change before the task that enqueued it could begin it.
    @Test func aChangeWhoseOutcomeIsKnownIsNotBegun() {
        let change = PendingStage.change(1, of: 1)
        _ = pending.receipt(of: change.entry)
        pending.fulfil(change.entry, .delivered(nil))
        pending.begin(change)
        #expect(pending.change(change.entry) == nil)
        _ = pending.receipt(of: change.entry)
        pending.begin(change)
        #expect(pending.change(change.entry)?.phase == .waiting)
    }
}
