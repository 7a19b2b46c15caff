#if os(Linux)
internal import WharfCore
internal import WharfMessaging

/// The recipients of each message that the server has taken or refused.
///
/// A later attempt leaves these recipients out.
///
/// Invariants:
/// - An entry has at least one recipient that was taken or refused.
/// - There are at most `limit` entries. A new entry beyond the limit evicts the oldest.
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

    /// Returns the recipients to send to, without those that the server has taken or refused.
    func open(_ recipients: [EmailAddress], of key: IdempotencyKey) -> [EmailAddress] {
        guard let entry = entries[key] else { return recipients }
        return recipients.filter { address in
            !entry.taken.contains(address) && !entry.refused.contains { $0.address == address }
        }
    }

    /// Records the outcomes of one attempt.
    ///
    /// A rejection clears the refusals: if the user retries the dead letter, the channel sends it
    /// to the refused recipients again, and to no other.
    ///
    /// - Parameter recipient: the `to` address. Its refusal alone rejects the message.
    /// - Returns: the verdict on the message.
    mutating func settle(
        _ outcomes: [(address: EmailAddress, outcome: SMTPOutcome.RecipientOutcome)], to recipient: EmailAddress,
        of key: IdempotencyKey, server: String
    ) -> Delivery.Verdict {
        var entry = entries[key] ?? Entry()
        var deferred: [String] = []
        for (address, outcome) in outcomes {
            switch outcome {
            case .taken: entry.taken.insert(address)
            case .refused(let answer): entry.refused.append((address, answer))
            case .deferred(let answer): deferred.append("\(address) (\(answer))")
            }
        }
        let refused = entry.refused.map { "\($0.address) (\($0.answer))" }
        let isRejected = entry.refused.contains { $0.address == recipient }
        let verdict = Self.verdict(taken: entry.taken.count, deferred, refused, isRejected: isRejected, server)
        switch verdict {
        // The next attempt leaves out the recipients that are settled. Without this entry they
        // would get the message again.
        case .retry: keep(entry, of: key)
        case .rejected:
            entry.refused = []
            keep(entry, of: key)
        // Delivered: the outbox does not ask for this key again.
        default: forget(key)
        }
        return verdict
    }

    private static func verdict(
        taken: Int, _ deferred: [String], _ refused: [String], isRejected: Bool, _ server: String
    ) -> Delivery.Verdict {
        let isTaken = taken > 0 ? "; \(taken) of the recipients have the message, and will not get it again" : ""
        let isRefused = refused.isEmpty ? "" : "\(server) refused \(refused.joined(separator: ", "))"
        if !deferred.isEmpty {
            let message =
                "\(server) deferred \(deferred.joined(separator: ", "))"
                + (isRefused.isEmpty ? "" : "; \(isRefused)") + isTaken
            return .retry(DeliveryFailure(.unavailable, message: message))
        }
        // A refusal of cc or bcc must not reject the message. With `.first(of: "email", "sms")` the
        // fallback would send an SMS to a recipient that has the e-mail already.
        guard isRejected else { return .delivered }
        // 552 to a recipient is deferred, so this 552 is the reply to the lines of the message.
        let remedy = refused.contains { $0.contains("(552") } ? "make the message smaller" : "correct the address"
        return .rejected(DeliveryFailure(.rejected, message: "\(isRefused)\(isTaken); \(remedy)"))
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
