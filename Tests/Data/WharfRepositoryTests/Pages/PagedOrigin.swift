import Synchronization
import WharfCore
import WharfCoreLaws
import WharfFakes

/// A service that returns its list in pages, the greatest id first.
final class PagedOrigin: Sendable {
    typealias Model = RepositoryLaws.Model

    /// The form of the token for the next page.
    enum Kind: CaseIterable, Sendable {
        case offset, number, cursor, place
    }

    private struct State {
        var models: [Int: Model] = [:]
        var failure: ReadFailure?
        /// The numbers of the requests to fail. If it is empty, all requests fail.
        var failing: Set<Int> = []
        var gates: [Int: Gate] = [:]
        var tokens: [PageToken?] = []
    }

    let kind: Kind
    private let state = Mutex(State())
    private let clock: any WallClock
    private let lifetime: Duration

    init(_ kind: Kind, ids: some Sequence<Int> = [], lifetime: Duration = .seconds(60), clock: any WallClock) {
        self.kind = kind
        self.clock = clock
        self.lifetime = lifetime
        for id in ids { put(Model(id: id, name: "model \(id)")) }
    }

    func put(_ model: Model) { state.withLock { $0.models[model.id] = model } }
    func remove(_ id: Int) { state.withLock { $0.models[id] = nil } }

    /// Fails every request from now on, or none if `failure` is nil.
    func fail(_ failure: ReadFailure?) { state.withLock { ($0.failure, $0.failing) = (failure, []) } }

    /// Fails the request with the given number. Requests are counted from 0.
    func fail(_ failure: ReadFailure, request: Int) {
        state.withLock { ($0.failure, $0.failing) = (failure, [request]) }
    }

    /// Holds the request with the given number. Requests are counted from 0.
    func hold(request: Int, at gate: Gate) { state.withLock { $0.gates[request] = gate } }

    /// The tokens of all requests, in order.
    var tokens: [PageToken?] { state.withLock { $0.tokens } }
    var ids: [Int] { state.withLock { $0.models.keys.sorted(by: >) } }

    func page(_ size: Int, _ token: PageToken?) -> Page<Model> {
        let all = state.withLock { $0.models.values.sorted { $0.id > $1.id } }
        let start =
            switch token {
            case nil: 0
            case .offset(let offset): offset
            case .number(let number): number * size
            case .cursor(let cursor): all.firstIndex { $0.id < Int(cursor) ?? 0 } ?? all.count
            case .after(let place): all.firstIndex { $0.id < Int(place.id) ?? 0 } ?? all.count
            case .link: all.count
            }
        let items = Array(all.dropFirst(start).prefix(size))
        guard let last = items.last, start + items.count < all.count else { return Page(items, next: nil) }
        switch kind {
        case .offset: return Page(items, next: .offset(start + items.count))
        case .number: return Page(items, next: .number(start / size + 1))
        case .cursor: return Page(items, next: .cursor("\(last.id)"))
        case .place: return Page(items, next: .after(Cursor(values: [FieldValue(last.name)], id: "\(last.id)")))
        }
    }

    var source: RemoteSource<Model> {
        RemoteSource<Model> { [self] id, mode in
            answer(mode) { state.withLock { $0.models[id] } }
        }.paged { [self] question, mode in
            guard mode != .storedOnly else { return Snapshot(kept: nil, error: .nothing) }
            let (number, gate) = state.withLock { state in
                state.tokens.append(question.token)
                return (state.tokens.count - 1, state.gates[state.tokens.count - 1])
            }
            // The page as of the time of the request.
            let page = page(question.size, question.token)
            await gate?.pass()
            if Task.isCancelled { return Snapshot(kept: nil, error: ReadFailure(.cancelled, message: "scripted")) }
            let failure = state.withLock { $0.failing.isEmpty || $0.failing.contains(number) ? $0.failure : nil }
            if let failure { return Snapshot(kept: nil, error: failure) }
            return answer(mode) { page }
        }
    }

    private func answer<Value: Sendable>(_ mode: CacheMode, _ value: () -> Value?) -> Snapshot<Value> {
        guard mode != .storedOnly else { return Snapshot(kept: nil, error: .nothing) }
        guard let value = value() else {
            let head = HTTPResponse(status: .notFound)
            return Snapshot(kept: nil, error: ReadFailure(.status, message: "404 Not Found", response: head))
        }
        let now = clock.now()
        return Snapshot(kept: .init(value: value, source: .network, asOf: now, staleAt: now + lifetime))
    }
}

extension ReadFailure {
    fileprivate static let nothing = ReadFailure(.nothingKept, message: "the script stores no values")
}
