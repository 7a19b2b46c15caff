import Testing
import WharfChecks
import WharfFakes
import WharfJSON
import WharfPlayback
import WharfPlaybackLaws

@testable import WharfCast

/// A session's handling of statuses, requested or not.
@Suite struct FollowingTests {
    @Test(arguments: [
        ("PLAYING", PlaybackState.Phase.playing), ("PAUSED", .paused), ("BUFFERING", .loading), ("LOADING", .loading),
    ])
    func statesFollowAnotherSender(_ reported: String, _ phase: PlaybackState.Phase) throws {
        var talk = try SessionTalk.playing()
        try talk.status(reported, ["currentTime": 7])
        #expect(talk.states == [PlaybackState(phase, item: SessionTalk.film, position: .seconds(7))])
    }

    @Test func omittedFieldsKeepTheirValues() throws {
        var talk = try SessionTalk.playing()
        try talk.status("PAUSED", ["currentTime": 7])
        try talk.receive(
            ["type": "MEDIA_STATUS", "status": [["mediaSessionId": 1, "volume": ["level": .decimal("0.5")]]]], .media,
            from: "t-1")
        #expect(talk.states.last == PlaybackState(.paused, item: SessionTalk.film, position: .seconds(7)))
    }

    @Test func itemStaysTheOneThatWasLoaded() throws {
        var talk = try SessionTalk.ready()
        talk.perform(.load(SessionTalk.film, at: .zero, playing: true))
        try talk.status(
            "PLAYING",
            [
                "media": [
                    "contentId": "http://example.com/f.mp4", "duration": .decimal("99.5"),
                    "metadata": ["title": "Else"],
                ]
            ], answering: 3)
        #expect(talk.states.last?.item == SessionTalk.film)
    }

    @Test func itemOfAnotherSenderReplacesOurs() throws {
        var talk = try SessionTalk.playing()
        try talk.status("IDLE", ["idleReason": "INTERRUPTED"])
        #expect(talk.states.last?.phase == .playing)
        let status: JSONValue = [
            "mediaSessionId": 2, "playerState": "PAUSED",
            "media": ["contentId": "http://example.com/g.mp4", "contentType": "video/mp4", "duration": -1],
        ]
        try talk.receive(["type": "MEDIA_STATUS", "status": [status]], .media, from: "t-1")
        let theirs = MediaItem(
            id: "http://example.com/g.mp4", url: "http://example.com/g.mp4", contentType: "video/mp4")
        #expect(talk.states.last == PlaybackState(.paused, item: theirs))
        // A late status of the replaced item.
        try talk.status("IDLE", ["idleReason": "CANCELLED"])
        #expect(talk.states.last == PlaybackState(.paused, item: theirs))
        talk.forget()
        talk.perform(.play)
        #expect(try talk.sent.first?.json["mediaSessionId"] == 2)
    }

    @Test func loadingItemIsReadFromTheExtendedStatus() throws {
        var talk = try SessionTalk.ready()
        try talk.status(
            "IDLE", ["extendedStatus": ["playerState": "LOADING", "media": ["contentId": "u", "contentType": "v/w"]]])
        #expect(talk.states.last == PlaybackState(.loading, item: MediaItem(id: "u", url: "u", contentType: "v/w")))
    }

    @Test(arguments: ["CANCELLED", "ERROR"]) func stoppedOrFailedItemIsIdle(_ reason: String) throws {
        var talk = try SessionTalk.playing()
        try talk.status("IDLE", ["idleReason": JSONValue(.string(reason))])
        #expect(talk.states.last == .idle)
    }

    @Test func endedStateSurvivesAnEmptyStatus() throws {
        var talk = try SessionTalk.playing()
        try talk.status("IDLE", ["idleReason": "FINISHED"])
        try talk.receive(["type": "MEDIA_STATUS", "status": []], .media, from: "t-1")
        #expect(talk.states.last?.phase == .ended)
    }

    @Test func invalidPositionIsIgnored() throws {
        var talk = try SessionTalk.playing()
        try talk.status("PLAYING", ["currentTime": 7])
        for position: JSONValue in [-1, "8", .decimal("1e300"), nil] {
            try talk.status("PLAYING", ["currentTime": position])
            #expect(talk.states.last?.position == .seconds(7))
        }
    }

    @Test(
        arguments: [
            ["type": "RECEIVER_STATUS", "status": [:]],
            [
                "type": "RECEIVER_STATUS",
                "status": ["applications": [["appId": "YouTube", "sessionId": "s-1", "transportId": "t-1"]]],
            ],
            [
                "type": "RECEIVER_STATUS",
                "status": ["applications": [["appId": "CC1AD845", "sessionId": "s-2", "transportId": "t-2"]]],
            ],
        ] as [JSONValue])
    func anotherAppEndsTheSession(_ status: JSONValue) throws {
        var talk = try SessionTalk.playing()
        try talk.receive([
            "type": "RECEIVER_STATUS", "requestId": 0, "status": ["applications": [SessionTalk.app], "volume": [:]],
        ])
        #expect(talk.end == nil)
        try talk.receive(status)
        #expect(talk.end?.code == .disconnected)
    }

