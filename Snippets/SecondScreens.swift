// Article D, "The right tool for the job": a video player with independent second screens. There is
// no manager class to inherit from: a screen is a small protocol. One line selects the commands for
// each screen.

// snippet.hide
import WharfPlayback
import WharfPlaybackFakes

// snippet.show
// snippet.screens
let engine = StubPlayer()  // the player of this device: yours conforms to `Player`
let inHouse = StubScreen("in-house")  // a `Screen`: in-house, DLNA, Google Cast, or your own
let cast = StubScreen("cast")

let playback = Playback(engine: engine)
playback.add(inHouse, receiving: [.play, .stop])  // play and stop to both,
playback.add(cast)  // all commands, with progress, to this one only
// snippet.end

// snippet.hide
func show(_ name: String, _ commands: [PlaybackCommand]) {
    let names = commands.map { command in
        switch command {
        case .load(_, let position, let isPlaying): "load at \(position)\(isPlaying ? ", playing" : "")"
        case .play: "play"
        case .pause: "pause"
        case .seek(let position): "seek to \(position)"
        case .progress(let position): "progress \(position)"
        case .stop: "stop"
        }
    }
    print("\(name):", names.joined(separator: "; "))
}

/// `Playback` does not wait for screens that follow. This program waits, to print their commands.
func untilReceived(_ screen: StubScreen, _ count: Int) async {
    while screen.device.taken.count < count { await Task.yield() }
}

for await state in playback.states() where state.followers.allSatisfy(\.isConnected) { break }

// snippet.show
// snippet.events
let film = MediaItem(
    id: "film", url: "https://example.com/film.mp4", contentType: "video/mp4", title: "Film", duration: .seconds(5400))
try await playback.perform(.load(film, at: .zero, playing: false))
// snippet.hide
await untilReceived(inHouse, 1)
await untilReceived(cast, 1)
// snippet.show
try await playback.perform(.play)
// snippet.hide
await untilReceived(inHouse, 2)
await untilReceived(cast, 2)
// snippet.show
try await playback.perform(.progress(.seconds(10)))
// snippet.hide
await untilReceived(cast, 3)
// snippet.show
try await playback.perform(.stop)
// snippet.end

// snippet.hide
await untilReceived(inHouse, 3)
await untilReceived(cast, 4)
show("in-house", inHouse.device.taken)
show("cast", cast.device.taken)

// snippet.show
// snippet.transfer
let television = StubScreen("television")
try await playback.perform(.load(film, at: .seconds(600), playing: false))
try await playback.transfer(to: television)  // moves item and position; the engine pauses
try await playback.perform(.seek(to: .seconds(1200)))
print("the television is \(television.device.state.phase) at \(television.device.state.position)")

television.vanish()  // the screen loses its power
for await state in playback.states() {
    guard let returned = state.returned else { continue }
    print("back from the \(returned.screenName) at \(returned.position): \(returned.error.code)")
    break
}
// snippet.end

// snippet.hide
while engine.state.position != .seconds(1200) { await Task.yield() }
print("the engine is \(engine.state.phase) at \(engine.state.position)")

// Output:
// in-house: load at 0.0 seconds; play; stop
// cast: load at 0.0 seconds; play; progress 10.0 seconds; stop
// the television is paused at 1200.0 seconds
// back from the television at 1200.0 seconds: disconnected
// the engine is paused at 1200.0 seconds
