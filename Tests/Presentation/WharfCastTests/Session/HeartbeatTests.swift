import Testing
import WharfChecks
import WharfFakes
import WharfJSON
import WharfPlayback
import WharfPlaybackLaws

@testable import WharfCast

@Suite struct HeartbeatTests {
    @Test func aPingIsAnswered() throws {
        var talk = try SessionTalk.ready()
        try talk.receive(["type": "PING"], .heartbeat)
        let pong = try #require(try talk.sent.first)
        #expect(pong.json == ["type": "PONG"] && pong.message.destination == "receiver-0")
        #expect(pong.message.namespace == "urn:x-cast:com.google.cast.tp.heartbeat")
    }

    @Test func pingIsSentEveryFiveSeconds() throws {
        var talk = try SessionTalk.ready()
        #expect(talk.session.due == .seconds(5))
        talk.pass(.milliseconds(4999))
        #expect(talk.actions == [])
        talk.pass(.milliseconds(1))
        #expect(try talk.types == ["PING"])
        #expect(talk.session.due == .seconds(10))
    }

    @Test func anyMessageResetsTheSilenceTimeout() throws {
        var talk = try SessionTalk.ready()
        talk.pass(.milliseconds(9999))
        try talk.status("PAUSED")
        talk.pass(.milliseconds(9999))
        #expect(talk.end == nil)
        talk.pass(.milliseconds(1))
        #expect(talk.end?.code == .disconnected)
        #expect(talk.session.isEnded)
    }

    @Test func playingItemIsPolledForItsPosition() throws {
        var talk = try SessionTalk.playing()
        talk.pass(.seconds(5))
        #expect(try talk.types == ["PING", "GET_STATUS"])
        try talk.status("PLAYING", ["currentTime": 5], answering: 4)
        #expect(talk.states.last?.position == .seconds(5))
        // It sends no second ping at once, and does not wait for ever.
        talk.forget()
        talk.pass(.seconds(5))
        talk.pass(.seconds(4))
        #expect(try talk.types == ["PING", "GET_STATUS"])
    }
}
