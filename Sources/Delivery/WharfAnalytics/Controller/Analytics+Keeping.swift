internal import Synchronization
internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

extension Analytics {
    enum PreparedEvent {
        case wanted(TrackQueue.Item)
        case unwanted(TrackingResult)
    }

    /// Keeps the event of a call, under the present identity.
    func keep(
        _ category: Consent.Category, _ draft: () throws(AnalyticsError) -> EventDraft
    ) async throws(AnalyticsError) -> TrackingResult {
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
    func keep(_ item: TrackQueue.Item, added: () -> Void = {}) async throws(AnalyticsError) -> TrackingResult {
        let promise = Promise<Result<TrackingResult, AnalyticsError>>()
        var item = item
        item.waiter = promise
        if add(item) { added() }
        return try await promise.wait().get()
    }

    private func prepare(
        _ category: Consent.Category, _ draft: () throws(AnalyticsError) -> EventDraft
    ) throws(AnalyticsError) -> PreparedEvent {
        // Without consent the event is not even encoded. Consent is checked again when the event
        // enters the queue.
        guard state.consent.allows(category) else { return .unwanted(.withoutConsent) }
        let draft = try draft()
        return try prepare(draft, stamp())
    }

    func stamp() -> EventStamp {
        identity.stamp(outbox.newID().text, at: clock.now()) { outbox.newID().text }
    }

    func prepare(_ draft: EventDraft, _ stamp: EventStamp) throws(AnalyticsError) -> PreparedEvent {
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
        // Outside of the lock: the incident handler is the app's, and may post an event.
        if let lost = added.crowdedOut { finish(lost, .failure(.crowdedOut)) }
        // Detached: the commit carries events of other callers, which this caller's cancellation
        // must not lose.
        if added.begins { Task.detached { await self.write() } }
        return true
    }

    func finish(_ item: TrackQueue.Item, _ result: Result<TrackingResult, AnalyticsError>) {
        if case .success(let tracked) = result { counted(tracked) }
        if let waiter = item.waiter {
            // The waiting caller gets the error, and counts it in `countingErrors`. Counted here
            // too, it would count twice.
            waiter.fulfil(result)
            return
        }
        if case .failure(let error) = result { lose(error) }
    }

    @discardableResult
    func counted(_ tracked: TrackingResult) -> TrackingResult {
        count.withLock { $0.add(tracked) }
        return tracked
    }

    func countingErrors(
        _ body: () async throws(AnalyticsError) -> TrackingResult
    ) async throws(AnalyticsError) -> TrackingResult {
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
