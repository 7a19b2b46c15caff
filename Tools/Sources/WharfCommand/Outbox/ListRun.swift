import Wharf
import WharfSQLite
import WharfStorage

/// One `wharf outbox ls`.
struct ListRun {
    let outbox: OpenOutbox
    let filter: DeliveryFilter
    let states: Set<DeliveryState>
    /// The id after which the list begins; nil for the whole list.
    let after: OutboxEntry.ID?
    /// The maximum number of entries; nil for all.
    let limit: Int?
    let isWithoutPager: Bool
    let isJSON: Bool

    /// The entries of one account.
    private struct Section {
        let account: Account?
        /// The position after which the list begins; nil for all entries.
        let after: Int64?
    }

    /// The state of the list so far.
    private struct Progress {
        var counts: [DeliveryState: Int] = [:]
        /// The number of deliveries examined.
        var seen = 0
        /// The number of entries listed.
        var entries = 0
        /// The last listed entry.
        var last: OutboxEntry.ID?
        /// The last listed entry, if the limit cut the list.
        var end: OutboxEntry.ID?
    }

    func run() async throws -> ProcessStatus {
        let accounts = try await outbox.accounts(filter)
        guard let sections = try await sections(accounts) else { return .notDone }
        let progress: Progress
        let pager = outbox.surroundings.pager
        if !isJSON, !isWithoutPager, outbox.surroundings.outputIsTerminal, let write = try pager.begin() {
            do {
                progress = try await list(sections, write)
            } catch {
                try await pager.end()
                throw error
            }
            // Standard error is the same terminal, which belongs to the pager until the user leaves
            // it.
            try await pager.end()
        } else {
            progress = try await list(sections, outbox.write)
        }
        say(progress)
        for pause in try await outbox.pauses(filter) { outbox.say(pause.sentence) }
        return .delivered
    }

    /// Returns the sections to list; nil if no list continues after the entry.
    private func sections(_ accounts: [Account?]) async throws -> [Section]? {
        guard let after else { return accounts.map { Section(account: $0, after: nil) } }
        let record = try await outbox.store.record(of: after)
        if accounts.count < 2 {
            var sections: [Section] = []
            for account in accounts {
                let isOfAccount = record?.entry.account == account
                let position = isOfAccount ? record?.position : try await predecessor(of: after, account)
                sections.append(Section(account: account, after: position))
            }
            return sections
        }
        guard let record else {
            outbox.say(
                "--after: \(outbox.path) has no entry with the id '\(after)'; add --account, with which the list "
                    + "continues after an entry that is gone")
            return nil
        }
        return accounts.drop { $0 != record.entry.account }.map { account in
            Section(account: account, after: account == record.entry.account ? record.position : nil)
        }
    }

    /// Returns the position of the entry with the greatest smaller id, because ids of earlier times
    /// are smaller.
    ///
    /// Thus the list of one account continues after an entry that no longer exists.
    private func predecessor(of entry: OutboxEntry.ID, _ account: Account?) async throws -> Int64? {
        var greatest: OutboxRecord?
        try await outbox.records(of: account) { page in
            greatest = (page.filter { $0.entry.id < entry } + [greatest].compactMap(\.self)).max {
                $0.entry.id < $1.entry.id
            }
            return true
        }
        return greatest?.position
    }

    private func list(_ sections: [Section], _ write: ([UInt8]) throws -> Void) async throws -> Progress {
        let hasAccount = sections.contains { $0.account != nil }
        var table = TextTable()
        var progress = Progress()
        for section in sections where progress.end == nil {
            let paused = Set(try await outbox.store.counts(of: section.account).paused.keys)
            try await outbox.records(of: section.account, after: section.after) { page in
                let isFirst = progress.entries == 0
                let shown = try await meant(page, paused, &progress)
                if isJSON {
                    try write(shown.flatMap(\.json.line))
                } else if !shown.isEmpty {
                    let now = outbox.surroundings.clock.now()
                    let heading = isFirst ? [ShownDelivery.heading(hasAccount: hasAccount)] : []
                    let lines = table.lines(heading + shown.map { $0.row(at: now, hasAccount: hasAccount) })
                    try write(lines.flatMap { Array(($0 + "\n").utf8) })
                }
                return progress.end == nil
            }
        }
        return progress
    }

    /// Returns the deliveries of a page to list.
    private func meant(
        _ page: [OutboxRecord], _ paused: Set<String>, _ progress: inout Progress
    ) async throws -> [ShownDelivery] {
        var shown: [ShownDelivery] = []
        for record in page {
            let deliveries = try await outbox.deliveries(of: record, paused: paused)
            progress.seen += deliveries.count { $0.state != nil }
            let meant = deliveries.filter(isMeant)
            if meant.isEmpty { continue }
            if progress.entries == limit {
                progress.end = progress.last
                break
            }
            progress.entries += 1
            progress.last = record.entry.id
            for delivery in meant { if let state = delivery.state { progress.counts[state, default: 0] += 1 } }
            shown += meant
        }
        return shown
    }

    private func isMeant(_ delivery: ShownDelivery) -> Bool {
        guard let state = delivery.state, states.contains(state) else { return false }
        return filter.takes(delivery.entry, to: delivery.destination)
    }

    private func say(_ progress: Progress) {
        let shown = progress.counts.values.reduce(0, +)
        if progress.seen == 0 {
            let what = filter.account.map { "nothing of \($0.name) waits in \(outbox.path)" }
            let behind = after.map { " after \($0)" } ?? ""
            outbox.say((what ?? "nothing waits in \(outbox.path)") + behind)
        } else if shown == 0 {
            outbox.say("none of the \(Plain.deliveries(progress.seen)) in \(outbox.path) matches the options")
        } else {
            let parts = DeliveryState.allCases.compactMap { state in
                progress.counts[state].map { "\($0) \(state.rawValue)" }
            }
            outbox.say("\(Plain.deliveries(shown)) in \(outbox.path): \(parts.joined(separator: ", "))")
        }
        if let end = progress.end { outbox.say("there are more: --after \(end) lists them") }
    }
}
