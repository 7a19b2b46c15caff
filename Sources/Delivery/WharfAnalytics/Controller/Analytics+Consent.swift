internal import Synchronization
internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

extension Analytics {
    /// The consent in force.
    public var consent: Consent { state.consent }

    /// Changes the consent, and discards the events that no longer have consent.
    ///
    /// - A withdrawal is in force at the call. No event of its categories is kept from then on, and
    ///   destinations begin to send none.
    /// - At return no withdrawn event is left: in the outbox, on its way there, or among the dead
    ///   letters. Categories that are given are in force from then on.
    /// - Without any category left, the identity is erased as by ``reset()``.
    /// - With a category left, the identity stays. A user that was identified under a withdrawn
    ///   category is on later events of the others, until ``reset()``.
    ///
    /// Call it at the start too, before the outbox begins to deliver. A process that was killed
    /// during a withdrawal may have left events.
    ///
    /// - Throws: ``AnalyticsError/Code/storeFailed``. The consent is in force all the same; call
    ///   again to discard the rest.
    public func setConsent(_ consent: Consent) async throws(AnalyticsError) {
        // One critical section with the queue: an event enters the queue under the consent of that
        // moment. Between the two an event could enter that no later step removes.
        let (place, withdrawn) = queue.withLock { queue in
            let place = state.begin(consent)
            return (place, queue.withdraw(state.consent))
        }
        for item in withdrawn { finish(item, .success(.withoutConsent)) }
        await state.turn(of: place)
        defer { state.end(place) }
        // The running commit took its events before the withdrawal. They are in the outbox only
        // after it ends, and the search below finds them there.
        await queue.withLock { $0.endOfCommit() }?.wait()
        // A failed reset must not keep the events in the outbox, so it is thrown after they are
        // discarded.
        var failure: AnalyticsError?
        if consent.categories.isEmpty {
            do throws(AnalyticsError) { try await reset() } catch { failure = error }
        }
        do throws(StoreError) {
            try await discard(withoutConsent: consent)
        } catch {
            throw AnalyticsError(
                .storeFailed, message: "the outbox could not discard the events without consent: \(error)",
                cause: error)
        }
        if let failure { throw failure }
    }

    private func discard(withoutConsent consent: Consent) async throws(StoreError) {
        var discarded: Set<DeliveryID> = []
        // A concurrent delivery can hide an entry from a page, so pages are read until none has
        // such entries.
        while true {
            // Deliveries that were discarded in an earlier round are not counted twice.
            let found = try await deliveries(withoutConsent: consent).filter { !discarded.contains($0) }
            if found.isEmpty { return }
            for start in stride(from: 0, to: found.count, by: 256) {
                var commit = Commit()
                commit.discarded = Array(found[start..<min(start + 256, found.count)])
                try await outbox.store.commit(commit)
                count.withLock { $0.add(withdrawn: commit.discarded) }
            }
            discarded.formUnion(found)
        }
    }

    private func deliveries(withoutConsent consent: Consent) async throws(StoreError) -> [DeliveryID] {
        var deliveries: [DeliveryID] = []
        var last: Int64?
        while true {
            let page = try await outbox.store.records(of: account, after: last, limit: 256)
            for record in page where !consent.allows(record.entry) { deliveries += record.discardable }
            guard let end = page.last?.position, page.count == 256 else { return deliveries }
            last = end
        }
    }
}

extension Consent {
    /// Whether an entry may be kept. An unreadable event has no consent. Other kinds are left
    /// alone.
    fileprivate func allows(_ entry: OutboxEntry) -> Bool {
        // The outbox of the account has entries of other libraries too.
        guard entry.kind.name == AnalyticsDestination.kind.name else { return true }
        do { return allows(try TrackedEvent(entry).category) } catch { return false }
    }
}

extension OutboxRecord {
    fileprivate var discardable: [DeliveryID] {
        states.compactMap { destination, state in
            switch state {
            case .waiting, .pending, .dead: DeliveryID(entry.id, to: destination)
            case .delivered, .unneeded, .dropped, .discarded: nil
            }
        }
    }
}
