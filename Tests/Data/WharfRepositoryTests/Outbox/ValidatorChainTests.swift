import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfOutbox
import WharfStorage
import WharfStores

@testable import WharfRepository

/// A change based on this device's own earlier changes is no conflict in any delivering process.
struct ValidatorChainTests {
    typealias Note = WriteLaws.Note

    private let stage = OutboxStage()
    private let edited = Note(id: 1, title: "edited", text: "first")
    private let last = Note(id: 1, title: "edited", text: "again")

    @Test func otherProcessEditOfOneInFlightIsNoConflict() async throws {
        let (gate, here, there) = (Gate(), stage.begin(), stage.begin(isDelivering: false))
        _ = await here.notes.snapshot(id: 1)
        stage.service.holdWrites(at: gate)
        _ = try await here.notes.edit(edited, .optimistic)
        await gate.arrivals(1)
        await waitUntil { await there.notes.snapshot(id: 1, policy: .cacheOnly).value == edited }
        _ = try await there.notes.edit(last, .optimistic)
        gate.open()
        await waitUntil { stage.service.models == [last] }
        #expect(try await stage.store.deadLetters(of: nil, after: nil, limit: 1).isEmpty)
        await here.end()
        await there.end()
    }

    @Test func editsDeliveredByDyingProcessesAreNoConflict() async throws {
        let first = stage.begin(isDelivering: false)
        _ = await first.notes.snapshot(id: 1)
        for text in ["a", "b", "c", "d"] {
            _ = try await first.notes.edit(Note(id: 1, title: "edited", text: text), .optimistic)
        }
        await first.end()
        let write = try #require(stage.service.source.write)
        for text in ["a", "b", "c", "d"] {
            // The first edit arrives, and after that the service is unreachable.
            let isFirst = Mutex(true)
            let source = stage.service.source.writing { change, key in
                let mayPass = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                return mayPass ? await write(change, key) : Snapshot(kept: nil, error: OutboxStage.unreachable)
            }
            let next = stage.begin(source)
            await waitUntil { stage.service.models.first?.text == text }
            try await waitUntil { try await stage.store.records(of: nil, after: nil, limit: 9).count <= left(text) }
            await next.end()
        }
        #expect(try await stage.store.deadLetters(of: nil, after: nil, limit: 1).isEmpty)
    }

    @Test func chainIsKeptOncePerModelAndOldOnesExpire() async throws {
        let first = stage.begin()
        for text in ["a", "b", "c"] {
            _ = await first.notes.snapshot(id: 1)
            _ = try await first.notes.edit(Note(id: 1, title: "edited", text: text), .optimistic).delivery()
        }
        try await waitUntil { try await stage.store.counts(of: nil).pending.isEmpty }
        #expect(try await chains() == 1)
        await first.end()
        for (hours, left) in [(12, 1), (24, 0)] {
            stage.clock.advance(by: .seconds(hours * 3_600))
            let next = stage.begin()
            _ = try await next.notes.pending()
            #expect(try await chains() == left)
            await next.end()
        }
    }

    enum Deliverer: CaseIterable { case here, there, next }

    /// The editor did not see the change that was delivered before its own. That is a conflict,
    /// regardless of the process that made the change.
    @Test(arguments: Deliverer.allCases, [true, false])
    func editUnawareOfDeliveredEditIsAConflict(deliverer: Deliverer, knowsFirst: Bool) async throws {
        let watched = WatchedWriteStore(sendsNotifications: false)
        let here = stage.begin(in: watched.base, isDelivering: false)
        _ = await here.notes.snapshot(id: 1)
        if knowsFirst { _ = try await here.notes.edit(edited, .optimistic) }
        // The process has read the journal, and gets no further notification.
        let there = stage.begin(in: watched, isDelivering: false)
        #expect(try await there.notes.pending().count == (knowsFirst ? 1 : 0))
        await waitUntil { watched.reads.counts != 0 }
        let unseen = Note(id: 1, title: "unseen", text: "unseen")
        _ = try await here.notes.edit(unseen, .optimistic)
        _ = try await there.notes.edit(last, .optimistic)
        let process =
            switch deliverer {
            case .here: here
            case .there: there
            case .next: stage.begin(in: watched.base, isDelivering: false)
            }
        process.outbox.register(try #require(process.notes.destination))
        try await waitUntil { try await watched.base.counts(of: nil).pending.isEmpty }
        #expect(stage.service.models == [unseen])
        let letters = try await watched.base.deadLetters(of: nil, after: nil, limit: 9)
        #expect(letters.map(\.failure.code) == [.conflict])
        await here.end()
        await there.end()
        if deliverer == .next { await process.end() }
    }

    /// Refused changes have changed nothing at the service.
    @Test func editBehindRefusedEditsIsNoConflict() async throws {
        let write = try #require(stage.service.source.write)
        let source = stage.service.source.writing { change, key in
            guard case .edit(let note, _, _) = change, note.text.hasPrefix("bad") else {
                return await write(change, key)
            }
            let head = HTTPResponse(status: .init(code: 422))
            return Snapshot(kept: nil, error: ReadFailure(.status, message: "scripted: 422", response: head))
        }
        let first = stage.begin(source, isDelivering: false)
        _ = await first.notes.snapshot(id: 1)
        for text in ["good", "bad", "bad too", "bad as well", "again"] {
            _ = try await first.notes.edit(Note(id: 1, title: "edited", text: text), .optimistic)
        }
        await first.end()
        let second = stage.begin(source)
        await waitUntil { stage.service.models == [last] }
        #expect(
            try await stage.store.deadLetters(of: nil, after: nil, limit: 9).map(\.failure.status) == [422, 422, 422])
        await second.end()
    }