    @Test(arguments: ["receiver-0", "t-1"]) func closeEndsTheSession(_ source: String) throws {
        var talk = try SessionTalk.playing()
        try talk.receive(["type": "CLOSE"], .connection, from: "t-2")
        #expect(talk.end == nil)
        try talk.receive(["type": "CLOSE"], .connection, from: source)
        #expect(talk.end?.code == .disconnected)
    }

    @Test(arguments: ["", "{", "[]", "{}", #"{"type": 1}"#, "null"]) func malformedMessageEndsTheSession(
        _ text: String
    ) throws {
        var talk = try SessionTalk.playing()
        try talk.receive(text: text, .media, from: "t-1")
        #expect(talk.end?.code == .malformed, "\(talk.actions)")
    }

    @Test func otherNamespacesAreNotRead() throws {
        var talk = try SessionTalk.playing()
        let message = CastMessage(
            source: "t-1", destination: "*", namespace: "urn:x-cast:com.example", payload: .text("{"))
        talk.act { session, now in session.received((try? CastFrames.frame(message)) ?? [], at: now) }
        #expect(talk.actions == [])
    }

    /// After every message of a receiver the session continues, or ends with an error that explains
    /// why. It sends nothing after that.
    @Test func anyMessagesLeaveAConsistentSession() async throws {
        try await forAll(.array(of: .anything, count: 1...12), runs: 1000) { messages in
            var talk = try SessionTalk.playing()
            talk.perform(.load(SessionTalk.film, at: .zero, playing: true))
            for (namespace, json) in messages {
                try talk.receive(json, namespace, from: namespace == .media ? "t-1" : "receiver-0")
            }
            let ends = talk.actions.indices.filter { if case .end = talk.actions[$0] { true } else { false } }
            try require(ends.count < 2 && (ends.isEmpty || ends == [talk.actions.count - 1]), "\(talk.actions)")
            try require(talk.states.allSatisfy { ($0.phase == .idle) == ($0.item == nil) }, "\(talk.states)")
        }
    }
}

extension Generator<(Namespace, JSONValue)> {
    /// Messages with correct names and possibly wrong values.
    static var anything: Self {
        let types = [
            "MEDIA_STATUS", "RECEIVER_STATUS", "LOAD_FAILED", "INVALID_REQUEST", "PING", "CLOSE", "LAUNCH_ERROR", "X",
        ]
        let words = [
            "PLAYING", "PAUSED", "IDLE", "BUFFERING", "FINISHED", "INTERRUPTED", "CANCELLED", "ERROR", "CC1AD845",
            "t-1", "s-1",
        ]
        let keys = [
            "status", "mediaSessionId", "playerState", "idleReason", "currentTime", "media", "contentId", "duration",
            "applications",
            "appId", "sessionId", "transportId", "extendedStatus", "requestId",
        ]
        @Sendable func value(_ choices: inout Choices, _ depth: Int) throws -> JSONValue {
            switch try choices.draw(.int(in: 0...(depth > 3 ? 4 : 6))) {
            case 0: return nil
            case 1: return JSONValue(.string(try choices.draw(.element(of: words))))
            case 2: return JSONValue(integerLiteral: try choices.draw(.int(in: -1...9)))
            case 3: return JSONValue(.bool(try choices.draw(.bool)))
            case 4: return .decimal(try choices.draw(.element(of: ["1e400", "0.1", "-0", "1e18"])))
            case 5:
                return JSONValue(
                    .array(try (0..<choices.draw(.int(in: 0...2))).map { _ in try value(&choices, depth + 1) }))
            default: return JSONValue(.object(try members(&choices, depth + 1)))
            }
        }
        @Sendable func members(_ choices: inout Choices, _ depth: Int) throws -> [JSONMember] {
            try (0..<choices.draw(.int(in: 0...6))).map { _ in
                JSONMember(try choices.draw(.element(of: keys)), try value(&choices, depth))
            }
        }
        return Generator { choices in
            let namespace = try choices.draw(.element(of: [Namespace.media, .receiver, .heartbeat, .connection]))
            var all = [JSONMember("type", JSONValue(.string(try choices.draw(.element(of: types)))))]
            // The outer form is often correct, so that the inner values are read.
            if try choices.draw(.bool) {
                all.append(JSONMember("status", [JSONValue(.object(try members(&choices, 0)))]))
            }
            all += try members(&choices, 0)
            return (namespace, JSONValue(.object(all)))
        }
    }
}
