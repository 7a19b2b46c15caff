import Synchronization
import Testing
import WharfCore
import WharfOutbox
import WharfStores
import WharfTesting

@testable import WharfRepository

/// What is made on what this device has sent itself is no conflict, whoever delivers.
@Suite(.timeLimit(.minutes(2)))
struct ValidatorChainTests {
    typealias Note = WriteLaws.Note

    private let stage = OutboxStage()
    private let edited = Note(id: 1, title: "edited", text: "first")
    private let last = Note(id: 1, title: "edited", text: "again")

    @Test func whatAnotherProcessMakesOnWhatThisOneSendsIsNoConflict() async throws {
        let (gate, here, there) = (Gate(), stage.begin(), stage.begin(isDelivering: false))
        _ = await here.notes.snapshot(id: 1)
        stage.service.holdWrites(at: gate)
        _ = try await here.notes.edit(edited, .optimistic)
        await gate.arrivals(1)
        while await there.notes.snapshot(id: 1, policy: .cacheOnly).value != edited { await Task.yield() }
        _ = try await there.notes.edit(last, .optimistic)
        gate.open()
        while stage.service.models != [last] { await Task.yield() }
        #expect(try await stage.store.deadLetters(of: nil, after: nil, limit: 1).isEmpty)
        await here.end()
        await there.end()
    }

    @Test func whatIsDeliveredOneByOneByProcessesThatDieIsNoConflict() async throws {
        let first = stage.begin(isDelivering: false)
        _ = await first.notes.snapshot(id: 1)
        for text in ["a", "b", "c", "d"] {
            _ = try await first.notes.edit(Note(id: 1, title: "edited", text: text), .optimistic)
        }
        await first.end()
        let write = try #require(stage.service.source.write)
        for text in ["a", "b", "c", "d"] {
            // One arrives, and then nobody listens any more.
            let isFirst = Mutex(true)
            let source = stage.service.source.writing { change, key in
                let mayPass = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                return mayPass ? await write(change, key) : Snapshot(kept: nil, error: OutboxStage.unreachable)
            }
            let next = stage.begin(source)
            while stage.service.models.first?.text != text { await Task.yield() }
            while try await stage.store.records(of: nil, after: nil, limit: 9).count > left(text) { await Task.yield() }
            await next.end()
        }
        #expect(try await stage.store.deadLetters(of: nil, after: nil, limit: 1).isEmpty)
    }

    @Test func aModelHasOneChainAndOldOnesGo() async throws {
        let first = stage.begin()
        for text in ["a", "b", "c"] {
            _ = await first.notes.snapshot(id: 1)
            _ = try await first.notes.edit(Note(id: 1, title: "edited", text: text), .optimistic).delivery()
        }
        while try await !stage.store.counts(of: nil).pending.isEmpty { await Task.yield() }
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

    @Test func aLongChainKeepsWhatMostWereMadeOnAndWhatIsThereNow() {
        var chain = ValidatorChain("a", from: "first")
        for number in 0..<1_000 { chain.pass(to: "\(number)") }
        let key = EntityKey(account: nil, kind: "k", id: "1")
        let read = ValidatorChain(chain.row(key, asOf: .distantPast))
        #expect(read == chain && read?.last == "999" && read?.contains("first") == true && read?.contains("0") == false)
        #expect(chain.passed.count == 256)
    }

    private func left(_ text: String) -> Int { ["a": 3, "b": 2, "c": 1][text] ?? 0 }

    private func chains() async throws -> Int {
        try await stage.store.rows(RowQuery(), of: nil, kind: ValidatorChain.kind(of: "note")).count
    }
}
