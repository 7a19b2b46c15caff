import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfPlayback
import WharfPlaybackFakes

@testable import WharfScreens

struct ScreenReceiverTests {
    let device = StubPlayer()

    @Test func receiverAnswersAsDocumented() async throws {
        let receiver = ScreenReceiver(player: device, configuration: .init(random: CountingGenerator()))
        let sender = Sender(receiver: receiver)
        let opened = try await sender.send(.post, "/tv/session", "{}")
        #expect(opened.status == 201)
        #expect(opened.body == #"{"session":"00000000000000000000000000000001"}"#)
        let session = "/tv/session/00000000000000000000000000000001"
        let load =
            #"{"sequence":1,"command":"load","item":{"id":"f","url":"http://192.0.2.1/f","contentType":"video/mp4"},"position":2000,"playing":true}"#
        let loaded = try await sender.send(.post, session + "/commands", load)
        #expect(loaded.status == 200)
        let since =
            #"{"sequence":1,"phase":"playing","item":{"id":"f","url":"http://192.0.2.1/f","contentType":"video/mp4"},"position":2000}"#
        #expect(loaded.body == since)
        #expect(loaded.fields[.contentType] == "application/json")
        #expect(device.state.position == .seconds(2))
        // The repeated command gets its original answer, regardless of the current state.
        device.press(.seek(to: .seconds(9)))
        #expect(try await sender.send(.post, session + "/commands", load).body == since)
        #expect(device.taken.count == 1)
        #expect(try await sender.command(session, 3, "pause").status == 200)
        let late = try await sender.command(session, 2, "play")
        #expect(late.status == 409)
        #expect(late.body.hasPrefix(#"{"code":"cancelled","message":"command 2 came after command 3"#))
        #expect(device.state.phase == .paused)
    }

    @Test func invalidRequestsGetTheirStatus() async throws {
        let sender = Sender(receiver: ScreenReceiver(player: device))
        let session = try await sender.open()
        for body in ["{", #"{"sequence":0,"command":"stop"}"#, #"{"sequence":1,"command":"progress","position":-1}"#] {
            let malformed = try await sender.send(.post, session + "/commands", body)
            #expect(malformed.status == 400)
            #expect(malformed.body.hasPrefix(#"{"code":"malformed""#))
        }
        let long = String(repeating: " ", count: (1 << 20) + 1)
        #expect(try await sender.send(.post, session + "/commands", long).status == 413)
        #expect(device.taken.isEmpty)
        for (method, path, status, allowed) in [
            (.get, "/", 404, nil), (.get, "/session", 405, "POST"), (.get, session, 405, "DELETE"),
            (.put, session + "/events", 405, "GET"), (.get, session + "/commands", 405, "POST"),
            (.get, session + "/events/x", 404, nil), (.post, session + "/x", 404, nil),
        ] as [(HTTPRequest.Method, String, Int, String?)] {
            let answer = try await sender.send(method, path)
            #expect(answer.status == status)
            #expect(answer.fields[.allow] == allowed)
        }
    }

    /// Requests that a form or a script of any web page may send without permission.
    @Test(arguments: [nil, "text/plain", "application/x-www-form-urlencoded", "text/plain; application/json"])
    func requestWithoutJSONContentTypeIsRefused(type: String?) async throws {
        let sender = Sender(receiver: ScreenReceiver(player: device))
        let session = try await sender.open()
        let stop = #"{"sequence":1,"command":"stop"}"#
        for answer in [
            try await sender.send(.post, session + "/commands", stop, type: type),
            try await sender.send(.post, "/session", "{}", type: type),
        ] {
            #expect(answer.status == 415)
            #expect(answer.body.contains("expected the content-type application/json"))
            #expect(!answer.fields.contains { $0.name.canonicalName.hasPrefix("access-control") })
        }
        #expect(device.taken.isEmpty)
        // The session was not taken over.
        #expect(try await sender.send(.post, session + "/commands", stop, type: "Application/JSON; a=b").status == 200)
        #expect(try await sender.send(.options, session + "/commands").status == 405)
    }

    @Test func reconnectingReaderGetsUnseenEvents() async throws {
        let sender = Sender(receiver: ScreenReceiver(player: device, configuration: .init(retry: .milliseconds(250))))
        let session = try await sender.open()
        var events = try await sender.events(of: session)
        #expect(try await events.next() == "retry: 250\n\n")
        let state = "event: state\nid: 1\ndata: {\"sequence\":0,\"phase\":\"idle\",\"position\":0}\n\n"
        #expect(try await events.next() == state)
        #expect(try await sender.command(session, 1).status == 200)
        events = try await sender.events(of: session, lastEventID: "1")
        _ = try await events.next()
        #expect(try await events.next()?.contains(#"data: {"sequence":1,"phase":"idle","position":0}"#) == true)
    }

