internal import Synchronization
internal import WharfPlayback

/// Reads what a player says, for laws: what has come by now, and whether it has ended.
final class StateReader: Sendable {
    private struct Content {
        var states: [PlaybackState] = []
        var isOver = false
    }

    private final class Box: Sendable {
        let content = Mutex(Content())
    }

    private let box: Box
    private let task: Task<Void, Never>

    init(_ states: AsyncStream<PlaybackState>) {
        let box = Box()
        self.box = box
        task = Task {
            for await state in states { box.content.withLock { $0.states.append(state) } }
            box.content.withLock { $0.isOver = true }
        }
    }

    deinit { task.cancel() }

    var states: [PlaybackState] { box.content.withLock { $0.states } }
    var isOver: Bool { box.content.withLock { $0.isOver } }
}

/// Waits for what comes by itself; others have the turn meanwhile.
///
/// - Throws: what was found, when it has not come in time.
func eventually(
    _ patience: Duration, _ found: () async -> String, until isSo: () async -> Bool
) async throws {
    let deadline = ContinuousClock.now + patience
    while await !isSo() {
        guard ContinuousClock.now < deadline else { throw Broken(found: await found()) }
        await Task.yield()
    }
}
