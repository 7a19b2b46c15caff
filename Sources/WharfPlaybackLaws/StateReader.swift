internal import Synchronization
internal import WharfChecks
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

/// Waits for what comes by itself; others have the turn meanwhile. Where they take long with theirs, as in a run of many tests
/// on few processors, this one waits until it has had some turns itself, whatever the time.
///
/// - Throws: what was found, when it has not come in time.
func eventually(
    _ patience: Duration, _ found: () async -> String, until isSo: () async -> Bool
) async throws {
    let deadline = ContinuousClock.now + patience
    var turns = 0
    while await !isSo() {
        guard turns < 2000 || ContinuousClock.now < deadline else { throw Broken(found: await found()) }
        turns += 1
        await Task.yield()
    }
}