    /// The service returns an entity tag for some changes only.
    @Test func chainStepWithoutTagIsContinuedOnlyIfAllAreKnown() {
        let (a, b): (WaitingChange.Reference, WaitingChange.Reference) = (.init("a"), .init("b"))
        var chain = ValidatorChain("a", from: "0")
        chain.pass(to: nil, by: a)
        chain.pass(to: nil, by: b)
        #expect(chain.continued(from: "0", behind: [a, b]) == chain)
        #expect(chain.continued(from: "0", behind: [a]) == ValidatorChain("a", from: "0"))
        chain.pass(to: "1", by: .init("c"))
        #expect(chain.continued(from: "0", behind: [a, b]).last == "0")
        // A service without entity tags needs no chain.
        var silent = ValidatorChain("a", from: nil)
        silent.pass(to: nil, by: a)
        #expect(silent == ValidatorChain("a", from: nil))
    }

    @Test func chainContinuesFromTheLastKnownStep() {
        let ids = ["a", "b", "c"].map { WaitingChange.Reference($0) }
        var chain = ValidatorChain("a", from: nil)
        for (index, id) in ids.enumerated() { chain.pass(to: "\(index)", by: id) }
        // An edit of an added model.
        #expect(chain.continued(from: nil, behind: ids) == chain)
        #expect(chain.continued(from: nil, behind: [ids[0]]).last == "0")
        #expect(chain.continued(from: "0", behind: [ids[1]]).last == "1")
        // A change based on the last tag of the chain, and one based on another version.
        #expect(chain.continued(from: "2", behind: []) == chain)
        #expect(chain.continued(from: "other", behind: ids) == ValidatorChain("a", from: "other"))
        // A change based on an entry that was merged since: the service has another version now.
        var anew = ValidatorChain("a", from: "theirs")
        anew.pass(to: "merged", by: ids[0])
        #expect(anew.continued(from: nil, behind: ids).last == "theirs")
        #expect(anew.continued(from: "other", behind: ids).last == "other")
    }

    /// The change was merged with the other client's version, by its kind or by a person.
    @Test func chainDoesNotTakeOriginalEditForItsMergedForm() {
        let (a, anew) = (WaitingChange.Reference("a"), WaitingChange.Reference("a 1"))
        var chain = ValidatorChain("a", from: "theirs")
        chain.pass(to: "combined", by: anew)
        #expect(chain.continued(from: "theirs", behind: [anew]) == chain)
        #expect(chain.continued(from: "theirs", behind: [a]).last == "theirs")
        #expect(chain.continued(from: "theirs", behind: [.init("a 2")]).last == "theirs")
        // A change that was made without a tag is not sent without a condition.
        #expect(chain.continued(from: nil, behind: [a]).last == "theirs")
        chain.pass(to: "next", by: .init("b"))
        #expect(chain.continued(from: "theirs", behind: [anew, .init("b")]) == chain)
        #expect(chain.continued(from: "theirs", behind: [a, .init("b")]).last == "theirs")
        #expect(chain.continued(from: "combined", behind: [a, .init("b")]) == chain)
        let key = EntityKey(account: nil, kind: "k", id: "1")
        #expect(ValidatorChain(chain.row(key, asOf: .distantPast)) == chain)
        var untagged = ValidatorChain("a", from: nil)
        untagged.pass(to: "combined", by: anew)
        #expect(untagged.continued(from: nil, behind: [a]).last == ValidatorChain.unseen)
        #expect(untagged.continued(from: nil, behind: [anew]) == untagged)
    }

    @Test func longChainKeepsItsFirstAndLastStep() {
        var chain = ValidatorChain("a", from: "first")
        for number in 0..<1_000 { chain.pass(to: "\(number)", by: .init("\(number)")) }
        let key = EntityKey(account: nil, kind: "k", id: "1")
        let read = ValidatorChain(chain.row(key, asOf: .distantPast))
        #expect(read == chain && read?.last == "999" && read?.steps.first?.validator == "first")
        #expect(chain.steps.count == 256)
    }

    private func left(_ text: String) -> Int { ["a": 3, "b": 2, "c": 1][text] ?? 0 }

    private func chains() async throws -> Int {
        try await stage.store.rows(RowQuery(), of: nil, kind: ValidatorChain.kind(of: "note")).count
    }
}
