import Testing
import WharfChecks
import WharfJSON
import WharfPlayback

@testable import WharfScreens

@Suite struct ScreenMessagesTests {
    private static let item = Generator.zip(
        .string(), .string(), .optional(.string()), .optional(.int(in: 0...9_000_000))
    ).map {
        MediaItem(
            id: $0, url: $1, contentType: "video/mp4", title: $2, duration: $3.map { .milliseconds($0) })
    }
    private static let time = Generator<Int>.int(in: 0...9_000_000).map { Duration.milliseconds($0) }
    private static let command = Generator<PlaybackCommand>.oneOf(
        .just(.play), .just(.pause), .just(.stop), time.map { .seek(to: $0) }, time.map { .progress($0) },
        Generator.zip(item, time, .bool).map { .load($0, at: $1, playing: $2) })

    @Test func commandMessagesRoundTrip() async throws {
        try await forAll(.zip(.int(in: 1...1_000), Self.command)) { sequence, command in
            let message = ScreenMessage.Command(sequence: sequence, command: command)
            let read = try JSON.decode(ScreenMessage.Command.self, from: try JSON.encode(message))
            try require(read == message, "read \(read)")
        }
    }

    @Test func stateMessagesRoundTrip() async throws {
        let phases: [PlaybackState.Phase] = [.idle, .loading, .playing, .paused, .ended]
        let state = Generator.zip(.element(of: phases), .optional(Self.item), Self.time).map {
            PlaybackState($0, item: $1, position: $2)
        }
        try await forAll(.zip(.int(in: 0...1_000), state)) { sequence, state in
            let message = ScreenMessage.State(sequence: sequence, state: state)
            let read = try JSON.decode(ScreenMessage.State.self, from: try JSON.encode(message))
            try require(read == message, "read \(read)")
        }
    }

    @Test func messagesHaveTheDocumentedForm() throws {
        let film = MediaItem(
            id: "film-1", url: "http://192.0.2.1/film.mp4", contentType: "video/mp4", duration: .seconds(60))
        let load = ScreenMessage.Command(sequence: 3, command: .load(film, at: .milliseconds(12_500), playing: true))
        #expect(
            String(decoding: try JSON.encode(load), as: UTF8.self)
                == #"{"sequence":3,"command":"load","item":{"id":"film-1","url":"http://192.0.2.1/film.mp4","contentType":"video/mp4","duration":60000},"position":12500,"playing":true}"#
        )
        let idle = ScreenMessage.State(sequence: 4, state: .idle)
        #expect(
            String(decoding: try JSON.encode(idle), as: UTF8.self) == #"{"sequence":4,"phase":"idle","position":0}"#)
    }

    @Test(arguments: [
        #"{"sequence":1}"#, #"{"command":"play"}"#, #"{"sequence":1,"command":"seek"}"#,
        #"{"sequence":1,"command":"load"}"#, #"{"sequence":1,"command":"rewind"}"#, "[]", "",
    ])
    func malformedCommandIsRefused(text: String) {
        #expect(throws: JSONError.self) { try JSON.decode(ScreenMessage.Command.self, from: text) }
    }

    @Test func durationsAreClamped() {
        #expect(Duration.seconds(Int64.max).milliseconds == .max)
        #expect(Duration.seconds(Int64.min).milliseconds == .min)
        #expect(Duration.milliseconds(-1_500).milliseconds == -1_500)
    }
}
