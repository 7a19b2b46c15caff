import Synchronization
import WharfAnalytics
import WharfAnalyticsLaws
import WharfCore
import WharfFakes
import WharfJSON

/// A collector behind a stubbed transport, in the condition set by a law.
final class FakeCollector: Sendable {
    private struct State {
        var condition = AnalyticsSinkLaws.Condition.working
        var gate: Gate?
        var arrivals: [AnalyticsSinkLaws.Arrival] = []
    }

    private let state = Mutex(State())
    /// The member of a body with the events, and the path to the id in an event.
    private let names: (events: String, id: [String])

    init(events: String = "events", id: String...) { names = (events, id.isEmpty ? ["id"] : id) }

    var arrivals: [AnalyticsSinkLaws.Arrival] { state.withLock { $0.arrivals } }

    func set(_ condition: AnalyticsSinkLaws.Condition) { state.withLock { $0.condition = condition } }

    /// Delays the answers, and keeps no event meanwhile.
    func hold(at gate: Gate?) { state.withLock { $0.gate = gate } }

    var transport: StubTransport { StubTransport { [self] request in answer(request) } }

    /// - Parameter sink: makes the sink from the collector's transport.
    func underLaws(
        format: CollectorFormat = CollectorFormat(), _ sink: (StubTransport) -> HTTPCollector
    ) -> AnalyticsSinkLaws.Instance {
        .init(sink(transport), arrivals: { self.arrivals }, set: { self.set($0) }, read: { format.event($0) })
    }

    private func answer(_ request: TransportRequest) -> StubAnswer {
        state.withLock { state in
            if let gate = state.gate { return .failure(.connectionLost).held(by: gate) }
            guard case .bytes(let bytes) = request.body,
                let events = try? JSON.decode(JSONValue.self, from: bytes)[names.events]?.elements
            else { return .respond(.badRequest) }
            switch state.condition {
            case .busy: return .respond(.serviceUnavailable)
            case .refusing(let ids) where events.contains { ids.contains(id(of: $0)) }: return .respond(.badRequest)
            case .refusing, .working: break
            }
            let key = request.head.headerFields.first { $0.name.canonicalName == "idempotency-key" }?.value
            state.arrivals += events.map { .init(content: $0, key: key) }
            return .ok("{}")
        }
    }

    private func id(of event: JSONValue) -> String {
        let value = names.id.reduce(JSONValue?.some(event)) { $0?[$1] }
        guard case .string(let id)? = value?.content else { return "" }
        return id
    }
}
