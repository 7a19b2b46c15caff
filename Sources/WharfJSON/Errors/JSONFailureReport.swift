internal import Synchronization

/// Why elements were left out, of all the arrays of one document.
///
/// Their lines and paths are found by one walk at the end of the reading, for all of them together:
/// so that a document in which most elements are wrong takes linear time.
@usableFromInline final class JSONFailureReport: Sendable {
    private struct State {
        var notes: [JSONNote] = []
        /// How deep the array lies, among arrays that leave elements out, which left one out for
        /// the note of the same index.
        var levels: [Int] = []
        /// In the order of the document, each with the index of its note. Empty until the reading
        /// has ended.
        var issues: [(index: Int, issue: JSONIssue)] = []
    }

    private let state: Mutex<State>

    init(_ issues: [JSONIssue] = [], level: Int = 0) {
        state = Mutex(
            State(levels: issues.map { _ in level }, issues: issues.enumerated().map { ($0.offset, $0.element) }))
    }

    @usableFromInline var count: Int { state.withLock { $0.notes.count } }

    /// Takes in why an element was left out. What arrays inside of it had left out, from `start`
    /// on, is part of that.
    func add(_ more: ArraySlice<JSONNote>, at level: Int, since start: Int, limit: Int) {
        state.withLock { state in
            state.notes += more.prefix(max(0, limit - state.notes.count))
            state.levels.replaceSubrange(
                start..., with: repeatElement(level, count: state.notes.count - start))
        }
    }

    /// Those of one array, in the order of the document.
    ///
    /// - Parameter range: what was added while the array was read. Of the arrays that were open
    ///   then no other is at this level.
    func issues(in range: Range<Int>, at level: Int) -> [JSONIssue] {
        state.withLock { state in
            state.issues.filter { range.contains($0.index) && state.levels[$0.index] == level }.map(\.issue)
        }
    }

    func resolve(in bytes: JSONBytes) {
        state.withLock { $0.issues = JSONNotes.issues($0.notes, in: bytes) }
    }
}
