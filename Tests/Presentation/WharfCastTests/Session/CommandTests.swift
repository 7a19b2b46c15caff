import Testing
import WharfChecks
import WharfFakes
import WharfJSON
import WharfPlayback
import WharfPlaybackLaws

@testable import WharfCast

/// The messages that a session sends for commands, and its handling of the answers.
@Suite struct CommandTests {
    @Test func loadMessageHasItemPositionAndAutoplay() throws {
        var talk = try SessionTalk.ready()
        talk.perform(.load(SessionTalk.film, at: .milliseconds(42_500), playing: false))
        let load = try #require(try talk.sent.first)
        #expect(load.message.destination == "t-1" && load.message.namespace == "urn:x-cast:com.google.cast.media")
        #expect(
            load.json == [
                "type": "LOAD", "sessionId": "s-1",
                "media": [
                    "contentId": "http://example.com/f.mp4", "streamType": "BUFFERED", "contentType": "video/mp4",
                    "metadata": ["metadataType": 0, "title": "F"], "customData": ["itemID": "f"], "duration": 100,
                ],
                "autoplay": false, "currentTime": .decimal("42.5"), "customData": [:],
                "requestId": 3,
            ])
    }

    @Test(arguments: [
        (PlaybackCommand.play, "PLAY"), (.pause, "PAUSE"), (.seek(to: .seconds(3)), "SEEK"), (.stop, "STOP"),
    ])
    func commandsNameTheSessionAndAwaitTheirAnswer(_ command: PlaybackCommand, _ type: String) throws {
        var talk = try SessionTalk.playing()
        talk.perform(command)
        let sent = try #require(try talk.sent.first).json
        #expect(sent["type"]?.text == type && sent["mediaSessionId"] == 1 && sent["requestId"] == 4)
        #expect(sent["currentTime"] == (type == "SEEK" ? 3 : nil))
        // A resume state would start or pause playback.
        #expect(sent["resumeState"] == nil)
        try talk.status("PAUSED", answering: 3)
        #expect(talk.answer == nil)
        try talk.status("PAUSED", answering: 4)
        #expect(talk.answer == .some(nil))
    }

    @Test(arguments: [
        ("LOAD_FAILED", PlaybackError.Code.unplayable), ("LOAD_CANCELLED", .cancelled), ("INVALID_REQUEST", .refused),
        ("INVALID_PLAYER_STATE", .refused), ("ERROR", .unplayable),
    ])
    func failedLoadIsATypedError(_ type: String, _ code: PlaybackError.Code) throws {
        var talk = try SessionTalk.playing()
        talk.perform(.load(SessionTalk.film, at: .zero, playing: true))
        try talk.receive(
            ["type": JSONValue(.string(type)), "requestId": 4, "detailedErrorCode": 104], .media, from: "t-1")
        let error = try #require(talk.answer ?? nil)
        #expect(error.code == code)
        #expect(error.message == "the receiver answered \(type) to LOAD: error 104")
        // The session asks for the current status.
        #expect(try talk.types.last == "GET_STATUS")
        try talk.receive(["type": "MEDIA_STATUS", "requestId": 5, "status": []], .media, from: "t-1")
        #expect(talk.states.last == .idle)
    }

    @Test func itemPlayingOnAfterAFailedLoadIsKept() throws {
        var talk = try SessionTalk.playing()
        talk.perform(
            .load(MediaItem(id: "g", url: "http://example.com/g", contentType: "v/w"), at: .zero, playing: true))
        try talk.receive(["type": "INVALID_REQUEST", "requestId": 4], .media, from: "t-1")
        try talk.status(
            "PLAYING", ["currentTime": 3, "media": ["contentId": "http://example.com/f.mp4"]], answering: 5)
        #expect(talk.states.last == PlaybackState(.playing, item: SessionTalk.film, position: .seconds(3)))
    }

    @Test(arguments: ["INVALID_PLAYER_STATE", "INVALID_REQUEST"]) func aRefusedCommandIsRefused(_ type: String) throws {
        var talk = try SessionTalk.playing()
        talk.perform(.pause)
        try talk.receive(["type": JSONValue(.string(type)), "requestId": 4, "reason": "WHY"], .media, from: "t-1")
        #expect(talk.answer == .some(PlaybackError(.refused, "the receiver answered \(type) to PAUSE: WHY")))
        #expect(talk.end == nil)
    }

    @Test func missingAnswerTimesOut() throws {
        var talk = try SessionTalk.playing()
        talk.perform(.pause)
        talk.perform(.load(SessionTalk.film, at: .zero, playing: true), call: 8)
        talk.now = .seconds(9)
        try talk.receive(["type": "PONG"], .heartbeat)
        talk.pass(.seconds(1))
        guard case .answer(7, let error)? = talk.actions.last(where: { if case .answer = $0 { true } else { false } })
        else {
            Issue.record("expected an answer, found \(talk.actions)")
            return
        }
        #expect(error?.code == .timedOut)
        talk.forget()
        for _ in 0..<2 {
            talk.now += .seconds(9)
            try talk.receive(["type": "PONG"], .heartbeat)
            talk.pass(.seconds(1))
        }
        // Loading a film may take longer.
        #expect(talk.answer == .some(.some(PlaybackError(.timedOut, "the receiver did not answer LOAD in time"))))
    }

    @Test(arguments: [PlaybackCommand.play, .pause, .seek(to: .zero)])
    func commandsWithoutAnItemAreRefused(_ command: PlaybackCommand) throws {
        var talk = try SessionTalk.ready()
        talk.perform(command)
        #expect(talk.answer??.code == .refused)
        #expect(try talk.types == [])
    }

    @Test func stopWithoutAnItemAwaitsTheReceiverStatus() throws {
        var talk = try SessionTalk.ready()
        talk.perform(.stop)
        #expect(talk.answer == nil)
        #expect(try talk.types == ["GET_STATUS"])
        try talk.receive(["type": "MEDIA_STATUS", "requestId": 3, "status": []], .media, from: "t-1")
        #expect(talk.answer == .some(nil))
    }

    @Test func progressCommandSendsNothing() throws {
        var talk = try SessionTalk.playing()
        talk.perform(.progress(.seconds(1)))
        #expect(talk.answer == .some(nil))
        #expect(try talk.types == [])
    }

    @Test func endedItemIsReloaded() throws {
        var talk = try SessionTalk.playing()
        try talk.status("IDLE", ["idleReason": "FINISHED"])
        #expect(talk.states.last == PlaybackState(.ended, item: SessionTalk.film, position: .seconds(100)))
        talk.forget()
        talk.perform(.pause)
        #expect(talk.answer == .some(nil))
        talk.perform(.seek(to: .seconds(9)))
        talk.perform(.play)
        let sent = try talk.sent.map(\.json)
        #expect(sent.map { $0["type"]?.text } == ["LOAD", "LOAD"])
        #expect(sent.map { $0["currentTime"] } == [9, 0])
        #expect(sent.map { $0["autoplay"] } == [false, true])
        talk.perform(.stop)
        #expect(talk.states.last == .idle)
    }

    @Test func anAddressThatIsTooLongIsNotSent() throws {
        var talk = try SessionTalk.ready()
        var film = SessionTalk.film
        film.url += String(repeating: "x", count: CastFrames.limit)
        talk.perform(.load(film, at: .zero, playing: true))
        #expect(talk.answer??.code == .refused)
        #expect(try talk.types == [] && talk.end == nil)
    }

    @Test func endedSessionDoesNothing() throws {
        var talk = try SessionTalk.playing()
        talk.act { session, _ in session.leave() }
        #expect(
            try talk.sent.map { [$0.json["type"]?.text, $0.message.destination] } == [
                ["CLOSE", "t-1"], ["CLOSE", "receiver-0"],
            ])
        #expect(talk.end?.code == .disconnected)
        talk.forget()
        try talk.status("PAUSED")
        talk.pass(.seconds(60))
        talk.act { session, _ in session.leave() }
        talk.perform(.play)
        #expect(talk.actions.count == 1)
        #expect(talk.answer??.code == .disconnected)
    }
}
