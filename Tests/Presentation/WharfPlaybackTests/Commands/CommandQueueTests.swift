import Testing
import WharfChecks

@testable import WharfPlayback

@Suite struct CommandQueueTests {
    private static let film = MediaItem(
        id: "film", url: "http://192.0.2.1/film.mp4", contentType: "video/mp4", duration: .seconds(3600))
    private static let command = Generator<PlaybackCommand>.oneOf(
        .just(.play), .just(.pause), Generator<Int>.int(in: 0...4000).map { .seek(to: .seconds($0)) },
        Generator.zip(.int(in: 0...3600), .bool).map { .load(film, at: .seconds($0.0), playing: $0.1) }, .just(.stop))

    @Test func coalescedCommandsReachTheSameState() async throws {
        let end = PlaybackState(.ended, item: Self.film, position: .seconds(3600))
        let begun = Generator.element(of: [.idle, PlaybackState(.paused, item: Self.film), end])
        try await forAll(.zip(begun, .array(of: Self.command, count: 0...12)), runs: 4_000) { begun, commands in
            var (expected, state, queue) = (begun, begun, CommandQueue())
            for command in commands {
                // A refused command is not queued.
                let hasEnded = expected.phase == .ended
                do { try expected.apply(command) } catch { continue }
                _ = queue.push(command, hasEnded: hasEnded)
            }
            try require(queue.entries.count <= 2, "\(queue.entries.map(\.command)) are left")
            while let entry = queue.next() { try state.apply(entry.command) }
            try require(state == expected, "came to \(state), and all of them to \(expected)")
        }
    }

    @Test func overtakenCommandReturnsItsTicket() {
        var queue = CommandQueue()
        let (first, second, third) = (Ticket(), Ticket(), Ticket())
        #expect(queue.push(.seek(to: .seconds(1)), first).isEmpty)
        #expect(queue.push(.play, second).isEmpty)
        #expect(queue.push(.seek(to: .seconds(2)), third).map(ObjectIdentifier.init) == [ObjectIdentifier(first)])
        #expect(queue.entries.map(\.command) == [.play, .seek(to: .seconds(2))])
        #expect(queue.push(.stop).count == 2)
        #expect(queue.entries.map(\.command) == [.stop])
    }

    @Test func equalCommandsShareOneEntry() {
        var queue = CommandQueue()
        #expect(queue.push(.play, Ticket()).isEmpty)
        #expect(queue.push(.play, Ticket()).isEmpty)
        #expect(queue.entries.map(\.tickets.count) == [2])
    }

    @Test func loadAbsorbsLaterCommands() {
        var queue = CommandQueue()
        _ = queue.push(.load(Self.film, at: .zero, playing: true))
        for command in [.seek(to: .seconds(5)), .pause, .progress(.seconds(6))] as [PlaybackCommand] {
            _ = queue.push(command)
        }
        #expect(queue.entries.map(\.command) == [.load(Self.film, at: .seconds(6), playing: false)])
    }

    @Test func replayAfterTheEndIsKeptBeforeAPause() {
        var queue = CommandQueue()
        let (play, pause, seek) = (Ticket(), Ticket(), Ticket())
        _ = queue.push(.play, play, hasEnded: true)
        #expect(queue.push(.pause, pause).isEmpty)
        #expect(queue.entries.map(\.command) == [.play, .pause])
        // A later seek with a position replaces it.
        #expect(queue.push(.seek(to: .seconds(9)), seek).map(ObjectIdentifier.init) == [ObjectIdentifier(play)])
        #expect(queue.entries.map(\.command) == [.pause, .seek(to: .seconds(9))])
    }

    @Test func playAfterALoadAtTheEndStartsAtZero() {
        var queue = CommandQueue()
        _ = queue.push(.load(Self.film, at: .seconds(3600), playing: false))
        _ = queue.push(.play, hasEnded: true)
        #expect(queue.entries.map(\.command) == [.load(Self.film, at: .zero, playing: true)])
    }

    @Test func commandsAreFilteredByTheirKinds() {
        let kinds: PlaybackCommand.Kinds = [.play, .stop]
        let all: [PlaybackCommand] = [.play, .pause, .seek(to: .zero), .progress(.zero), .stop]
        #expect(all.compactMap { $0.filtered(by: kinds) } == [.play, .stop])
        #expect(all.compactMap { $0.filtered(by: .all) } == all)
        let load = PlaybackCommand.load(Self.film, at: .seconds(3), playing: true)
        #expect(load.filtered(by: [.play]) == load)
        #expect(load.filtered(by: [.progress]) == .load(Self.film, at: .seconds(3), playing: false))
    }
}
