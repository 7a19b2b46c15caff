import Testing
import WharfChecks
import WharfPlayback

@testable import WharfDLNA

@Suite struct RenderedPlaybackTests {
    private enum Step: Sendable {
        case load(at: Int)
        case loaded
        case forget
        case reconnect
        case see(TransportReading)
    }

    private static let reading = Generator { choices in
        TransportReading(
            state: try choices.draw(.element(of: [.stopped, .playing, .paused, .transitioning, .noMedia, .other])),
            hasFailed: try choices.draw(.bool),
            position: try choices.draw(.optional(.int(in: Int64(-5)...120))).map { .seconds($0) },
            duration: try choices.draw(.optional(.int(in: Int64(1)...120))).map { .seconds($0) },
            uri: try choices.draw(.optional(.element(of: [Samples.film.url, "http://b/", "http://c/"]))))
    }

    private static let step = Generator<Step>.oneOf(
        reading.map { .see($0) }, Generator<Int>.int(in: -5...120).map { .load(at: $0) },
        .element(of: [.loaded, .forget, .reconnect]))

    @Test func anyReadingsGiveAConsistentState() async throws {
        try await forAll(.array(of: Self.step, count: 0...24), runs: 3_000) { steps in
            var playback = RenderedPlayback(slack: .seconds(3))
            for step in steps {
                switch step {
                case .load(let position): playback.load(Samples.film, at: .seconds(position))
                case .loaded: playback.settle()
                case .forget: playback.forget()
                case .reconnect: playback.reconnect()
                case .see(let reading): playback.observe(reading)
                }
                let state = playback.state
                try require((state.phase == .idle) == (state.item == nil), "\(state)")
                try require(state.phase != .idle || state.position == .zero, "\(state)")
                try require(state.position >= .zero, "\(state)")
                try require(state.position <= state.item?.duration ?? .seconds(1_000), "\(state)")
                if playback.isLoading { try require(state.phase == .loading && state.item == Samples.film, "\(state)") }
                if case .see(let reading) = step, !playback.isLoading, reading.state == .playing,
                    reading.uri ?? Samples.film.url == Samples.film.url, playback.loaded != nil
                {
                    try require(state.phase == .playing && state.item == Samples.film, "\(state)")
                }
            }
        }
    }

    private func stopped(at position: Int64, of item: MediaItem, _ readings: TransportReading...) -> PlaybackState {
        var playback = RenderedPlayback(slack: .seconds(3))
        playback.load(item, at: .zero)
        playback.settle()
        playback.observe(TransportReading(state: .playing, position: .seconds(position), uri: item.url))
        for reading in readings { playback.observe(reading) }
        return playback.state
    }

    @Test func loadedItemThatNeverPlaysBecomesIdle() {
        var playback = RenderedPlayback(slack: .seconds(3))
        playback.load(Samples.song, at: .seconds(5))
        playback.observe(TransportReading(state: .stopped, position: .zero, uri: Samples.song.url))
        #expect(playback.state == PlaybackState(.loading, item: Samples.song, position: .seconds(5)))
        playback.settle()
        #expect(playback.state == .idle)
    }

    @Test func stopNearTheEndIsEndedAndAnEarlierOneIsIdle() {
        let halt = TransportReading(state: .stopped, position: .zero)
        #expect(
            stopped(at: 98, of: Samples.film, halt)
                == PlaybackState(.ended, item: Samples.film, position: .seconds(100)))
        #expect(stopped(at: 50, of: Samples.film, halt) == .idle)
        #expect(stopped(at: 98, of: Samples.film, TransportReading(state: .stopped, hasFailed: true)) == .idle)
        // Without the device's report the length is unknown.
        let resting = TransportReading(state: .paused, position: .seconds(20), uri: Samples.song.url)
        #expect(stopped(at: 20, of: Samples.song, resting, halt) == .idle)
        let knowing = TransportReading(state: .stopped, position: .zero, duration: .seconds(60))
        #expect(
            stopped(at: 58, of: Samples.song, knowing)
                == PlaybackState(.ended, item: Samples.song, position: .seconds(60)))
        #expect(stopped(at: 20, of: Samples.song, knowing) == .idle)
        #expect(
            stopped(at: 20, of: Samples.song, halt) == PlaybackState(.ended, item: Samples.song, position: .seconds(20))
        )
    }
}
