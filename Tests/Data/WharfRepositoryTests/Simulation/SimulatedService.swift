import Synchronization
import WharfCore
import WharfFakes

/// A service with entity tags and ids of its own that sometimes loses requests and answers.
///
/// It checks each change that it accepts. An edit without a tag, or one that decreases a count, has
/// overwritten another edit.
final class SimulatedService: Sendable {
    private struct State {
        var sheets = [1: Sheet(id: 1)]
        /// The last version of the first sheet that the other client wrote.
        var published = Sheet(id: 1)
        /// The id of each added sheet, by its temporary id.
        var added: [Int: Int] = [:]
        var answers: [IdempotencyKey: Snapshot<Sheet>] = [:]
        var faults: Int
    }

    private let context: SimulationContext
    private let remembersKeys: Bool
    private let state: Mutex<State>

    init(_ context: SimulationContext, faults: Int, remembersKeys: Bool) {
        self.context = context
        self.remembersKeys = remembersKeys
        state = Mutex(State(faults: faults))
    }

    func sheet(_ id: Int = 1) -> Sheet? { state.withLock { $0.sheets[id] } }

    /// The sheet that was added under a temporary id.
    func added(_ id: Int) -> Sheet? { state.withLock { state in state.added[id].flatMap { state.sheets[$0] } } }

    /// Makes the other client change the first sheet, or put it back.
    func publish() {
        state.withLock { state in
            state.published.revision = max(state.published.revision, state.sheets[1]?.revision ?? 0) + 1
            state.published.counts = state.sheets[1]?.counts ?? state.published.counts
            state.sheets[1] = state.published
        }
        context.note("service has \(sheet().text)")
    }

    /// Makes the other client remove the first sheet.
    func remove() {
        state.withLock { $0.sheets[1] = nil }
        context.note("service has no sheet")
    }

    /// Stops losing requests and answers.
    func recover() { state.withLock { $0.faults = 0 } }

    /// The service as seen by one process.
    ///
    /// - Parameter isAlive: a dead process sends and receives nothing.
    func source(isAlive: @escaping @Sendable () -> Bool) -> RemoteSource<Sheet> {
        RemoteSource(get: { [self] id, mode in
            guard mode != .storedOnly else { return .failure(.nothingKept) }
            return await answer(isAlive) { state in state.sheets[id].map(answer) ?? .status(404) }
        }).writing { [self] change, key in
            await answer(isAlive) { state in take(change, key, in: &state) }
        }
    }

    private func answer(
        _ isAlive: () -> Bool, _ decide: (inout State) -> Snapshot<Sheet>
    ) async -> Snapshot<Sheet> {
        await context.pause()
        if Task.isCancelled { return .failure(.cancelled) }
        guard isAlive(), !isLost else { return .failure(.connectionFailed) }
        let answer = state.withLock { decide(&$0) }
        await context.pause()
        if Task.isCancelled { return .failure(.cancelled) }
        return isAlive() && !isLost ? answer : .failure(.connectionLost)
    }

    private var isLost: Bool { context.happens(state.withLock { $0.faults }) }

    private func take(
        _ change: RemoteChange<Sheet>, _ key: IdempotencyKey?, in state: inout State
    ) -> Snapshot<Sheet> {
        if remembersKeys, let key, let before = state.answers[key] { return before }
        let answer =
            switch change {
            case .add(let sheet): add(sheet, in: &state)
            case .edit(let sheet, _, let tag): edit(sheet, tag, in: &state)
            case .delete: Snapshot<Sheet>.failure(.unsupported)
            }
        if answer.error == nil, let key { state.answers[key] = answer }
        return answer
    }

    private func add(_ sheet: Sheet, in state: inout State) -> Snapshot<Sheet> {
        let id = 100 + state.added.count
        if state.added.updateValue(id, forKey: sheet.id) != nil { context.report("\(sheet) was added twice") }
        state.sheets[id] = Sheet(id: id, revision: 1, counts: sheet.counts)
        context.note("service added \(sheet) as \(id)")
        return answer(Sheet(id: id, revision: 1, counts: sheet.counts))
    }

    private func edit(_ sheet: Sheet, _ tag: String?, in state: inout State) -> Snapshot<Sheet> {
        guard var known = state.sheets[sheet.id] else {
            context.report("\(sheet) was sent, which the service does not know")
            return .status(404)
        }
        if tag == nil { context.report("\(sheet) was sent without an entity tag over \(known)") }
        guard tag == Self.tag(known) else {
            context.note("service refused \(sheet) with \(tag ?? "no tag")")
            return .status(412)
        }
        if zip(sheet.counts, known.counts).contains(where: { $0 < $1 }) {
            context.report("\(sheet) was sent over \(known) with a matching entity tag")
        }
        known.counts = sheet.counts
        known.revision += 1
        state.sheets[sheet.id] = known
        context.note("service took \(sheet) with \(tag ?? "no tag"): \(known)")
        return answer(known)
    }

    private func answer(_ sheet: Sheet) -> Snapshot<Sheet> {
        let now = context.clock.wall.now()
        let head = HTTPResponse(status: .ok, headerFields: [.eTag: Self.tag(sheet)])
        return Snapshot(
            kept: .init(value: sheet, source: .network, asOf: now, staleAt: now + .seconds(2), response: head))
    }

    static func tag(_ sheet: Sheet) -> String { "\"\(sheet.revision)\"" }
}

extension Snapshot {
    fileprivate static func failure(_ code: ReadFailure.Code) -> Snapshot {
        Snapshot(kept: nil, error: ReadFailure(code, message: "simulated: \(code)"))
    }

    fileprivate static func status(_ code: Int) -> Snapshot {
        let head = HTTPResponse(status: .init(code: code))
        return Snapshot(kept: nil, error: ReadFailure(.status, message: "simulated: \(code)", response: head))
    }
}
