import Testing
import WharfChecks
import WharfFakes
import WharfJSON
import WharfPlayback
import WharfPlaybackLaws

@testable import WharfCast

/// Checks the tests' receiver with an independent sender, pychromecast of PyPI. Then compares
/// Wharf's sender with that one.
@Suite(.enabled(Pychromecast.whereItIsNot) { await Pychromecast.isThere.value }) struct PychromecastTests {
    private static let film = MediaItem(
        id: "film", url: "http://127.0.0.1/film.mp4", contentType: "video/mp4", title: "Film",
        duration: .seconds(1_000_000))
    private static let broken = "http://127.0.0.1/broken.mp4"

    @Test func independentSenderAcceptsTheTestReceiver() async throws {
        // Python measures real time.
        try await CastReceiver.run(clock: ContinuousClock()) { receiver in
            receiver.change { $0.player.unplayable = [Self.broken] }
            let lines = try await Pychromecast.run("check.py", "\(receiver.port)", Self.film.url, Self.broken)
            #expect(lines.last == "done", "\(lines)")
            #expect(receiver.playing == nil)
        }
    }

    /// Compares field by field. A field that only one of them sends is listed below with the
    /// reason.
    @Test func bothSendersSendTheSameMessages() async throws {
        let theirs = try await CastReceiver.run(clock: ContinuousClock()) { receiver in
            receiver.change { $0.player.unplayable = [Self.broken] }
            _ = try await Pychromecast.run("check.py", "\(receiver.port)", Self.film.url, Self.broken)
            return receiver.received
        }
        let ours = try await CastReceiver.run { receiver in
            let screen = receiver.screen()
            try await screen.connect()
            try await screen.perform(.load(Self.film, at: .milliseconds(42_500), playing: true))
            try await screen.perform(.pause)
            try await screen.perform(.seek(to: .milliseconds(10_250)))
            try await screen.perform(.play)
            try await screen.perform(.stop)
            await screen.disconnect()
            await receiver.until { $0.filter { $0.type == "CLOSE" }.count == 2 }
            return receiver.received
        }
        for type in ["CONNECT", "GET_STATUS", "LAUNCH", "LOAD", "PAUSE", "SEEK", "PLAY", "STOP", "CLOSE"] {
            let (one, other) = (try Self.first(type, in: ours), try Self.first(type, in: theirs))
            #expect(one.message.namespace == other.message.namespace, "\(type)")
            #expect(one.message.source == other.message.source, "\(type)")
            #expect(one.message.destination == other.message.destination, "\(type)")
            let (fields, their) = (Self.fields(one.json), Self.fields(other.json))
            for name in Set(fields.keys).union(their.keys).subtracting(Self.aside[type] ?? []) {
                #expect(fields[name] == their[name], "\(type): \(name)")
            }
        }
    }

    @Test func changesByOneSenderAreSeenByTheOther() async throws {
        try await CastReceiver.run { receiver in
            let screen = receiver.screen()
            try await screen.connect()
            try await screen.perform(.load(Self.film, at: .seconds(7), playing: false))
            let states = screen.states()
            async let lines = Pychromecast.run("watch.py", "\(receiver.port)", Self.film.url)
            let played = await states.first { $0.phase == .playing }
            #expect(played?.item == Self.film)
            try await screen.perform(.stop)
            #expect(try await lines.last == "done")
        }
    }

    /// The fields that are not compared.
    private static let aside: [String: Set<String>] = [
        // Used for statistics.
        "CONNECT": ["userAgent", "senderInfo"],
        "GET_STATUS": ["requestId"],
        "LAUNCH": ["requestId"],
        "LOAD": ["requestId"],
        // The destination of the message already identifies the app's session.
        "PAUSE": ["requestId", "sessionId"], "PLAY": ["requestId", "sessionId"],
        // pychromecast has loaded three items by then.
        "STOP": ["requestId", "sessionId", "mediaSessionId"],
        // Wharf's sender does not resume paused playback.
        "SEEK": ["requestId", "sessionId", "resumeState"],
        "CLOSE": ["origin"],
    ]

    private static func first(
        _ type: String, in received: [ReceiverWorld.ReceivedMessage]
    ) throws -> ReceiverWorld.ReceivedMessage {
        // At the end pychromecast stops the app with another STOP.
        try #require(
            received.first { $0.type == type && ($0.json["mediaSessionId"] != nil || type != "STOP") }, "no \(type)")
    }

    /// The fields of an object, in any order.
    private static func fields(_ json: JSONValue) -> [String: Field] {
        guard case .object(let members) = json.content else { return [:] }
        return Dictionary(members.map { ($0.key, Field($0.value)) }) { first, _ in first }
    }

    private indirect enum Field: Equatable {
        case object([String: Field])
        case number(Double?)
        case other(JSONValue)

        init(_ json: JSONValue) {
            switch json.content {
            case .object: self = .object(PychromecastTests.fields(json))
            case .number(let number): self = .number(number.double)
            default: self = .other(json)
            }
        }
    }
}
