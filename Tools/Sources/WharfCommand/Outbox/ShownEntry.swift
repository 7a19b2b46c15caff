import Wharf
import WharfStorage

/// All facts of one entry, for display.
struct ShownEntry {
    let entry: OutboxEntry
    let deliveries: [ShownDelivery]
    let letters: [DeadLetter]
    /// The pauses of its destinations, by name.
    let pauses: [String: OutboxPause]
    /// Whether secrets are shown.
    let reveals: Bool

    private func letter(to destination: String) -> DeadLetter? { letters.first { $0.destination == destination } }

    // MARK: Text

    func lines(at now: WallTime) -> [String] {
        var table = TextTable()
        return table.lines(facts(at: now)) + [""] + deliveries.flatMap { lines(of: $0, at: now) } + ["", "payload:"]
            + payload + conflict
    }

    private func facts(at now: WallTime) -> [[String]] {
        let age = Plain.duration(max(.zero, now - entry.enqueuedAt))
        var facts = [["id", entry.id.text]]
        if let account = entry.account { facts.append(["account", account.name]) }
        facts += [
            ["lane", entry.lane], ["kind", "\(entry.kind.name), version \(entry.kind.version)"],
            ["key", entry.key.text], ["class", entry.deliveryClass.text],
            ["enqueued", "\(Plain.time(entry.enqueuedAt)), \(age) ago"],
        ]
        if !entry.dependencies.isEmpty {
            facts.append(["depends on", entry.dependencies.sorted().map(\.text).joined(separator: ", ")])
        }
        for (destination, pause) in pauses.sorted(by: { $0.key < $1.key }) {
            facts.append(["paused", "\(destination) \(pause.text)"])
        }
        if deliveries.contains(where: \.needsApp) {
            let why =
                entry.isSelfContained
                ? "other entries depend on it, and may need its answer"
                : "it is not a request with an address of its own"
            facts.append(["needs", "the app: \(why)"])
        }
        return facts
    }

    private func lines(of delivery: ShownDelivery, at now: WallTime) -> [String] {
        var line = "to \(delivery.destination): \(delivery.stateName)"
        if delivery.attempts > 0 { line += ", \(Plain.attempts(delivery.attempts))" }
        if delivery.state == .pending { line += ", next \(delivery.next(at: now))" }
        if let condition = condition(of: delivery.destination) { line += ", \(condition)" }
        var lines = [line]
        if let letter = letter(to: delivery.destination) {
            lines += ["  died \(Plain.time(letter.diedAt))", "  \(letter.explanation)"]
        } else if let failure = delivery.failure {
            lines.append("  the last attempt: \(failure)")
        }
        return lines.map(Plain.shown)
    }

    private func condition(of destination: String) -> String? {
        entry.targets.first { $0.destination == destination }?.condition.text
    }

    /// Whether the payload is hidden: a request that can't be parsed, so that its secrets are
    /// unknown.
    private var isHidden: Bool {
        !reveals && entry.kind.name == OutboxRequest.kind.name && OutboxRequest(entry) == nil
    }

    private var hidden: String {
        "  (\(Plain.bytes(Int64(entry.payload.count))) of a request that can't be read; --secrets shows them)"
    }

    private var payload: [String] {
        if isHidden { return [hidden] }
        guard let request = OutboxRequest(entry) else { return Self.lines(of: entry.payload) }
        return (request.head(revealing: reveals) + [""]).map { "  " + Plain.shown($0) } + Self.lines(of: request.body)
    }

    private var conflict: [String] {
        let conflicts = letters.compactMap { letter in letter.conflict.map { (letter.destination, $0) } }
        return conflicts.flatMap { destination, conflict in
            [
                ("base", conflict.base.map(Self.lines)), ("mine", mine), ("theirs", conflict.theirs.map(Self.lines)),
            ].flatMap { name, lines in
                ["", Plain.shown("\(name), of the conflict at \(destination):")] + (lines ?? ["  (not known)"])
            }
        }
    }

    /// The payload; for a request its body, because the other two versions are bodies.
    private var mine: [String] {
        isHidden ? [hidden] : Self.lines(of: OutboxRequest(entry)?.body ?? entry.payload)
    }

    private static func lines(of bytes: [UInt8]) -> [String] {
        if bytes.isEmpty { return ["  (empty)"] }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return ["  (\(Plain.bytes(Int64(bytes.count))) that are not text; --json has them)"]
        }
        return Plain.shownLines(text).split(separator: "\n", omittingEmptySubsequences: false).map { "  " + $0 }
    }

    // MARK: JSON

    var json: JSONObject {
        var object = JSONObject()
        object.add("id", entry.id.text)
        object.add("account", entry.account?.name)
        object.add("lane", entry.lane)
        object.add("kind", entry.kind.name)
        object.add("version", entry.kind.version)
        object.add("key", entry.key.text)
        object.add("class", entry.deliveryClass.text)
        object.add("enqueuedAt", Plain.time(entry.enqueuedAt))
        let dependencies = entry.dependencies.sorted().map { JSONText.quoted($0.text) }
        object.add("dependencies", json: "[\(dependencies.joined(separator: ","))]")
        object.add(
            "paused",
            pauses.sorted { $0.key < $1.key }.map { destination, pause in
                var each = JSONObject()
                each.add("destination", destination)
                pause.add(to: &each)
                return each
            })
        object.add("deliveries", deliveries.map(json))
        if let base = entry.base { object.add("base", bytes: base) }
        if let request = OutboxRequest(entry) {
            object.add("request", json(request).bytes)
        } else if !isHidden {
            object.add("payload", bytes: entry.payload)
        }
        return object
    }

    private func json(_ delivery: ShownDelivery) -> JSONObject {
        var object = JSONObject()
        delivery.addStanding(to: &object)
        object.add("condition", condition(of: delivery.destination))
        if let letter = letter(to: delivery.destination) {
            object.add("diedAt", Plain.time(letter.diedAt))
            object.add("explanation", letter.explanation)
            if let theirs = letter.theirs { object.add("theirs", bytes: theirs) }
        }
        return object
    }

    private func json(_ request: OutboxRequest) -> JSONObject {
        var object = JSONObject()
        let head = request.head(revealing: reveals)
        object.add("head", json: "[\(head.map(JSONText.quoted).joined(separator: ","))]")
        object.add("body", bytes: request.body)
        return object
    }
}

extension DeliveryClass {
    fileprivate var text: String {
        switch self {
        case .durable: "durable"
        case .bounded(let limit): "bounded, at most \(limit)"
        case .expiring(let time, let latestWins):
            "expiring after \(Plain.duration(time))\(latestWins ? ", latest wins" : "")"
        }
    }
}

extension OutboxEntry.Target.DeliveryCondition {
    /// The condition in words; nil for none.
    fileprivate var text: String? {
        switch self {
        case .always: nil
        case .afterFailure(let other): "after a failure of \(other)"
        case .unlessDelivered(let other, let time): "unless delivered by \(other) within \(Plain.duration(time))"
        }
    }
}
