internal import Synchronization
internal import WharfChecks
internal import WharfPlayback

/// A reader of a player's states for laws.
///
/// It has the states so far, and whether they have ended.
final class StateReader: Sendable {
    private struct Content {
        var states: [PlaybackState] = []
        var isOver = false
    }

    // The task holds the box and not the reader, so that releasing the reader cancels the task.
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

/// Waits without a limit until a condition holds.
///
/// A mutant that is meant to break the law has the chances of ``comesTrue(chances:_:)``.
///
/// - Throws: the found state if the condition does not come true.
func eventually(_ found: () async -> String, until isSo: () async -> Bool) async throws {
    if await !comesTrue(isSo) { throw FailedRequirement(found: await found()) }
}
