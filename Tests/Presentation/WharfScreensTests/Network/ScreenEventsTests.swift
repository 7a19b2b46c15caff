import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfPlayback

@testable import WharfScreens

/// Event streams that break, and sessions that end.
struct ScreenEventsTests {
    let living = Living()
    /// Opens when the screen is connected.
    let connected = Gate()

    private func receiver(_ events: @escaping @Sendable (_ count: Int) -> ScriptedReceiver.Answer) -> ScriptedReceiver {
        ScriptedReceiver { kind, count in
            switch kind {
            case "session": .session
            case "events": events(count)
            default: .init()
            }
        }
    }

    @Test(arguments: [": still here\n\n", "retry: 1\n\n", "event: state\ndata: {\"seq"])
    func streamsBrokenBeforeAWholeEventAreGivenUp(chunk: String) async throws {
        let receiver = receiver { [connected] in
            $0 == 1
                ? .events(ScriptedReceiver.idle, ": more\n\n", hold: connected, staysOpen: false)
                : .events(chunk, staysOpen: false)
        }
        let screen = try living.screen(by: receiver)
        try await screen.connect()
        connected.open()
        for await _ in screen.states() {}
        #expect(screen.loss?.code == .disconnected)
        // The first stream broke after an event, and counts as the first of three failures.
        #expect(receiver.count("events") == 3)
    }

    @Test func streamsBrokenAfterAWholeEventAreRetried() async throws {
        let receiver = receiver { .events(ScriptedReceiver.idle, staysOpen: $0 == 10) }
        let screen = try living.screen(by: receiver)
        try await screen.connect()
        await waitUntil { receiver.count("events") == 10 }
        await letOthersRun()
        #expect(screen.loss == nil)
    }

    /// A paused film sends no events, and an intermediary cuts long connections.
    @Test func quietStreamsBrokenAfterALongTimeAreRetried() async throws {
        let (beating, listening) = (TestClock(), TestClock())
        let wire = Wire(
            ScreenReceiver(
                player: living.device, configuration: .init(heartbeat: .seconds(5), retry: .zero, clock: beating)))
        let screen = try living.screen(by: wire, clock: listening)
        try await screen.connect()
        for broken in 1...5 {
            for _ in 0..<4 {
                await beating.untilSleeping()
                await listening.untilSleeping()
                let deadline = listening.nextDeadline
                listening.advance(by: .seconds(5))
                beating.advance(by: .seconds(5))
                await waitUntil { listening.nextDeadline ?? .init(offset: .zero) > deadline ?? .init(offset: .zero) }
            }
            wire.cut()
            wire.mend()
            // Only the pause before the next request ends so soon. If the clock advanced before the
            // pause begins, it could end the silence allowed to the broken stream.
            await waitUntil {
                if let next = listening.nextDeadline, listening.now.duration(to: next) < .seconds(1) {
                    listening.advance(to: next)
                }
                return wire.eventRequests("Last-Event-ID").count > broken
            }
        }
        #expect(screen.loss == nil)
        try await screen.perform(.stop)
    }

    @Test func takeOverDuringABrokenStreamIsReported() async throws {
        let gate = Gate()
        let transport = HoldingTransport(base: living.wire, gate: gate) {
            $0.head.headerFields.contains { $0.name.canonicalName == "last-event-id" }
        }
        let screen = try living.screen(by: transport)
        try await screen.connect()
        living.wire.cut()
        living.wire.mend()
        await gate.arrivals()
        _ = try await Sender(receiver: living.receiver).open()
        gate.open()
        for await _ in screen.states() {}
        #expect(screen.loss == PlaybackError(.refused, "another sender has taken the screen over"))
    }

    @Test(arguments: [
        ("takenOver", PlaybackError.Code.refused), ("closed", .disconnected), ("expired", .disconnected),
        ("cancelled", .disconnected), ("of tomorrow", .disconnected),
    ])
    func endOfTheSessionIsReportedAsALoss(code: String, loss: PlaybackError.Code) async throws {
        let end = #"{"code":"\#(code)","message":"it is so"}"#
        let (first, second) = (Gate(), Gate())
        let bySequel = receiver { _ in
            .events(ScriptedReceiver.idle, "event: end\ndata: \(end)\n\n", hold: first, staysOpen: true)
        }
        let byStatus = receiver {
            $0 == 1
                ? .events(ScriptedReceiver.idle, ": more\n\n", hold: second, staysOpen: false) : .message(.gone, end)
        }
        for (receiver, connected) in [(bySequel, first), (byStatus, second)] {
            let screen = try living.screen(by: receiver)
            try await screen.connect()
            connected.open()
            for await _ in screen.states() {}
            #expect(screen.loss == PlaybackError(loss, "it is so"))
        }
    }
}
