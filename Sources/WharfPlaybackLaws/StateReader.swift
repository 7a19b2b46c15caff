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

/// Waits for what comes by itself, without a limit; a mutant that is to break the law has
/// ``comesTrue(chances:_:)``'s chances.
///
/// - Throws: what was found, when it has not come.
func eventually(_ found: () async -> String, until isSo: () async -> Bool) async throws {
    if await !comesTrue(isSo) { throw Broken(found: await found()) }
}
