import Synchronization

/// Writes, and meanwhile has readers look again and again: each has looked before `write` begins,
/// and goes on until it is over.
///
/// A busy system may be through with a fixed number of looks before it has begun with the writer,
/// or the other way round, and a store that is wrong would pass.
///
/// - Parameter readers: how many look at the same time.
package func withReaders(
    _ readers: Int, look: @escaping @Sendable () async throws -> Void,
    while write: @escaping @Sendable () async throws -> Void
) async throws {
    let progress = Progress()
    try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<readers {
            group.addTask {
                var looks = 0
                // The writer waits for nobody whose first look has failed.
                defer { if looks == 0 { progress.begin() } }
                repeat {
                    try await look()
                    looks += 1
                    if looks == 1 { progress.begin() }
                    // Or nobody else may get a thread.
                    await Task.yield()
                    // So many are enough, where readers keep the writer out.
                } while looks < 10_000 && !progress.isOver
            }
        }
        group.addTask {
            defer { progress.end() }
            await waitUntil { progress.begun == readers }
            try await write()
        }
        try await group.waitForAll()
    }
}

private final class Progress: Sendable {
    private let state = Mutex((begun: 0, isOver: false))

    var begun: Int { state.withLock { $0.begun } }
    var isOver: Bool { state.withLock { $0.isOver } }

    func begin() { state.withLock { $0.begun += 1 } }
    func end() { state.withLock { $0.isOver = true } }
}
