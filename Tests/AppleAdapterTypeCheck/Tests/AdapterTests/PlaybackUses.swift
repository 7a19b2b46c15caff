// The code of an app with a player. Compiling it is the test, so it is not run.
import AVFoundation
import AVKit
import UIKit
import WharfPlayback

@MainActor final class FilmScreen {
    let engine = AVPlayerEngine(player: AVPlayer(), interval: .milliseconds(500))
    let playback: Playback

    init() { playback = Playback(engine: engine) }

    var button: UIView { engine.makeAirPlayPicker() }

    var notice: String? { engine.isOnAirPlay ? "The film is on AirPlay" : nil }

    func play(_ film: MediaItem) async throws(PlaybackError) {
        try await playback.perform(.load(film, at: .zero, playing: true))
    }

    func watch() async {
        for await state in engine.states() where state.phase == .ended { return }
    }
}

/// The engine is sent to another task, as a `Player` of another actor.
func stop(_ engine: AVPlayerEngine) async throws(PlaybackError) {
    let player: any Player = engine
    try await player.perform(.stop)
}
