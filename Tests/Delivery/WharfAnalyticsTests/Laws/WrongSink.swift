import Synchronization
import WharfAnalytics
import WharfAnalyticsLaws
import WharfCore
import WharfJSON

/// A sink with its receiver, with one defect.
final class WrongSink: AnalyticsSink {
    enum Fault: Sendable {
        case hasNoName, hasANameEachTime, hasNoLimit
        case losesAnEvent, reversesBatches, forgetsAVerdict, losesProperties
        case countsAttempts, takesAKeyForEachAttempt, hasOneKey
        case sendsTheUnwanted, rejectsTheUnwanted
        case deliversToTheBusy, rejectsWhenBusy, keepsWhenBusy
        case retriesTheRefused, keepsTheRefused, rejectsAll, retriesTheRest
        case hasASizeEachTime, hasOneSize, hasLimitsBySize, rejectsTheLargest, cutsTheLargest
    }

    private struct State {
        var condition = AnalyticsSinkLaws.Condition.working
        var arrivals: [AnalyticsSinkLaws.Arrival] = []
        var attempts: [IdempotencyKey: Int] = [:]
    }

    let name: String
    let limits: BatchLimits
    private let fault: Fault
    private let state = Mutex(State())
    private static let made = Atomic(0)
    private static let largest = 20_000

    init(_ fault: Fault) {
        self.fault = fault
        name =
            switch fault {
            case .hasNoName: ""
            case .hasANameEachTime: "wrong \(Self.made.add(1, ordering: .relaxed).newValue)"
            default: "wrong"
            }
        var limits = BatchLimits(entries: 50)
        if fault == .hasNoLimit { limits.bytes = 0 }
        self.limits = limits
    }

    var underLaws: AnalyticsSinkLaws.Instance {
        .init(
            self, arrivals: { self.state.withLock { $0.arrivals } },
            set: { new in self.state.withLock { $0.condition = new } })
    }

    func size(of event: TrackedEvent) -> EventSize? {
        let bytes = "\(event.json)".utf8.count
        return switch fault {
        case .hasASizeEachTime:
            EventSize(bytes: bytes + Self.made.add(1, ordering: .relaxed).newValue, limit: Self.largest)
        case .hasOneSize: EventSize(bytes: 100, limit: Self.largest)
        case .hasLimitsBySize: EventSize(bytes: bytes, limit: bytes > 3_000 ? Self.largest : Self.largest + 1)
        default: EventSize(bytes: bytes, limit: Self.largest)
        }
    }

    func send(_ batch: [KeyedEvent]) async -> [Delivery.Verdict] { await send(batch) { _ in true } }

    func send(
        _ batch: [KeyedEvent], while isWanted: @Sendable (TrackedEvent) -> Bool
    ) async -> [Delivery.Verdict] {
        guard fault == .sendsTheUnwanted || batch.allSatisfy({ isWanted($0.event) }) else {
            return batch.map { _ in fault == .rejectsTheUnwanted ? .rejected(.down) : .retry(.down) }
        }
        switch state.withLock({ $0.condition }) {
        case .working: return take(batch)
        case .busy:
            if fault == .keepsWhenBusy { keep(batch) }
            let verdict: Delivery.Verdict =
                switch fault {
                case .deliversToTheBusy: .delivered
                case .rejectsWhenBusy: .rejected(.down)
                default: .retry(.down)
                }
            return batch.map { _ in verdict }
        case .refusing(let ids): return take(batch, refusing: ids)
        }
    }

    private func take(_ batch: [KeyedEvent], refusing ids: Set<String>) -> [Delivery.Verdict] {
        let isAlone = batch.count == 1
        if fault == .rejectsAll, !isAlone { return batch.map { _ in .rejected(.down) } }
        if fault == .retriesTheRefused, isAlone { return [.retry(.down)] }
        if fault == .keepsTheRefused, isAlone { keep(batch) }
        let isTaken = { (item: KeyedEvent) in !ids.contains(item.event.id) }
        if fault != .retriesTheRest { keep(batch.filter(isTaken)) }
        return batch.map { item in
            guard isTaken(item) else { return .rejected(.down) }
            return fault == .retriesTheRest ? .retry(.down) : .delivered
        }
    }

    private func take(_ batch: [KeyedEvent]) -> [Delivery.Verdict] {
        let isFull = batch.count == 20
        var taken = batch
        switch fault {
        case .losesAnEvent where isFull: taken.removeLast()
        case .reversesBatches where isFull: taken.reverse()
        case .losesProperties where isFull: taken[0].event.properties = [:]
        case .rejectsTheLargest where "\(batch[0].event.json)".utf8.count >= Self.largest:
            return batch.map { _ in .rejected(.down) }
        case .cutsTheLargest where "\(batch[0].event.json)".utf8.count >= Self.largest:
            taken[0].event.properties = [:]
        default: break
        }
        keep(taken)
        let verdicts = batch.map { _ in Delivery.Verdict.delivered }
        return fault == .forgetsAVerdict && isFull ? verdicts.dropLast() : verdicts
    }

    private func keep(_ batch: [KeyedEvent]) {
        state.withLock { state in
            let attempt = state.attempts[batch.key, default: 0]
            state.attempts[batch.key] = attempt + 1
            var key = batch.key.text
            if fault == .hasOneKey { key = "key" }
            if fault == .takesAKeyForEachAttempt { key += "-\(attempt)" }
            state.arrivals += batch.map { item in
                var event = item.event
                if fault == .countsAttempts, attempt > 0 { event.name += " again" }
                return .init(content: event.json, key: key)
            }
        }
    }
}

extension DeliveryFailure {
    fileprivate static let down = DeliveryFailure(.unavailable, message: "down")
}
