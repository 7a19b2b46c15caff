import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfPlayback
import WharfPlaybackFakes
import WharfScreens

/// A session and its sender after the session is replaced or ended.
struct SessionEndTests {
    enum Ending: CaseIterable, Sendable {
        case takenOver, letGo, switchedOff

        var reported: String {
            switch self {
            case .takenOver: #"{"code":"takenOver","message":"another sender has taken the screen over"}"#
            case .letGo: #"{"code":"closed","message":"the sender has closed the session"}"#
            case .switchedOff: #"{"code":"closed","message":"the screen was switched off"}"#
            }
        }
    }

    let device = StubPlayer()

    /// - Returns: the path of the session that takes over, or nil if there is none.
    @discardableResult
    private func end(_ session: String, _ ending: Ending, _ sender: Sender) async throws -> String? {
        switch ending {
        case .takenOver: return try await sender.open()
        case .letGo: #expect(try await sender.send(.delete, session).status == 204)
        case .switchedOff: sender.receiver.close()
        }
        return nil
    }

    @Test(arguments: Ending.allCases) func lateRequestGetsTheReasonOfItsSessionsEnd(ending: Ending) async throws {
        let sender = Sender(receiver: ScreenReceiver(player: device))
        let session = try await sender.open()
        let next = try await end(session, ending, sender)
        for answer in [
            try await sender.send(.get, session + "/events"), try await sender.command(session, 9),
            try await sender.send(.delete, session),
        ] {
            #expect(answer.status == 410)
            #expect(answer.body == ending.reported)
        }
        #expect(device.taken.isEmpty)
        if let next { #expect(try await sender.command(next, 1).status == 200) }
    }

    @Test func sessionOfAnEarlierProcessIsExpired() async throws {
        let before = try await Sender(receiver: ScreenReceiver(player: device)).open()
        let sender = Sender(receiver: ScreenReceiver(player: device))
        let now = try await sender.open()
        #expect(before != now)
        #expect(before.count == "/session/".count + 32)
        let late = try await sender.command(before, 1)
        #expect(late.status == 410)
        #expect(late.body.hasPrefix(#"{"code":"expired""#))
        #expect(device.taken.isEmpty)
        #expect(try await sender.command(now, 1).status == 200)
    }

    @Test(arguments: Ending.allCases) func aCommandThatHangsEndsWithItsSession(ending: Ending) async throws {
        let gate = Gate()
        device.hold(at: gate)
        let sender = Sender(receiver: ScreenReceiver(player: device))
        let session = try await sender.open()
        let hanging = Task { try await sender.command(session, 1) }
        await gate.arrivals()
        let waiting = Task { try await sender.command(session, 2) }
        await letOthersRun()
        let next = try await end(session, ending, sender)
        for task in [hanging, waiting] {
            let answer = try await task.value
            #expect(answer.status == 410)
            #expect(answer.body == ending.reported)
        }
        device.hold(at: nil)
        let after = if let next { next } else { try await sender.open() }
        #expect(try await sender.command(after, 1).status == 200)
        #expect(device.taken == [.stop])
    }

    /// A player that breaks its law must not make senders of an ended session wait. It gets no
    /// second command meanwhile.
    @Test func hangingPlayerDoesNotHoldUpTheEndedSession() async throws {
        let player = DeafPlayer()
        let sender = Sender(receiver: ScreenReceiver(player: player))
        let session = try await sender.open()
        let hanging = Task { try await sender.command(session, 1) }
        await player.arrivals.arrivals()
        let next = try await sender.open()
        #expect(try await hanging.value.status == 410)
        let waiting = Task { try await sender.command(next, 1) }
        await letOthersRun()
        #expect(player.base.taken.isEmpty)
        player.gate.open()
        #expect(try await waiting.value.status == 200)
        #expect(player.base.taken.count == 2)
    }

    @Test func disconnectEndsTheSessionAtTheReceiver() async throws {
        let receiver = ScreenReceiver(player: device, configuration: .init(random: CountingGenerator()))
        let screen = try NetworkScreen.patient(receiver)
        try await screen.connect()
        await screen.disconnect()
        let session = "/session/00000000000000000000000000000001"
        #expect(try await Sender(receiver: receiver).send(.get, session + "/events").body == Ending.letGo.reported)
        #expect(screen.loss == nil)
    }
}

/// A player that ignores cancellation.
private final class DeafPlayer: Player {
    let base = StubPlayer()
    let gate = Gate()
    let arrivals = Gate()

    init() { arrivals.open() }

    func perform(_ command: PlaybackCommand) async throws(PlaybackError) {
        let task = Task { () -> Result<Void, PlaybackError> in
            await arrivals.pass()
            await gate.pass()
            do throws(PlaybackError) { return .success(try await base.perform(command)) } catch {
                return .failure(error)
            }
        }
        try await task.value.get()
    }

    func states() -> AsyncStream<PlaybackState> { base.states() }
}
