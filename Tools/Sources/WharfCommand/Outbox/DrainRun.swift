import Wharf
import WharfSQLite
import WharfStorage

/// One `wharf outbox drain`.
struct DrainRun {
    let outbox: OpenOutbox
    let filter: DeliveryFilter
    /// The time limit; nil to run as long as deliveries are due.
    let limit: Duration?
    /// Whether refused deliveries become dead letters.
    let setsAside: Bool
    let isJSON: Bool

    /// The minimum delay before a refused delivery is sent again.
    private static let refusalPause = Duration.seconds(60)

    func run() async throws -> ProcessStatus {
        let accounts = try await outbox.accounts(filter)
        var total = 0
        for account in accounts { total += try await open(of: account).map(\.count).reduce(0, +) }
        let tally = DrainTally(total: total, outbox.surroundings)
        var result = DrainResult()
        var lacking: Set<DeliveryID> = []
        let deadline = limit.map { outbox.surroundings.ticks() + $0 }
        let network = Network(clock: outbox.surroundings.clock)
        do {
            for account in accounts {
                let rest = deadline.map { $0 - outbox.surroundings.ticks() }
                guard rest.map({ $0 > .zero }) ?? true, !Task.isCancelled else {
                    result.isComplete = false
                    break
                }
                try await drain(account, within: rest, by: network, tally, &result, &lacking)
            }
        } catch {
            await network.close()
            tally.end()
            throw error
        }
        await network.close()
        tally.end()
        if Task.isCancelled {
            outbox.say(
                "cancelled after \(Plain.deliveries(tally.delivered)); requests in flight are sent again, "
                    + "with the same key"
            )
            return .cancelled
        }
        for account in accounts {
            result.add(try await outbox.store.counts(of: account), filter)
            if try await !pending(of: account).isEmpty { result.needApp += try await needApp(account, lacking) }
        }
        result.refused = tally.refused
        result.paused = try await outbox.pauses(filter)
        try outbox.write(isJSON ? result.json.line : Array((result.text + "\n").utf8))
        for pause in result.paused { outbox.say("skipped: \(pause.sentence)") }
        return result.status
    }

    private func pending(of account: Account?) async throws(StoreError) -> [(destination: String, count: Int)] {
        try await outbox.store.counts(of: account).pending.compactMap { route, count in
            guard route.kind == filter.kind, filter.takes(destination: route.destination) else { return nil }
            return (route.destination, count)
        }
    }

    /// Returns the numbers of deliveries to destinations that are not paused.
    private func open(of account: Account?) async throws(StoreError) -> [(destination: String, count: Int)] {
        let paused = try await outbox.store.counts(of: account).paused
        return try await pending(of: account).filter { paused[$0.destination] == nil }
    }

    private func drain(
        _ account: Account?, within limit: Duration?, by network: Network, _ tally: DrainTally,
        _ result: inout DrainResult, _ lacking: inout Set<DeliveryID>
    ) async throws {
        let names = try await open(of: account).map(\.destination)
        guard !names.isEmpty else { return }
        let store = SelfContainedStore(outbox.store)
        let engine = engine(account, names, store, network, tally)
        // An unstructured task is not cancelled: deliveries that arrived must be settled, and
        // leases released.
        let draining = Task { try await engine.drain(within: limit) }
        let outcome = await withTaskCancellationHandler {
            await draining.result
        } onCancel: {
            Task { await engine.close() }
        }
        await Task { await engine.close() }.value
        lacking.formUnion(store.lackingIDs)
        do {
            result.add(try outcome.get())
        } catch let error as StoreError where error.code == .closed && Task.isCancelled {
            return
        }
    }

    private func engine(
        _ account: Account?, _ names: [String], _ store: SelfContainedStore, _ network: Network, _ tally: DrainTally
    ) -> OutboxEngine {
        let surroundings = outbox.surroundings
        let client = APIClient(environment: .absoluteURLs, transport: RedirectingTransport(network))
        var configuration = OutboxEngine.Configuration(clock: surroundings.clock)
        // No limits: only the app gives up on a delivery.
        configuration.retry = OutboxRetry(attempts: nil, time: nil, attemptsInProgress: .max)
        configuration.classify = { [setsAside] pending, delivery in
            // A delivery that failed only because of the cancellation is not counted.
            if !Task.isCancelled || delivery.verdict == .delivered {
                tally.count(delivery, to: pending.destination)
            }
            return Self.judged(delivery, setsAside: setsAside)
        }
        // Less than the grace period after Ctrl-C.
        configuration.patience = .seconds(4)
        configuration.onIncident = { [outbox] in outbox.say("wharf: \($0.message)") }
        return OutboxEngine(
            store: store, account: account,
            destinations: names.map { HTTPDestination($0, client, clock: surroundings.clock) },
            configuration: configuration)
    }

    /// Turns most refusals into retries, because only the app can judge them.
    ///
    /// It has credentials, merges conflicts, and may know the answer. A refusal signs no account
    /// out, as the request had no credentials.
    static func judged(_ delivery: Delivery, setsAside: Bool) -> Delivery {
        switch delivery.verdict {
        // A 409, which the app may know as a conflict.
        case .retry(let failure, _) where failure.code == .inProgress:
            if setsAside {
                let conflict = DeliveryFailure(.conflict, message: failure.message, status: failure.status)
                return Delivery(.conflict(conflict))
            }
        case .delivered, .retry, .rateLimited, .offline: return delivery
        case .conflict, .rejected: if setsAside { return delivery }
        case .needsAuthentication: break
        }
        var judged = delivery
        if let failure = delivery.verdict.failure {
            judged.verdict = .retry(
                DeliveryFailure(
                    failure.code, message: failure.message + " (attempted by wharf outbox drain, without the app)",
                    status: failure.status), after: refusalPause)
        }
        return judged
    }

    /// Returns the number of selected requests that `drain` leaves. Requests that wait behind them
    /// do not count.
    private func needApp(_ account: Account?, _ lacking: Set<DeliveryID>) async throws -> Int {
        var count = 0
        try await outbox.records(of: account, kind: filter.kind) { page in
            for record in page {
                let meant = try await outbox.deliveries(of: record).filter {
                    filter.takes($0.entry, to: $0.destination)
                }
                count += meant.count { $0.needsApp || lacking.contains($0.id) }
            }
            return true
        }
        return count
    }
}