    @Test func newSessionGetsTheCurrentState() async throws {
        let device = StubPlayer(PlaybackState(.playing, item: Living.film, position: .seconds(7)))
        let sender = Sender(receiver: ScreenReceiver(player: device))
        let events = try await sender.events(of: try await sender.open())
        _ = try await events.next()
        #expect(try await events.next()?.contains(#""phase":"playing""#) == true)
    }

    @Test func heartbeatsDoNotEvictTheLastState() async throws {
        let clock = TestClock()
        let receiver = ScreenReceiver(player: device, configuration: .init(clock: clock))
        let sender = Sender(receiver: receiver)
        let session = try await sender.open()
        let feed = try #require(receiver.session.withLock { $0.feed })
        let body = EventBody(feed, known: nil, heartbeat: .seconds(5), retry: .zero, clock: clock)
        let events = EventReader(body: BodyStream(body))
        _ = try await events.next()
        _ = try await events.next()
        #expect(try await sender.command(session, 1).status == 200)
        // A state after a heartbeat is sent after it.
        await waitUntil { body.holdsState }
        for _ in 0..<10 {
            await clock.untilSleeping()
            clock.advance(by: .seconds(5))
        }
        await clock.untilSleeping()
        #expect(try await events.next()?.contains(#""sequence":1"#) == true)
    }

    @Test func unreadHeartbeatsCoalesce() async throws {
        let clock = TestClock()
        let receiver = ScreenReceiver(player: device, configuration: .init(clock: clock))
        let sender = Sender(receiver: receiver)
        let events = try await sender.events(of: try await sender.open())
        _ = try await events.next()
        _ = try await events.next()
        for _ in 0..<10 {
            await clock.untilSleeping()
            clock.advance(by: .seconds(5))
        }
        await clock.untilSleeping()
        #expect(try await events.next() == ": still here\n\n")
        receiver.close()
        #expect(try await events.rest().contains("still here") == false)
    }

    @Test func lastStateIsDeliveredBeforeTheEnd() async throws {
        let receiver = ScreenReceiver(player: device)
        let sender = Sender(receiver: receiver)
        let session = try await sender.open()
        let events = try await sender.events(of: session)
        #expect(try await sender.command(session, 1).status == 200)
        receiver.close()
        let text = try await events.rest()
        #expect(
            text.hasSuffix(
                "id: 2\ndata: {\"sequence\":1,\"phase\":\"idle\",\"position\":0}\n\nevent: end\nid: 3\ndata: {\"code\":\"closed\",\"message\":\"the screen was switched off\"}\n\n"
            ))
    }

    @Test func openingFailsAfterThePlayerHasEnded() async throws {
        let sender = Sender(receiver: ScreenReceiver(player: device))
        let events = try await sender.events(of: try await sender.open())
        device.end()
        #expect(try await events.rest().contains("switched off"))
        #expect(try await sender.send(.post, "/session", "{}").status == 503)
    }

    @Test func cancelledOpeningStartsNoSession() async throws {
        let player = SilentPlayer()
        let receiver = ScreenReceiver(player: player)
        let task = Task { try await Sender(receiver: receiver).send(.post, "/session", "{}") }
        await waitUntil { player.asked >= 2 }
        await letOthersRun()
        task.cancel()
        await #expect { try await task.value } throws: { ($0 as? TransportError)?.code == .cancelled }
        #expect(receiver.session.withLock { $0.id } == nil)
    }

    @Test func closingTheReceiverEndsTheSession() async throws {
        let receiver = ScreenReceiver(player: device)
        let screen = try NetworkScreen.patient(receiver)
        try await screen.connect()
        receiver.close()
        for await _ in screen.states() {}
        #expect(screen.loss == PlaybackError(.disconnected, "the screen was switched off"))
    }
}

/// A player that reports no state yet.
private final class SilentPlayer: Player {
    private let silent = Mutex<[AsyncStream<PlaybackState>.Continuation]>([])

    /// The number of times that its states were requested.
    var asked: Int { silent.withLock { $0.count } }

    func perform(_ command: PlaybackCommand) async throws(PlaybackError) {}

    func states() -> AsyncStream<PlaybackState> {
        let (states, continuation) = AsyncStream.makeStream(of: PlaybackState.self)
        silent.withLock { $0.append(continuation) }
        return states
    }
}
