import Synchronization

/// Notes of the tasks of a simulation, in the order in which they were made.
package final class Log<Note: Sendable>: Sendable {
    private let content = Mutex<[Note]>([])

    package init() {}

    package var notes: [Note] { content.withLock { $0 } }

    package func note(_ note: Note) { content.withLock { $0.append(note) } }
}
