import Synchronization

/// Runs `write` while readers repeat `look`. Each reader has looked before `write` begins, and
/// continues until it ends.
///
/// With a fixed number of looks, a busy system might finish them before it starts the writer, or
/// the other way round. A wrong store would then pass.
///
/// - Parameter readers: the number of concurrent readers.
package func withReaders(
    _ readers: Int, look: @escaping @Sendable () async throws -> Void,
    while write: @escaping @Sendable () async throws -> Void
) async throws {
    let progress = Progress()
    try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<readers {
            group.addTask {
                var looks = 0
                // The writer does not wait for a reader whose first look fails.
                defer { if looks == 0 { progress.begin() } }
                repeat {
                    try await look()
                    looks += 1
                    if looks == 1 { progress.begin() }
                    // Without this, no other task may get a thread.
                    await Task.yield()
                    // The limit ends the loop if the readers starve the writer.
                } while looks < 10_000 && !progress.isOver
            }
        }
        group.addTask {
            defer { progress.end() }
            // Without it the writer could be done before the first look, and the law would see no
            // race.
            await waitUntil { progress.begun == readers }
            try await write()
        }
        try await group.waitForAll()
    }
}

private final class Progress: Sendable {
    // Each reader adds exactly one to `begun`: after its first look, or when that look fails.
    // Without the second case the writer would wait for ever.
    private let state = Mutex((begun: 0, isOver: false))

    var begun: Int { state.withLock { $0.begun } }
    var isOver: Bool { state.withLock { $0.isOver } }

    func begin() { state.withLock { $0.begun += 1 } }
    func end() { state.withLock { $0.isOver = true } }
}
