import WharfCore
import WharfRandom
import WharfStorage

/// Random entries, requests and settlements over few names, so that they collide.
struct JournalSamples {
    static let accounts: [Account?] = [nil, Account("me")]
    static let destinations = ["a", "b", "c"]
    private static let kinds = ["edit", "event"]

    private var random: SeededGenerator
    private var last = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func number(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    mutating func bytes() -> [UInt8] { [UInt8](repeating: UInt8(number(256)), count: number(50)) }

    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(elements.count)] }

    // MARK: Commits

    mutating func commit(now: WallTime, known: inout [OutboxEntry.ID]) -> Commit {
        var commit = Commit()
        let deliveries = known.suffix(20).flatMap { id in Self.destinations.map { DeliveryID(id, to: $0) } }
        switch number(8) {
        case 0 where !deliveries.isEmpty: commit.retried = (0..<4).map { _ in pick(deliveries) }
        case 1 where !deliveries.isEmpty: commit.discarded = (0..<2).map { _ in pick(deliveries) }
        case 2 where !known.isEmpty:
            let key = number(2) == 0 ? nil : IdempotencyKey("key \(number(100))")
            commit.rewritten = [
                Rewrite(pick(known), payload: bytes(), key: key, base: number(2) == 0 ? nil : bytes())
            ]
        case 3:
            let reason = number(2) == 0 ? nil : "reason \(number(9))"
            commit.paused = [place(): OutboxPause(since: now, reason: reason)]
        case 4: commit.resumed = [place(), place(), place()]
        default:
            for _ in 0...number(3) { commit.enqueued.append(entry(now: now, known: &known)) }
            if number(10) == 0, let one = known.first { commit.enqueued[0].id = one }
        }
        return commit
    }

    private mutating func place() -> PausedDestination {
        PausedDestination(pick(Self.destinations), of: pick(Self.accounts))
    }

    mutating func entry(now: WallTime, known: inout [OutboxEntry.ID]) -> OutboxEntry {
        last += 1
        let id = OutboxEntry.ID("entry-\(1_000 + last)")
        var dependencies: Set<OutboxEntry.ID> = []
        if number(4) == 0, !known.isEmpty { dependencies.insert(pick(known.suffix(6))) }
        // An entry that comes later, or never.
        if number(30) == 0 { dependencies.insert(OutboxEntry.ID("entry-\(1_000 + last + number(3))")) }
        known.append(id)
        // A seed stands for a sequence of draws, so another order here gives it another journal.
        let account = pick(Self.accounts)
        var entry = OutboxEntry(
            id: id, lane: pick(["x", "y"]), kind: .init(pick(Self.kinds), version: number(3)), payload: bytes(),
            targets: [], enqueuedAt: now)
        entry.account = account
        entry.base = number(3) == 0 ? bytes() : nil
        if number(3) == 0 { entry.key = IdempotencyKey("own \(last)") }
        entry.deliveryClass = deliveryClass()
        entry.targets = targets()
        entry.dependencies = dependencies
        entry.enqueuedAt = now - .milliseconds(number(2_000))
        return entry
    }

    private mutating func deliveryClass() -> DeliveryClass {
        switch number(6) {
        case 0: .bounded(number(4))
        case 1: .expiring(after: .milliseconds(number(5_000)), latestWins: false)
        case 2: .expiring(after: .milliseconds(number(5_000)), latestWins: true)
        default: .durable
        }
    }

    private mutating func targets() -> [OutboxEntry.Target] {
        switch number(8) {
        case 0: .all("a", "b")
        case 1: .first(of: "a", "b", "c")
        case 2: [.init("c"), .init("a", .unlessDelivered(by: "c", within: .milliseconds(number(3_000))))]
        case 3:
            [.init("b", .afterFailure(of: "none")), .init("b"), .init("a", .unlessDelivered(by: "b", within: .zero))]
        case 4:
            [
                .init("a"), .init("b", .unlessDelivered(by: "a", within: .seconds(2))),
                .init("c", .afterFailure(of: "b")),
            ]
        case 5 where number(4) == 0: []
        default: [.init(pick(Self.destinations))]
        }
    }

    // MARK: Leases and settlements

    mutating func request(now: WallTime) -> LeaseRequest {
        var destinations: [LeaseRequest.DestinationFilter] = []
        for destination in Self.destinations where number(4) > 0 {
            var limits = BatchLimits(entries: 1)
            if number(3) == 0 {
                limits = BatchLimits(entries: 1 + number(4), bytes: 1 + number(100), wait: .milliseconds(number(3_000)))
            }
            let kinds = number(4) == 0 ? [pick(Self.kinds)] : Set(Self.kinds)
            destinations.append(LeaseRequest.DestinationFilter(destination, kinds: kinds, limits: limits))
        }
        var request = LeaseRequest(
            account: pick(Self.accounts), destinations: destinations, now: now,
            duration: .milliseconds(number(6_000)), lanes: 1 + number(6), entries: number(5))
        request.bytes = 1 + number(150)
        for _ in 0..<max(0, number(6) - 3) {
            let (account, destination) = (pick(Self.accounts), pick(Self.destinations))
            request.except.insert(Lease.Lane(account: account, name: pick(["x", "y"]), destination: destination))
        }
        return request
    }

    mutating func settlement(of delivery: PendingDelivery, under lease: Lease, now: WallTime) -> Settlement {
        let verdict: Settlement.Outcome =
            switch number(8) {
            case 0...2:
                .retry(
                    at: now + .milliseconds(number(4_000)), DeliveryFailure(.unavailable, message: "503", status: 503))
            case 3: .dead(DeliveryFailure(.rejected, message: "no"))
            case 4: .conflict(DeliveryFailure(.conflict, message: "both"), theirs: number(2) == 0 ? nil : bytes())
            default: .delivered
            }
        return Settlement(
            delivery.id, under: lease, verdict, attempts: delivery.attempts + number(2), attemptedAt: now)
    }
}
