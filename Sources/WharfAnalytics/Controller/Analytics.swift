internal import Synchronization
public import WharfCore
internal import WharfPrimitives

/// Takes events and sees to it that they are in the outbox, from where they go to any number of sinks.
///
/// ```swift
/// let consent = ConsentState(Consent(.statistics))          // as the app has kept it
/// let collector = AnalyticsDestination(
///     HTTPCollector(endpoint: endpoint, transport: transport), consent: consent)
/// let analytics = Analytics(outbox: outbox, destinations: [collector], consent: consent)     // the outbox has them too
///
/// try await analytics.track(FilmOpened(film: 7, from: "search"))     // in the outbox
/// analytics.post(FilmOpened(film: 8, from: "start"))                 // for who can't wait
/// ```
///
/// Events arrive at each sink in the order in which they were tracked and posted. What is lost on the way is bounded and counted:
/// see ``counts()``.
public final class Analytics: Sendable {
    let outbox: any Outbox
    let destinations: [AnalyticsDestination]
    let stages: [any EventStage]
    let state: ConsentState
    /// An event of another account would never be sent.
    var account: Account? { outbox.account }
    let deliveryClass: DeliveryClass
    /// For each sink.
    let deadLimit: Int
    let queue: Mutex<TrackQueue>
    let count = Mutex(AnalyticsCounts())
    let clock: any WallClock
    let onIncident: IncidentHandler

    /// - Parameters:
    ///   - destinations: those that the outbox has been given.
    ///   - stages: for all sinks, in this order.
    ///   - limit: at most so many events wait for a sink; then the oldest are dropped for newer ones.
    ///   - posted: at most so many posted events wait for the disk; the same then.
    ///   - deadLetters: so many that a sink has refused are kept, of each sink; once there are a sixteenth more, the oldest
    ///     are discarded. It is looked at when an event is kept: what is refused meanwhile, `limit` at most, comes on top
    ///     until then.
    ///   - onIncident: told of each event that was posted and is lost, and of dead letters that could not be discarded.
    public init(
        outbox: any Outbox, destinations: [AnalyticsDestination], consent: ConsentState,
        stages: [any EventStage] = [], limit: Int = 10_000, posted: Int = 1_000,
        deadLetters: Int = 1_000, clock: any WallClock = .system, onIncident: @escaping IncidentHandler = { _ in }
    ) {
        self.outbox = outbox
        self.destinations = destinations
        self.state = consent
        self.stages = stages
        self.deliveryClass = .bounded(limit)
        self.deadLimit = max(0, deadLetters)
        self.queue = Mutex(TrackQueue(limit: posted))
        self.clock = clock
        self.onIncident = onIncident
    }

    /// Returns when the event is in the outbox, or was not to be kept. A cancelled task takes nothing back.
    ///
    /// - Throws: ``AnalyticsError/Code/notEncodable``, ``AnalyticsError/Code/storeFailed``.
    @discardableResult
    public func track(_ event: some AnalyticsEvent) async throws(AnalyticsError) -> Tracked {
        do throws(AnalyticsError) {
            switch try prepare(event) {
            case .wanted(let item):
                let promise = Promise<Result<Tracked, AnalyticsError>>()
                var item = item
                item.waiter = promise
                add(item)
                return try await promise.wait().get()
            case .unwanted(let tracked): return counted(tracked)
            }
        } catch {
            count.withLock { $0.lost[error.code, default: 0] += 1 }
            throw error
        }
    }

    /// The same for who can't wait or catch: an event that is not kept is told as an incident, and counted.
    public func post(_ event: some AnalyticsEvent) {
        do throws(AnalyticsError) {
            switch try prepare(event) {
            case .wanted(let item): add(item)
            case .unwanted(let tracked): counted(tracked)
            }
        } catch {
            lose(error)
        }
    }

    private enum Prepared {
        case wanted(TrackQueue.Item)
        case unwanted(Tracked)
    }

    private func prepare(_ event: some AnalyticsEvent) throws(AnalyticsError) -> Prepared {
        // Without consent nobody looks at it any further. It is asked again when the event goes into the queue.
        guard state.consent.allows(event.category) else { return .unwanted(.withoutConsent) }
        let now = clock.now()
        let tracked = try TrackedEvent(event, id: outbox.newID().text, time: now)
        let entries = try entries(for: tracked, at: now)
        if entries.isEmpty { return .unwanted(.leftOut) }
        return .wanted(TrackQueue.Item(id: tracked.id, category: tracked.category, entries: entries))
    }

    private func add(_ item: TrackQueue.Item) {
        let added = queue.withLock { queue in
            // In one step with the queue: a withdrawal takes out what is there, and nothing comes behind it.
            state.consent.allows(item.category) ? queue.add(item) : nil
        }
        guard let added else { return finish(item, .success(.withoutConsent)) }
        if let lost = added.crowdedOut { finish(lost, .failure(.crowdedOut)) }
        if added.begins { Task.detached { await self.write() } }
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
    private func counted(_ tracked: Tracked) -> Tracked {
        count.withLock { $0.add(tracked) }
        return tracked
    }

    private func lose(_ error: AnalyticsError) {
        count.withLock { $0.lost[error.code, default: 0] += 1 }
        onIncident(Incident(.eventLost, message: error.message, cause: error))
    }
}
