internal import Synchronization
public import WharfChecks
public import WharfCore
internal import WharfRandom
public import WharfStorage

/// The laws of a ``Journal`` that shares its transactions with entities.
///
/// The store may be in memory or on disk. Its entities keep ``EntityStoreLaws``.
///
/// ```swift
/// @Test(arguments: JournalLaws.all)
/// func mineKeeps(law: Law<JournalLaws.Subject>) async throws {
///     try await law.check(.init("MyStore") { MyStore(uptime: $0) })
/// }
/// ```
public enum JournalLaws {
    /// A kind of store, as a closure that makes one.
    public struct Subject: Sendable, CustomStringConvertible {
        public let description: String
        private let build: @Sendable (any UptimeClock) async throws -> any WriteStore
        let reopen: (@Sendable (any WriteStore, any UptimeClock) async throws -> any WriteStore)?
        let memory: Int?
        let join: (@Sendable (any WriteStore, any UptimeClock) async throws -> any WriteStore)?
        let kill: (@Sendable (any WriteStore) async throws -> Void)?

        /// Creates a kind of store.
        ///
        /// - Parameters:
        ///   - name: the name in the message of a violation.
        ///   - reopen: closes a store and opens the same data again; nil for a store that is not
        ///     durable.
        ///   - memory: the number of assigned ids, and of discarded entries, that the store
        ///     remembers for entries that come late; nil if it forgets none. The law about it makes
        ///     as many commits.
        ///   - join: opens the data of a store again as another process does, with another owner of
        ///     leases. nil for a store with one owner.
        ///   - kill: ends the owner of the store's leases as the death of its process does. The
        ///     laws do not use the store after that.
        ///   - make: makes an empty store whose leases expire by a clock. It is called at least
        ///     once per law.
        public init(
            _ name: String = "the store",
            reopen: (@Sendable (any WriteStore, any UptimeClock) async throws -> any WriteStore)? = nil,
            remembering memory: Int? = nil,
            join: (@Sendable (any WriteStore, any UptimeClock) async throws -> any WriteStore)? = nil,
            kill: (@Sendable (any WriteStore) async throws -> Void)? = nil,
            _ make: @escaping @Sendable (any UptimeClock) async throws -> any WriteStore
        ) {
            description = name
            self.reopen = reopen
            self.memory = memory
            self.join = join
            self.kill = kill
            build = make
        }

        /// Makes an empty store.
        ///
        /// - Parameter clock: the clock by which the leases of the store expire.
        func make(_ clock: LawUptime = LawUptime()) async throws -> any WriteStore { try await build(clock) }
    }

    /// All laws.
    public static let all: [Law<Subject>] =
        order + leases + owners + settlements + dependencies + owing + forgetting + sparing + classes + targets
        + decisions + pauses
        + late
        + due + reading + commits
        + random
}

// MARK: What the laws are written in

extension JournalLaws {
    static let start = WallTime(secondsSince1970: 1_000_000_000)
    static let me = Account("me")
    static let failure = DeliveryFailure(.unavailable, message: "the service is down", status: 503)

    /// Returns the time some seconds after ``start``.
    static func at(_ seconds: Int) -> WallTime { start + .seconds(seconds) }

    /// Returns a unique id for a name. The order of the ids is not that of the names.
    static func id(_ name: String) -> OutboxEntry.ID {
        var random = SeededGenerator(seed: XXH64.hash(Array(name.utf8)))
        return OutboxEntry.ID(at: start, using: &random)
    }

    /// Returns an entry whose payload is its name.
    static func entry(
        _ name: String, lane: String = "lane", of account: Account? = nil, kind: String = "note",
        _ deliveryClass: DeliveryClass = .durable, to targets: [OutboxEntry.Target] = .all("api"),
        after dependencies: String..., at seconds: Int = 0
    ) -> OutboxEntry {
        var entry = OutboxEntry(
            id: id(name), lane: lane, kind: .init(kind), payload: Array(name.utf8), targets: targets,
            enqueuedAt: at(seconds))
        entry.account = account
        entry.deliveryClass = deliveryClass
        entry.dependencies = Set(dependencies.map(id))
        return entry
    }

