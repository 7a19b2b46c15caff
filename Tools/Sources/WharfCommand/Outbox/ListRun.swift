import Wharf

/// One `wharf outbox ls`.
struct ListRun {
    let outbox: OpenOutbox
    let filter: DeliveryFilter
    let states: Set<DeliveryState>
    let isJSON: Bool

    func run() async throws -> ProcessStatus {
        let accounts = try await outbox.accounts(filter)
        let hasAccount = accounts.contains { $0 != nil }
        var table = TextTable()
        var counts: [DeliveryState: Int] = [:]
        var all = 0
        for account in accounts {
            let paused = Set(try await outbox.store.counts(of: account).paused.keys)
            try await outbox.records(of: account) { page in
                var deliveries: [ShownDelivery] = []
                for record in page { deliveries += try await outbox.deliveries(of: record, paused: paused) }
                all += deliveries.count { $0.state != nil }
                let shown = deliveries.filter(isMeant)
                for delivery in shown { if let state = delivery.state { counts[state, default: 0] += 1 } }
                if isJSON {
                    try outbox.write(shown.flatMap(\.json.line))
                } else if !shown.isEmpty {
                    let now = outbox.surroundings.clock.now()
                    let isFirst = counts.values.reduce(0, +) == shown.count
                    let rows = shown.map { $0.row(at: now, hasAccount: hasAccount) }
                    let lines = table.lines((isFirst ? [ShownDelivery.heading(hasAccount: hasAccount)] : []) + rows)
                    for line in lines { try outbox.write(line: line) }
                }
                return true
            }
        }
        say(counts, of: all)
        for pause in try await outbox.pauses(filter) { outbox.say(pause.sentence) }
        return .delivered
    }

    private func isMeant(_ delivery: ShownDelivery) -> Bool {
        guard let state = delivery.state, states.contains(state) else { return false }
        return filter.takes(delivery.entry, to: delivery.destination)
    }

    private func say(_ counts: [DeliveryState: Int], of all: Int) {
        let shown = counts.values.reduce(0, +)
        if all == 0 {
            outbox.say(
                filter.account.map { "nothing of \($0.name) waits in \(outbox.path)" }
                    ?? "nothing waits in \(outbox.path)")
        } else if shown == 0 {
            outbox.say("none of the \(Plain.deliveries(all)) in \(outbox.path) is meant by the options")
        } else {
            let parts = DeliveryState.allCases.compactMap { state in counts[state].map { "\($0) \(state.rawValue)" } }
            outbox.say("\(Plain.deliveries(shown)) in \(outbox.path): \(parts.joined(separator: ", "))")
        }
    }
}
