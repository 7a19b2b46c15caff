import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfPlayback
import WharfPlaybackFakes

@testable import WharfScreens

/// The states of a player that the receiver reports.
struct PlayerStatesTests {
    private static let loading = PlaybackState(.loading, item: Living.film)
    private static let playing = PlaybackState(.playing, item: Living.film)

    @Test func staleStateInHandIsNotDeliveredAfterACommand() async throws {
        let player = TardyPlayer(inHand: Self.loading)
        let receiver = ScreenReceiver(player: player)
        await waitUntil { receiver.session.withLock({ $0.state }) != nil }
        let screen = try NetworkScreen.patient(receiver)
        try await screen.connect()
        await player.hand.arrivals()
        try await screen.perform(.load(Living.film, at: .zero, playing: true))
        player.hand.open()
        await letOthersRun(chances: 20_000) { receiver.session.withLock { $0.state } != Self.playing }
        #expect(receiver.session.withLock { $0.state } == Self.playing)
        // Later states are not lost either.
        player.base.press(.pause)
        for await state in screen.states() where state.phase == .paused { break }
    }

    @Test func onlyTheLatestStreamCounts() throws {
        var session = ReceiverSession()
        #expect(session.began(with: .idle) == 1)
        #expect(session.began(with: Self.playing) == nil)
        _ = session.open(as: "a")
        let message = ScreenMessage.Command(sequence: 1, command: .play)
        guard case .wait(let command) = session.decide(message, of: "a") else {
            Issue.record("it was not taken")
            return
        }
        _ = session.next()
        let answer = session.finished(command, .success(()), Self.playing)
        #expect(try answer.get() == .init(sequence: 1, state: Self.playing))
        session.reported(Self.loading, generation: 1)
        #expect(session.state == Self.playing)
        session.reported(Self.loading, generation: 2)
        #expect(session.feed?.state == .init(event: 3, state: .init(sequence: 1, state: Self.loading)))
    }

    /// Cancelling the reader ends its stream. That does not mean that the player has ended.
    @Test func cancelledCommandDoesNotEndThePlayer() async throws {
        let (player, gate) = (StubPlayer(), Gate())
        let receiver = ScreenReceiver(player: player)
        let sender = Sender(receiver: receiver)
        let first = try await sender.open()
        player.hold(at: gate)
        let command = Task { try await sender.command(first, 1) }
        await gate.arrivals()
        let second = try await sender.open()
        #expect(try await command.value.status == 410)
        player.hold(at: nil)
        #expect(try await sender.command(second, 1).status == 200)
        #expect(!receiver.session.withLock { $0.isDeserted })
        player.report(Self.playing)
        await waitUntil { receiver.session.withLock { $0.state } == Self.playing }
    }
}

/// A player whose first reader gets an old state late.
private final class TardyPlayer: Player {
    let base = StubPlayer()
    let hand = Gate()
    private let inHand: PlaybackState
    private let readers = Atomic(0)

    init(inHand: PlaybackState) { self.inHand = inHand }

    func perform(_ command: PlaybackCommand) async throws(PlaybackError) { try await base.perform(command) }

    func states() -> AsyncStream<PlaybackState> {
        guard readers.add(1, ordering: .relaxed).newValue == 1 else { return base.states() }
        let words = Atomic(0)
        return AsyncStream { [hand, inHand] in
            switch words.add(1, ordering: .relaxed).newValue {
            case 1: return .idle
            case 2:
                // A cancelled reader gets the state too.
                await Task { await hand.pass() }.value
                return inHand
            default: return nil
            }
        }
    }
}
