import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfPlayback
import WharfPlaybackFakes

@testable import WharfScreens

struct ConnectingTests {
    let living = Living()
    let gate = Gate()

    private func count(_ method: HTTPRequest.Method, _ end: String = "") -> Int {
        living.wire.requests.count { $0.head.method == method && $0.head.path?.hasSuffix(end) == true }
    }

    private func held(_ method: HTTPRequest.Method) -> HoldingTransport {
        HoldingTransport(base: living.wire, gate: gate) { $0.head.method == method }
    }

    private func connecting(_ screen: NetworkScreen) -> Task<PlaybackError?, Never> {
        Task {
            do throws(PlaybackError) {
                try await screen.connect()
                return nil
            } catch { return error }
        }
    }

    @Test func concurrentConnectsShareOneSession() async throws {
        let screen = try living.screen(by: held(.post))
        let tasks = [connecting(screen), connecting(screen)]
        await gate.arrivals()
        await letOthersRun()
        gate.open()
        for task in tasks { #expect(await task.value == nil) }
        #expect(count(.post, "/session") == 1)
        try await screen.perform(.load(Living.film, at: .zero, playing: true))
        #expect(living.device.state.phase == .playing)
    }

    @Test func cancelledConnectDoesNotAffectAnother() async throws {
        let screen = try living.screen(by: held(.get))
        let (first, second) = (connecting(screen), connecting(screen))
        await gate.arrivals()
        await letOthersRun()
        first.cancel()
        #expect(await first.value?.code == .cancelled)
        gate.open()
        #expect(await second.value == nil)
        try await screen.perform(.stop)
    }

    @Test func abandonedConnectReleasesItsSession() async throws {
        let screen = try living.screen(by: held(.get))
        let task = connecting(screen)
        await gate.arrivals()
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        await waitUntil { count(.delete) == 1 }
        #expect(screen.loss == nil)
        for await _ in screen.states() { Issue.record("it is connected") }
    }

    @Test func disconnectDuringConnectCancelsIt() async throws {
        let screen = try living.screen(by: held(.get))
        let task = connecting(screen)
        await gate.arrivals()
        await screen.disconnect()
        gate.open()
        #expect(
            await task.value
                == PlaybackError(.cancelled, "Living room was disconnected before its connection was complete"))
        await waitUntil { count(.delete) == 1 }
        for await _ in screen.states() { Issue.record("it is connected") }
        try await screen.connect()
        try await screen.perform(.stop)
    }

    @Test func noSessionIsOpenedAfterADisconnect() async throws {
        _ = try await Sender(receiver: living.receiver).open()
        let other = living.receiver.session.withLock { $0.id }
        let screen = try living.screen(by: held(.post))
        let task = connecting(screen)
        await gate.arrivals()
        await screen.disconnect()
        gate.open()
        #expect(await task.value?.code == .cancelled)
        await letOthersRun()
        #expect(living.receiver.session.withLock { $0.id } == other)
    }

    /// The transport ignores cancellation.
    @Test func connectAfterDisconnectDoesNotInheritItsFailure() async throws {
        let screen = try living.screen(by: DeafTransport(base: living.wire, gate: gate) { $0.head.method == .post })
        let first = connecting(screen)
        await gate.arrivals()
        let isOver = Atomic(false)
        let farewell = Task {
            await screen.disconnect()
            isOver.store(true, ordering: .releasing)
        }
        await waitUntil { screen.held.withLock { $0.farewells } == 1 }
        let second = connecting(screen)
        await letOthersRun()
        let wasOver = isOver.load(ordering: .acquiring)
        #expect(!wasOver, "what is under way may take the screen still")
        gate.open()
        #expect(await first.value?.code == .cancelled)
        #expect(await second.value == nil)
        await farewell.value
        #expect(screen.loss == nil)
        try await screen.perform(.stop)
        #expect(count(.post, "/session") == 2)
    }

    @Test func disconnectCancelsAConnectWaitingForAnother() async throws {
        let screen = try living.screen(by: DeafTransport(base: living.wire, gate: gate) { $0.head.method == .post })
        let first = connecting(screen)
        await gate.arrivals()
        let farewells = Task { await screen.disconnect() }
        await waitUntil { screen.held.withLock { $0.farewells } == 1 }
        let second = connecting(screen)
        await waitUntil { screen.held.withLock { $0.callers } == 2 }
        await letOthersRun()
        let again = Task { await screen.disconnect() }
        await waitUntil { screen.held.withLock { $0.farewells } == 2 }
        gate.open()
        for task in [first, second] { #expect(await task.value?.code == .cancelled) }
        for task in [farewells, again] { await task.value }
        #expect(count(.post, "/session") == 1)
        for await _ in screen.states() { Issue.record("it is connected") }
    }

    @Test func connectWithoutAFirstStateTimesOut() async throws {
        let clock = TestClock()
        let receiver = ScriptedReceiver { kind, _ in
            switch kind {
            case "session": .session
            case "events": .events(": still here\n\n", staysOpen: true)
            default: .init()
            }
        }
        let screen = try living.screen(by: receiver, clock: clock)
        let task = connecting(screen)
        // Both the wait for the first state and the wait for any event sleep.
        await clock.untilSleeping(2)
        clock.advance(by: .seconds(5))
        let error = await task.value
        #expect(error?.code == .timedOut)
        #expect(error?.message.contains("Living room did not report its state within 5.0 seconds") == true)
        await waitUntil { receiver.count("DELETE") == 1 }
    }

    @Test(arguments: ["", "../session/x", "a b", "a%2Fb", "é", "a\r\nb", String(repeating: "a", count: 129)])
    func sessionIDUnfitForAPathIsMalformed(id: String) async throws {
        let text = id.replacing("\r\n", with: #"\r\n"#)
        let receiver = ScriptedReceiver { _, _ in .message(.created, #"{"session":"\#(text)"}"#) }
        let screen = try living.screen(by: receiver)
        #expect(await connecting(screen).value?.code == .malformed)
        #expect(receiver.count("events") == 0)
    }
}
