import Synchronization
import WharfPlayback
import WharfRandom

/// The devices of one house, with a check that no two play at the same time. Each action takes a
/// number of scheduler steps that a seed decides.
final class Floor: Sendable {
    struct Device {
        var state = PlaybackState.idle
        var isThere = true
        var connection = 0
        var isConnected = false
        var feed = StateFeed(PlaybackState.idle)
        var isAtWork = false
    }

    struct Content {
        var random: SeededGenerator
        var devices: [String: Device]
        var issued: [String] = []
        var asked: PlaybackState = .idle
        var violations: [String] = []

        /// Reports the device's state, and checks that no other device plays.
        mutating func tell(_ id: String) {
            guard let device = devices[id] else { return }
            device.feed.update(device.state)
            let playing = devices.filter { $0.value.state.phase == .playing }.keys.sorted()
            if playing.count > 1 { violations.append("\(playing) play at once after \(issued)") }
        }
    }

    let content: Mutex<Content>

    init(seed: UInt64, _ ids: [String]) {
        content = Mutex(
            Content(
                random: SeededGenerator(seed: seed),
                devices: Dictionary(uniqueKeysWithValues: ids.map { ($0, Device()) })))
    }

    func random(_ range: Range<Int>) -> Int { content.withLock { Int.random(in: range, using: &$0.random) } }

    func pause() async { for _ in 0..<random(0..<5) { await Task.yield() } }

    func report(_ violation: String) { content.withLock { $0.violations.append(violation) } }

    /// Makes the device disappear without a message.
    func vanish(_ id: String) {
        let feed = content.withLock { content in
            content.devices[id]?.isThere = false
            content.devices[id]?.isConnected = false
            content.devices[id]?.state = .idle
            return content.devices[id]?.feed
        }
        feed?.finish()
    }

    func comeBack(_ id: String) { content.withLock { $0.devices[id]?.isThere = true } }
}

/// A device on the floor: the engine, which is always there, or a screen.
struct FloorScreen: Screen {
    let floor: Floor
    let id: String
    var name: String { id }

    func connect() async throws(PlaybackError) {
        await floor.pause()
        let isThere = floor.content.withLock { content in
            guard content.devices[id]?.isThere == true else { return false }
            content.devices[id]?.isConnected = true
            content.devices[id]?.connection += 1
            let state = content.devices[id]?.state ?? .idle
            content.devices[id]?.feed = StateFeed(state)
            return true
        }
        await floor.pause()
        // The answer may come after the caller has left or the screen has disappeared.
        guard isThere else { throw PlaybackError(.disconnected, "gone") }
        if Task.isCancelled {
            await disconnect()
            throw PlaybackError(.cancelled, "cancelled")
        }
    }

    func disconnect() async {
        await floor.pause()
        let feed = floor.content.withLock { content in
            content.devices[id]?.isConnected = false
            return content.devices[id]?.feed
        }
        feed?.finish()
    }

    func perform(_ command: PlaybackCommand) async throws(PlaybackError) {
        let (connection, isAlone) = floor.content.withLock { content in
            defer { content.devices[id]?.isAtWork = true }
            return (content.devices[id]?.connection, content.devices[id]?.isAtWork == false)
        }
        if !isAlone, !Task.isCancelled { floor.report("\(id) was given two commands at once") }
        defer { floor.content.withLock { $0.devices[id]?.isAtWork = false } }
        await floor.pause()
        try floor.content.withLock { content throws(PlaybackError) in
            guard let device = content.devices[id], device.isConnected, device.connection == connection else {
                throw PlaybackError(.disconnected, "gone")
            }
            try content.devices[id]?.state.apply(command)
            content.tell(id)
        }
        await floor.pause()
    }

    func states() -> AsyncStream<PlaybackState> {
        floor.content.withLock { content in
            content.devices[id]?.isConnected == true ? content.devices[id]?.feed.states() : nil
        } ?? AsyncStream { $0.finish() }
    }
}
