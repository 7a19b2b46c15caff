#if os(Linux)
internal import WharfCore
internal import WharfMessaging

/// The recipients that a message has settled with, while it is tried again for the others.
///
/// Invariant: it has no entry for a message without such recipients. The oldest entries are dropped beyond the limit.
struct RecipientLedger {
    private struct Entry {
        var taken: Set<EmailAddress> = []
        /// The answers of the server, in the order of the envelope.
        var refused: [(address: EmailAddress, answer: String)] = []
    }

    private var entries: [IdempotencyKey: Entry] = [:]
    private var order: [IdempotencyKey] = []
    private let limit: Int

    init(limit: Int = 1_024) { self.limit = limit }

    /// The recipients to send to. Those that a server has taken or refused are left out.
    func open(_ recipients: [EmailAddress], of key: IdempotencyKey) -> [EmailAddress] {
        guard let entry = entries[key] else { return recipients }
        return recipients.filter { address in
            !entry.taken.contains(address) && !entry.refused.contains { $0.address == address }
        }
    }

    /// Notes the fates of one attempt.
    ///
    /// - Returns: the verdict on the message. A dead letter that is retried by hand goes to those that refused it alone.
    mutating func settle(
        _ fates: [(address: EmailAddress, fate: SMTPJudgement.Fate)], of key: IdempotencyKey, server: String
    ) -> Delivery.Verdict {
        var entry = entries[key] ?? Entry()
        var deferred: [String] = []
        for (address, fate) in fates {
            switch fate {
            case .taken: entry.taken.insert(address)
            case .refused(let answer): entry.refused.append((address, answer))
            case .deferred(let answer): deferred.append("\(address) (\(answer))")
            }
        }
        let refused = entry.refused.map { "\($0.address) (\($0.answer))" }
        let verdict = Self.verdict(taken: entry.taken.count, deferred, refused, server)
        switch verdict {
        case .retry: keep(entry, of: key)
        case .rejected:
            entry.refused = []
            keep(entry, of: key)
        default: forget(key)
        }
        return verdict
    }

    private static func verdict(
        taken: Int, _ deferred: [String], _ refused: [String], _ server: String
    ) -> Delivery.Verdict {
        let isTaken = taken > 0 ? "; \(taken) took it, and do not get it again" : ""
        let isRefused = refused.isEmpty ? "" : "\(server) refused \(refused.joined(separator: ", "))"
        if !deferred.isEmpty {
            let message =
                "\(server) deferred \(deferred.joined(separator: ", "))"
                + (isRefused.isEmpty ? "" : "; \(isRefused)") + isTaken
            return .retry(DeliveryFailure(.unavailable, message: message))
        }
        if refused.isEmpty { return .delivered }
        return .rejected(DeliveryFailure(.rejected, message: "\(isRefused)\(isTaken); correct the address"))
    }

    private mutating func keep(_ entry: Entry, of key: IdempotencyKey) {
        guard !entry.taken.isEmpty || !entry.refused.isEmpty else { return forget(key) }
        if entries.updateValue(entry, forKey: key) == nil {
            order.append(key)
            if order.count > limit { entries[order.removeFirst()] = nil }
        }
    }

    private mutating func forget(_ key: IdempotencyKey) {
        if entries.removeValue(forKey: key) != nil { order.removeAll { $0 == key } }
    }
}
#endif
