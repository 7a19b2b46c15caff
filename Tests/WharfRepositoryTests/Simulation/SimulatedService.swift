import Synchronization
import WharfCore
import WharfFakes

/// A service with one sheet and entity tags, whose requests and answers get lost now and then.
///
/// It checks each change that it takes: a change without a tag, or one that takes back a count, has
/// overwritten another one.
final class SimulatedService: Sendable {
    private struct State {
        var sheet = Sheet(id: 1)
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

    var sheet: Sheet { state.withLock { $0.sheet } }

    /// Another client changes the sheet.
    func publish() {
        state.withLock { $0.sheet.revision += 1 }
        context.note("service has \(sheet)")
    }

    /// No request and no answer gets lost from now on.
    func recover() { state.withLock { $0.faults = 0 } }

    /// The service as one process reaches it.
    ///
    /// - Parameter isAlive: a dead process sends nothing, and hears nothing.
    func source(isAlive: @escaping @Sendable () -> Bool) -> RemoteSource<Sheet> {
        RemoteSource(get: { [self] _, mode in
            guard mode != .storedOnly else { return .failure(.nothingKept) }
            return await answer(isAlive) { state in answer(state.sheet) }
        }).writing { [self] change, key in
            guard case .edit(let sheet, let tag) = change else { return .failure(.unsupported) }
            return await answer(isAlive) { state in take(sheet, tag, key, in: &state) }
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
        _ sheet: Sheet, _ tag: String?, _ key: IdempotencyKey?, in state: inout State
    ) -> Snapshot<Sheet> {
        if remembersKeys, let key, let before = state.answers[key] { return before }
        let known = state.sheet
        if tag == nil { context.report("\(sheet.counts) was sent without an entity tag over \(known.counts)") }
        guard tag == Self.tag(known) else {
            context.note("service refused \(sheet) with \(tag ?? "no tag")")
            return .status(412)
        }
        if zip(sheet.counts, known.counts).contains(where: { $0 < $1 }) {
            context.report("\(sheet.counts) was sent over \(known.counts) with a matching entity tag")
        }
        state.sheet.counts = sheet.counts
        state.sheet.revision += 1
        context.note("service took \(sheet) with \(tag ?? "no tag"): \(state.sheet)")
        let answer = answer(state.sheet)
        if let key { state.answers[key] = answer }
        return answer
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
