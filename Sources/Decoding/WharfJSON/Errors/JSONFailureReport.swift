internal import Synchronization

/// The errors of elements left out, for all arrays of one document.
///
/// One walk at the end of the reading finds all of their lines and paths. So a document with mostly
/// wrong elements takes linear time.
@usableFromInline final class JSONFailureReport: Sendable {
    private struct State {
        // Invariant when the lock is free: `levels` has one entry for each note.
        var notes: [JSONNote] = []
        /// The level of the array that left out an element, for the note of the same index. Only
        /// arrays that leave elements out count as levels.
        var levels: [Int] = []
        /// The issues in document order, each with the index of its note. Empty until the reading
        /// has ended.
        var issues: [(index: Int, issue: JSONIssue)] = []
    }

    private let state: Mutex<State>

    init(_ issues: [JSONIssue] = [], level: Int = 0) {
        state = Mutex(
            State(levels: issues.map { _ in level }, issues: issues.enumerated().map { ($0.offset, $0.element) }))
    }

    @usableFromInline var count: Int { state.withLock { $0.notes.count } }

    /// Adds the errors of an element left out.
    ///
    /// Errors that arrays inside the element reported, from `start` on, become part of them.
    func add(_ more: ArraySlice<JSONNote>, at level: Int, since start: Int, limit: Int) {
        state.withLock { state in
            state.notes += more.prefix(max(0, limit - state.notes.count))
            // An inner array's errors become those of the element that the outer array leaves out.
            state.levels.replaceSubrange(
                start..., with: repeatElement(level, count: state.notes.count - start))
        }
    }

    /// Returns the issues of one array in document order.
    ///
    /// - Parameter range: the notes that were added while the array was read. No other array that
    ///   was open then is at this level.
    func issues(in range: Range<Int>, at level: Int) -> [JSONIssue] {
        state.withLock { state in
            state.issues.filter { range.contains($0.index) && state.levels[$0.index] == level }.map(\.issue)
        }
    }

    func resolve(in bytes: JSONBytes) {
        state.withLock { $0.issues = JSONNotes.issues($0.notes, in: bytes) }
    }
}
