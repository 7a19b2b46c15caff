import Synchronization
import WharfCore
import WharfCoreLaws
import WharfFakes

/// A service that returns the changes since a token in pages, and forgets old changes.
///
/// The token of a full sync is `all/<id>/<change>`: the last id that was sent, and the change at
/// which to continue after the last page. Any other token is the number of a change.
final class SyncService: Sendable {
    typealias Note = WriteLaws.Note

    private struct State {
        var notes: [Int: Note] = [:]
        var log: [(number: Int, id: Int)] = []
        var last = 0
        /// The first change that is not forgotten.
        var floor = 0
        var requests: [String?] = []
        var failures: Set<Int> = []
    }

    private let state = Mutex(State())
    let clock: TestClock
    let pageSize: Int

    init(_ notes: [Note] = [], clock: TestClock, pageSize: Int = 3) {
        (self.clock, self.pageSize) = (clock, pageSize)
        for note in notes { put(note) }
    }

    var notes: [Note] { state.withLock { $0.notes.values.sorted { $0.id < $1.id } } }
    /// The token of each request for changes.
    var requests: [String?] { state.withLock { $0.requests } }

    func put(_ note: Note) { change(note.id) { $0.notes[note.id] = note } }

    func remove(_ id: Int) { change(id) { $0.notes[id] = nil } }

    /// Forgets all changes, so that earlier tokens become invalid.
    func forget() { state.withLock { ($0.floor, $0.log) = ($0.last, []) } }

    /// Makes a request fail, counted from the next one.
    func fail(_ index: Int) { state.withLock { _ = $0.failures.insert($0.requests.count + index) } }

    private func change(_ id: Int, _ body: (inout State) -> Void) {
        state.withLock { state in
            state.last += 1
            state.log.append((state.last, id))
            body(&state)
        }
    }

    var source: RemoteSource<Note> {
        RemoteSource(
            get: { [self] id, mode in
                guard mode != .storedOnly else { return Snapshot(kept: nil, error: .init(.nothingKept, message: "")) }
                return state.withLock { $0.notes[id] }.map(answer) ?? gone("no note \(id)")
            }
        ).writing { [self] change, _ in
            switch change {
            case .add(let note), .edit(let note, _, _): put(note)
            case .delete(let id, _): remove(id)
            }
            return Snapshot(kept: nil)
        }.syncing { [self] token in changes(since: token) }
    }

    private func changes(since token: String?) -> Snapshot<SyncPage<Note>> {
        let page = state.withLock { state -> SyncPage<Note>?? in
            state.requests.append(token)
            if state.failures.remove(state.requests.count - 1) != nil { return .some(nil) }
            let parts = token?.split(separator: "/") ?? ["all", "-1", "\(state.last)"]
            guard parts.count == 3 else { return .some(delta(Int(token ?? "") ?? 0, state)) ?? nil }
            return all(after: Int(parts[1]) ?? 0, then: Int(parts[2]) ?? 0, state)
        }
        switch page {
        case nil: return gone("the token is not known")
        case .some(nil): return Snapshot(kept: nil, error: OutboxStage.unreachable)
        case .some(.some(let page)): return answer(page)
        }
    }

    private func delta(_ number: Int, _ state: State) -> SyncPage<Note>?? {
        guard number >= state.floor else { return nil }
        let changes = state.log.filter { $0.number > number }
        let page = changes.prefix(pageSize)
        let ids = Set(page.map(\.id))
        return SyncPage(
            changed: ids.compactMap { state.notes[$0] }, removed: ids.filter { state.notes[$0] == nil },
            nextToken: "\(page.last?.number ?? number)", hasMore: changes.count > page.count)
    }

    private func all(after id: Int, then number: Int, _ state: State) -> SyncPage<Note>? {
        let rest = state.notes.values.filter { $0.id > id }.sorted { $0.id < $1.id }
        let page = Array(rest.prefix(pageSize))
        let hasMore = rest.count > page.count
        let next = hasMore ? "all/\(page.last?.id ?? id)/\(number)" : "\(number)"
        return SyncPage(changed: page, nextToken: next, hasMore: hasMore)
    }

    private func answer<Value>(_ value: Value) -> Snapshot<Value> {
        Snapshot(kept: .init(value: value, source: .network, asOf: clock.wall.now()))
    }

    private func gone<Value>(_ message: String) -> Snapshot<Value> {
        let head = HTTPResponse(status: .gone)
        return Snapshot(kept: nil, error: ReadFailure(.status, message: message, response: head))
    }
}
