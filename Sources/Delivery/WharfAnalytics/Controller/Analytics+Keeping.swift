internal import Synchronization
internal import WharfCore
internal import WharfPrimitives

extension Analytics {
    enum Prepared {
        case wanted(TrackQueue.Item)
        case unwanted(Tracked)
    }

    /// Keeps the event of a call, under the present identity.
    func keep(
        _ category: Consent.Category, _ draft: () throws(AnalyticsError) -> EventDraft
    ) async throws(AnalyticsError) -> Tracked {
        try await countingErrors { () async throws(AnalyticsError) in
            switch try prepare(category, draft) {
            case .wanted(let item): return try await keep(item)
            case .unwanted(let tracked): return counted(tracked)
            }
        }
    }

    func post(_ category: Consent.Category, _ draft: () throws(AnalyticsError) -> EventDraft) {
        do throws(AnalyticsError) {
            switch try prepare(category, draft) {
            case .wanted(let item): add(item)
            case .unwanted(let tracked): counted(tracked)
            }
        } catch {
            lose(error)
        }
    }

    /// - Parameter added: called when the event has its place in the queue, before it is stored. It
    ///   is not called if the queue refuses the event for want of consent.
    func keep(_ item: TrackQueue.Item, added: () -> Void = {}) async throws(AnalyticsError) -> Tracked {
        let promise = Promise<Result<Tracked, AnalyticsError>>()
        var item = item
        item.waiter = promise
        if add(item) { added() }
        return try await promise.wait().get()
    }

    private func prepare(
        _ category: Consent.Category, _ draft: () throws(AnalyticsError) -> EventDraft
    ) throws(AnalyticsError) -> Prepared {
        // Without consent the event is not even encoded. Consent is checked again when the event
        // enters the queue.
        guard state.consent.allows(category) else { return .unwanted(.withoutConsent) }
        let draft = try draft()
        return try prepare(draft, stamp())
    }

    func stamp() -> EventStamp {
        identity.stamp(outbox.newID().text, at: clock.now()) { outbox.newID().text }
    }

    func prepare(_ draft: EventDraft, _ stamp: EventStamp) throws(AnalyticsError) -> Prepared {
        let event = TrackedEvent(draft, stamp)
        let entries = try entries(for: event, at: stamp.time)
        if entries.isEmpty { return .unwanted(.leftOut) }
        return .wanted(TrackQueue.Item(id: event.id, category: event.category, entries: entries))
    }

    /// - Returns: whether there is consent to the event, so that it is in the queue.
    @discardableResult
    private func add(_ item: TrackQueue.Item) -> Bool {
        let added = queue.withLock { queue in
            // In the queue's critical section: otherwise an event could enter after a withdrawal
            // has emptied the queue.
            state.consent.allows(item.category) ? queue.add(item) : nil
        }
        guard let added else {
            finish(item, .success(.withoutConsent))
            return false
        }
        if let lost = added.crowdedOut { finish(lost, .failure(.crowdedOut)) }
        if added.begins { Task.detached { await self.write() } }
        return true
    }

    func finish(_ item: TrackQueue.Item, _ result: Result<Tracked, AnalyticsError>) {
        if case .success(let tracked) = result { counted(tracked) }
        if let waiter = item.waiter {
            waiter.fulfil(result)
            return
        }
        if case .failure(let error) = result { lose(error) }
    }

    @discardableResult
    func counted(_ tracked: Tracked) -> Tracked {
        count.withLock { $0.add(tracked) }
        return tracked
    }

    func countingErrors(
        _ body: () async throws(AnalyticsError) -> Tracked
    ) async throws(AnalyticsError) -> Tracked {
        do throws(AnalyticsError) {
            return try await body()
        } catch {
            count.withLock { $0.lost[error.code, default: 0] += 1 }
            throw error
        }
    }

    private func lose(_ error: AnalyticsError) {
        count.withLock { $0.lost[error.code, default: 0] += 1 }
        onIncident(Incident(.eventLost, message: error.message, cause: error))
    }
}
