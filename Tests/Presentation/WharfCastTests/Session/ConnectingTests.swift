import Testing
import WharfChecks
import WharfFakes
import WharfJSON
import WharfPlayback
import WharfPlaybackLaws

@testable import WharfCast

/// A session from its opening until it accepts commands.
@Suite struct ConnectingTests {
    @Test func mediaReceiverIsLaunchedIfAnotherAppRuns() throws {
        var talk = SessionTalk()
        talk.act { $0.opened(at: $1) }
        #expect(try talk.types == ["CONNECT", "GET_STATUS"])
        try talk.receive([
            "type": "RECEIVER_STATUS", "requestId": 1, "status": ["applications": [["appId": "YouTube"]]],
        ])
        let launch = try #require(try talk.sent.last)
        #expect(launch.json["type"]?.text == "LAUNCH" && launch.json["appId"]?.text == "CC1AD845")
        #expect(
            launch.message.destination == "receiver-0"
                && launch.message.namespace == "urn:x-cast:com.google.cast.receiver")
        // The app starts, and is not ready yet.
        try talk.receive(["type": "LAUNCH_STATUS", "requestId": 2, "status": "USER_ALLOWED"])
        try talk.receive(["type": "RECEIVER_STATUS", "requestId": 0, "status": [:]])
        #expect(try talk.types.count == 3)
        try talk.receive(["type": "RECEIVER_STATUS", "requestId": 2, "status": ["applications": [SessionTalk.app]]])
        let joining = try talk.sent.suffix(2)
        #expect(joining.map { $0.json["type"]?.text } == ["CONNECT", "GET_STATUS"])
        #expect(joining.allSatisfy { $0.message.destination == "t-1" })
        #expect(!talk.actions.contains(.connected))
        try talk.receive(["type": "MEDIA_STATUS", "requestId": 3, "status": []], .media, from: "t-1")
        #expect(talk.actions.suffix(2) == [.state(.idle), .connected])
    }

    @Test func runningSessionIsJoinedWithItsItem() throws {
        var talk = SessionTalk()
        talk.act { $0.opened(at: $1) }
        try talk.receive(["type": "RECEIVER_STATUS", "requestId": 1, "status": ["applications": [SessionTalk.app]]])
        #expect(try !talk.types.contains("LAUNCH"))
        try talk.status(
            "PAUSED",
            [
                "currentTime": .decimal("12.5"),
                "media": [
                    "contentId": "http://a/b.mp4", "contentType": "video/mp4", "duration": 60,
                    "metadata": ["title": "B"],
                    "customData": ["itemID": "b"],
                ],
            ], answering: 2)
        let item = MediaItem(
            id: "b", url: "http://a/b.mp4", contentType: "video/mp4", title: "B", duration: .seconds(60))
        #expect(
            talk.actions.suffix(2) == [
                .state(PlaybackState(.paused, item: item, position: .milliseconds(12500))), .connected,
            ])
    }

    @Test(arguments: ["LAUNCH_ERROR", "INVALID_REQUEST"]) func refusedLaunchEndsTheSession(_ type: String) throws {
        var talk = SessionTalk()
        talk.act { $0.opened(at: $1) }
        try talk.receive(["type": "RECEIVER_STATUS", "requestId": 1, "status": [:]])
        try talk.receive(["type": JSONValue(.string(type)), "requestId": 2, "reason": "NOT_ALLOWED"])
        #expect(talk.end?.code == .refused)
        #expect(talk.end?.message.contains("NOT_ALLOWED") == true)
        #expect(talk.session.isEnded)
    }

    @Test func unrelatedAnswerDoesNotConnect() throws {
        var talk = SessionTalk()
        talk.act { $0.opened(at: $1) }
        try talk.receive(["type": "RECEIVER_STATUS", "requestId": 0, "status": ["applications": [SessionTalk.app]]])
        #expect(try talk.types == ["CONNECT", "GET_STATUS"])
        try talk.receive(["type": "MEDIA_STATUS", "requestId": 1, "status": []], .media, from: "t-1")
        #expect(!talk.actions.contains(.connected))
    }

    @Test func unsolicitedStatusConfirmsTheLaunch() throws {
        var talk = SessionTalk()
        talk.act { $0.opened(at: $1) }
        try talk.receive(["type": "RECEIVER_STATUS", "requestId": 1, "status": [:]])
        try talk.receive(["type": "RECEIVER_STATUS", "requestId": 0, "status": ["applications": [SessionTalk.app]]])
        try talk.receive(["type": "MEDIA_STATUS", "requestId": 3, "status": []], .media, from: "t-1")
        #expect(talk.actions.last == .connected)
        // A missing answer is not required.
        for _ in 0..<7 {
            talk.pass(.seconds(5))
            try talk.receive(["type": "PONG"], .heartbeat)
        }
        #expect(talk.end == nil)
    }

    @Test func unopenedConnectionTimesOut() {
        var talk = SessionTalk()
        talk.pass(.seconds(5))
        #expect(talk.session.due == .seconds(10))
        talk.pass(.seconds(4))
        #expect(talk.actions == [])
        talk.pass(.seconds(1))
        #expect(talk.end?.code == .timedOut)
    }

    @Test func unansweredLaunchTimesOut() throws {
        var talk = SessionTalk()
        talk.act { $0.opened(at: $1) }
        try talk.receive(["type": "RECEIVER_STATUS", "requestId": 1, "status": [:]])
        for _ in 0..<5 {
            talk.pass(.seconds(5))
            try talk.receive(["type": "PONG"], .heartbeat)
        }
        #expect(talk.end == nil)
        talk.pass(.seconds(5))
        #expect(talk.end?.code == .timedOut)
        #expect(talk.end?.message.contains("LAUNCH") == true)
    }
}
