import WharfCore
import WharfFakes

/// A receiver in a varying condition, as reached by one engine.
struct VaryingDestination: Destination {
    let name: String
    let number: Int
    let engine: Int
    let checker: GuaranteeChecker
    let store: CheckedStore
    let uptime: any UptimeClock
    var kinds: Set<String> { ["note"] }

    func deliver(_ entry: OutboxEntry) async -> Delivery {
        // A dead engine sends nothing.
        guard store.isAlive else { return .offline }
        await checker.sent(entry, to: name, by: engine, at: uptime.now())
        await checker.pause()
        let delivery = answer(entry)
        await checker.pause()
        checker.answered(delivery, to: entry, from: name)
        return delivery
    }

    private func answer(_ entry: OutboxEntry) -> Delivery {
        var condition = checker.condition(of: number)
        if condition == .mixed { condition = Step.Condition.allCases[checker.random(0..<6)] }
        switch condition {
        case .busy: return checker.random(0..<2) == 0 ? .unavailable : Delivery(.retry(.down, after: .seconds(20)))
        case .offline: return .offline
        case .signedOut: return .needsAuthentication
        case .strict: return .rejected
        case .contested: return .conflict(theirs: [1])
        case .well, .mixed:
            let made = entry.payload.starts(with: Array("made".utf8))
            return Delivery(.delivered, assignedIDs: made ? ["<\(entry.id)>": "id"] : [:])
        }
    }

    func rewriting(_ payload: [UInt8], of kind: OutboxEntry.Kind, ids: [String: String]) throws -> [UInt8] {
        ids[String(decoding: payload, as: UTF8.self)].map { Array($0.utf8) } ?? payload
    }

    func merging(_ conflict: ConflictRecord) async -> [UInt8]? {
        await checker.pause()
        return checker.random(0..<2) == 0 ? conflict.mine + [UInt8(ascii: "+")] : nil
    }
}
