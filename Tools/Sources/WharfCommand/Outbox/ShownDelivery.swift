import Wharf
import WharfStorage

/// The state of a delivery that is not settled.
enum DeliveryState: String, CaseIterable, Sendable {
    /// Due now or at a later time.
    case pending
    /// Waiting for a dependency, or for the condition of its target.
    case waiting
    /// Due, but its destination is paused.
    case paused
    case dead

    static let names = allCases.map(\.rawValue).joined(separator: ", ")
}

/// The delivery of an entry to one destination, for display.
struct ShownDelivery {
    let entry: OutboxEntry
    let destination: String
    /// The state; nil if it is settled.
    let state: DeliveryState?
    let attempts: Int
    let nextAttempt: WallTime?
    let failure: DeliveryFailure?
    /// Whether others depend on it, which may need ids from its answer.
    private let hasDependents: Bool
    private let recorded: OutboxRecord.State

    private init(
        _ entry: OutboxEntry, to destination: String, _ recorded: OutboxRecord.State, isPaused: Bool,
        hasDependents: Bool
    ) {
        self.entry = entry
        self.destination = destination
        self.hasDependents = hasDependents
        self.recorded = recorded
        (state, attempts, nextAttempt, failure) =
            switch recorded {
            case .waiting: (.waiting, 0, nil, nil)
            case .pending(let attempts, let next, let failure):
                (isPaused ? .paused : .pending, attempts, next, failure)
            case .dead(let attempts, let failure): (.dead, attempts, nil, failure)
            case .delivered, .unneeded, .dropped, .discarded: (nil, 0, nil, nil)
            }
    }

    /// Returns the deliveries of an entry in the order of its targets.
    ///
    /// - Parameter paused: the paused destinations of its account.
    static func all(
        of record: OutboxRecord, paused: Set<String> = [], hasDependents: Bool = false
    ) -> [ShownDelivery] {
        var seen: Set<String> = []
        return record.entry.targets.compactMap { target in
            guard seen.insert(target.destination).inserted, let state = record.states[target.destination] else {
                return nil
            }
            return ShownDelivery(
                record.entry, to: target.destination, state, isPaused: paused.contains(target.destination),
                hasDependents: hasDependents)
        }
    }

    var id: DeliveryID { DeliveryID(entry.id, to: destination) }

    /// Whether `wharf outbox drain` leaves it to the app.
    var needsApp: Bool { state != nil && state != .dead && (hasDependents || !entry.isSelfContained) }

    /// The name of the state, including settled ones.
    var stateName: String {
        switch recorded {
        case .delivered: "delivered"
        case .unneeded: "unneeded"
        case .dropped(let reason): "dropped (\(reason.rawValue))"
        case .discarded: "discarded"
        case .waiting, .pending, .dead: state?.rawValue ?? ""
        }
    }

    /// Returns the time of the next attempt relative to `now`.
    func next(at now: WallTime) -> String {
        guard let nextAttempt, state == .pending else { return "-" }
        return nextAttempt <= now ? "now" : "in \(Plain.duration(nextAttempt - now))"
    }

    func row(at now: WallTime, hasAccount: Bool) -> [String] {
        let remarks = [needsApp ? "needs the app" : nil, failure?.description].compactMap(\.self)
        return [entry.id.text, stateName, destination, hasAccount ? entry.account?.name ?? "-" : nil, entry.lane]
            .compactMap(\.self)
            + [entry.kind.name, "\(attempts)", next(at: now), remarks.joined(separator: "; ")]
    }

    static func heading(hasAccount: Bool) -> [String] {
        ["ID", "STATE", "DESTINATION"] + (hasAccount ? ["ACCOUNT"] : [])
            + ["LANE", "KIND", "ATTEMPTS", "NEXT", "REMARKS"]
    }

    var json: JSONObject {
        var object = JSONObject()
        object.add("id", entry.id.text)
        object.add("account", entry.account?.name)
        object.add("lane", entry.lane)
        object.add("kind", entry.kind.name)
        object.add("version", entry.kind.version)
        object.add("enqueuedAt", Plain.time(entry.enqueuedAt))
        addStanding(to: &object)
        return object
    }

    /// Adds the facts that differ between destinations.
    func addStanding(to object: inout JSONObject) {
        object.add("destination", destination)
        object.add("state", stateName)
        object.add("attempts", attempts)
        object.add("nextAttempt", nextAttempt.map(Plain.time))
        object.add("needsApp", needsApp)
        object.add("error", json: failure.map { String(decoding: $0.json.bytes, as: UTF8.self) } ?? "null")
    }
}

extension OutboxEntry {
    /// Whether it can be sent without the app: a request with an absolute target.
    var isSelfContained: Bool { OutboxRequest(self)?.isSelfContained ?? false }
}

extension DeliveryFailure {
    var json: JSONObject {
        var object = JSONObject()
        object.add("code", code.name)
        object.add("message", message)
        object.add("status", status)
        return object
    }
}