    static func filter(
        _ destination: String = "api", kinds: Set<String> = ["note"], limits: BatchLimits = BatchLimits(entries: 1)
    ) -> LeaseRequest.DestinationFilter {
        LeaseRequest.DestinationFilter(destination, kinds: kinds, limits: limits)
    }

    /// Returns a request for leases of 60 seconds.
    ///
    /// - Parameter seconds: the time of the wall clock.
    static func request(
        _ destinations: LeaseRequest.DestinationFilter..., of account: Account? = nil, at seconds: Int = 10,
        lanes: Int = 64,
        entries: Int = 64, bytes: Int = 1 << 20
    ) -> LeaseRequest {
        var request = LeaseRequest(
            account: account, destinations: destinations.isEmpty ? [filter()] : destinations, now: at(seconds),
            duration: .seconds(60),
            lanes: lanes, entries: entries)
        request.bytes = bytes
        return request
    }

    static func name(_ entry: OutboxEntry) -> String { String(decoding: entry.payload, as: UTF8.self) }
    static func names(_ lane: LeasedLane) -> [String] { lane.deliveries.map { name($0.entry) } }

    /// Ends the law unless `body` throws ``StoreError/Code/changed``.
    static func requireChanged(_ what: String, _ body: () async throws -> Void) async throws {
        let result = try await require(onlyThrowing: StoreError.self, where: { $0.code == .changed }, body)
        if case .success = result { try require(false, "\(what) was taken") }
    }
}

/// The clock of the stores in a law. It stands still until the law sets it.
final class LawUptime: UptimeClock {
    private let time = Mutex(Uptime(boot: "first", nanoseconds: 0))

    func now() -> Uptime { time.withLock { $0 } }

    /// Sets the time.
    ///
    /// - Parameter boot: another boot stands for a restarted machine.
    func set(_ seconds: Int, boot: String = "first") {
        time.withLock { $0 = Uptime(boot: boot, nanoseconds: Int64(seconds) * 1_000_000_000) }
    }
}

extension WriteStore {
    @discardableResult
    func enqueue(_ entries: OutboxEntry...) async throws -> CommitResult { try await commit(Commit(enqueued: entries)) }

    /// Leases the due lanes, and returns the names of the entries per lane.
    func leased(_ request: LeaseRequest = JournalLaws.request()) async throws -> [[String]] {
        try await lease(request).lanes.map(JournalLaws.names)
    }

    /// Leases the one lane that is due.
    func leaseOne(_ request: LeaseRequest = JournalLaws.request()) async throws -> LeasedLane {
        let lanes = try await lease(request).lanes
        try require(lanes.count == 1, "expected one lane to be due, found \(lanes.map(JournalLaws.names))")
        return lanes[0]
    }

    /// Settles the leased deliveries and releases the lane.
    ///
    /// The verdicts belong to the deliveries from the first on, one each.
    @discardableResult
    func settle(
        _ lane: LeasedLane, _ verdicts: Settlement.Outcome..., attempts: Int = 1, at seconds: Int = 10,
        isHeld: Bool = false
    ) async throws -> CommitResult {
        var commit = Commit()
        commit.settled = zip(lane.deliveries, verdicts).map { delivery, verdict in
            Settlement(
                delivery.id, under: lane.lease, verdict, attempts: attempts, attemptedAt: JournalLaws.at(seconds))
        }
        if !isHeld { commit.released = [lane.lease] }
        return try await self.commit(commit)
    }

    func release(_ lanes: LeasedLane...) async throws {
        var commit = Commit()
        commit.released = lanes.map(\.lease)
        try await self.commit(commit)
    }

    func discard(_ name: String, to destination: String = "api") async throws {
        var commit = Commit()
        commit.discarded = [DeliveryID(JournalLaws.id(name), to: destination)]
        try await self.commit(commit)
    }

    func retry(_ name: String, to destination: String = "api") async throws {
        var commit = Commit()
        commit.retried = [DeliveryID(JournalLaws.id(name), to: destination)]
        try await self.commit(commit)
    }

    func state(_ name: String, at destination: String = "api") async throws -> OutboxRecord.State? {
        try await record(of: JournalLaws.id(name))?.states[destination]
    }

    func isHere(_ name: String) async throws -> Bool { try await record(of: JournalLaws.id(name)) != nil }
}
