import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfFaults
import WharfPlayback
import WharfPlaybackFakes
import WharfPrimitives
import WharfRandom

@testable import WharfScreens

struct CommandQueueTests {
    let device = StubPlayer()
    let gate = Gate()

    private func stop(_ sequence: Int) -> ScreenMessage.Command { .init(sequence: sequence, command: .stop) }

    private func answers(_ count: Int, _ sender: Sender, _ session: String) async -> [Task<Sender.Answer, any Error>] {
        device.hold(at: gate)
        var tasks: [Task<Sender.Answer, any Error>] = []
        for sequence in 1...count {
            tasks.append(Task { try await sender.command(session, sequence) })
            await until(sender) { $0.queue.count == sequence }
        }
        await gate.arrivals()
        return tasks
    }

    private func until(_ sender: Sender, _ isSo: (ReceiverSession) -> Bool) async {
        await waitUntil { sender.receiver.session.withLock({ isSo($0) }) }
    }

    @Test func fullQueueAnswers503WithRetryAfter() async throws {
        let sender = Sender(receiver: ScreenReceiver(player: device))
        let session = try await sender.open()
        let waiting = await answers(ReceiverSession.queueLimit, sender, session)
        let beyond = try await sender.command(session, 9)
        #expect(beyond.status == 503)
        #expect(beyond.fields[.retryAfter] == "1")
        #expect(beyond.body.hasPrefix(#"{"code":"refused""#))
        gate.open()
        for task in waiting { #expect(try await task.value.status == 200) }
        // The command was not accepted before, so it does not count as late.
        #expect(try await sender.command(session, 9).status == 200)
        #expect(device.taken.count == 9)
    }

    @Test func commandResentWhileQueuedIsPerformedOnce() async throws {
        let sender = Sender(receiver: ScreenReceiver(player: device))
        let session = try await sender.open()
        let first = await answers(2, sender, session)
        let again = [1, 2].map { sequence in Task { try await sender.command(session, sequence) } }
        // If the first one came after the end of the second, it would be late.
        await until(sender) { $0.queue.map(\.callers) == [2, 2] }
        gate.open()
        for task in first + again { #expect(try await task.value.status == 200) }
        #expect(device.taken.count == 2)
    }

    @Test func cancelledCallerEndsAtOnceAndItsCommandRuns() async throws {
        let sender = Sender(receiver: ScreenReceiver(player: device))
        let session = try await sender.open()
        let left = await answers(2, sender, session)
        for task in left { task.cancel() }
        for task in left {
            await #expect { try await task.value } throws: { ($0 as? TransportError)?.code == .cancelled }
        }
        let again = Task { try await sender.command(session, 2) }
        await letOthersRun()
        gate.open()
        #expect(try await again.value.status == 200)
        #expect(device.taken.count == 2)
    }

    @Test func outcomeOfAFormerSendersCommandReachesTheNewOne() throws {
        var session = ReceiverSession()
        session.reported(.idle, generation: 0)
        #expect(session.open(as: "a") == nil)
        guard case .wait(let command) = session.decide(stop(1), of: "a") else { throw Unexpected() }
        #expect(session.next() === command)
        let before = session.open(as: "b")
        let ended = try #require(before)
        #expect(ended.end == .takenOver)
        #expect(ended.commands.first === command)
        let feed = try #require(session.feed)
        #expect(feed.state == .init(event: 1, state: .init(sequence: 0, state: .idle)))
        let playing = PlaybackState(.playing, item: Living.film, position: .seconds(3))
        _ = session.finished(command, .success(()), playing)
        // None of this counts as the answer to a command of the new session.
        #expect(feed.state == .init(event: 2, state: .init(sequence: 0, state: playing)))
        guard case .wait(let own) = session.decide(stop(1), of: "b") else { throw Unexpected() }
        #expect(own !== command)
    }

    @Test func playerGetsOneCommandAtATimeAcrossSessions() throws {
        var session = ReceiverSession()
        _ = session.open(as: "a")
        guard case .wait(let first) = session.decide(stop(1), of: "a") else { throw Unexpected() }
        #expect(session.next() === first)
        _ = session.open(as: "b")
        guard case .wait(let second) = session.decide(stop(1), of: "b") else { throw Unexpected() }
        #expect(second !== first)
        #expect(session.next() == nil)
        _ = session.finished(first, .failure(.cancelledByCaller), nil)
        #expect(session.next() === second)
    }

    @Test func oldSessionEndsAreForgotten() {
        var session = ReceiverSession()
        for number in 0...ReceiverSession.endsLimit + 1 { _ = session.open(as: "\(number)") }
        #expect(session.end(of: "0") == .expired)
        #expect(session.end(of: "1") == .takenOver)
        #expect(session.end(of: "never") == .expired)
        #expect(session.end(of: "\(ReceiverSession.endsLimit + 1)") == nil)
    }

    @Test func idsHaveAllTheirDigits() {
        #expect(SharedRandom(CountingGenerator()).id() == "00000000000000000000000000000001")
        let random = SharedRandom(SeededGenerator(seed: 7))
        let ids = (0..<1_000).map { _ in random.id() }
        #expect(Set(ids).count == ids.count)
        #expect(ids.allSatisfy { $0.count == 32 && ScreenMessage.Session(session: $0).isWellFormed })
    }

    private struct Unexpected: Error {}
}
