import WharfCore
import WharfFakes

/// A receiver with a mood, as reached by one engine.
struct MoodyDestination: Destination {
    let name: String
    let number: Int
    let engine: Int
    let witness: Witness
    let store: WitnessedStore
    let uptime: any UptimeClock
    var kinds: Set<String> { ["note"] }

    func deliver(_ entry: OutboxEntry) async -> Delivery {
        // A dead engine sends nothing.
        guard store.isAlive else { return .offline }
        await witness.sent(entry, to: name, by: engine, at: uptime.now())
        await witness.pause()
        let delivery = answer(entry)
        await witness.pause()
        witness.answered(delivery, to: entry, from: name)
        return delivery
    }

    private func answer(_ entry: OutboxEntry) -> Delivery {
        var mood = witness.mood(of: number)
        if mood == .mixed { mood = Step.Mood.allCases[witness.random(0..<6)] }
        switch mood {
        case .busy: return witness.random(0..<2) == 0 ? .unavailable : Delivery(.retry(.down, after: .seconds(20)))
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
        await witness.pause()
        return witness.random(0..<2) == 0 ? conflict.mine + [UInt8(ascii: "+")] : nil
    }
}
