internal import Synchronization
public import WharfCore

/// A transport on a bad network: it does to what passes what a ``FaultPlan`` says.
///
/// ```swift
/// let transport = FaultyTransport(PlatformTransport(), [.latency(.milliseconds(200)), .status(.serviceUnavailable).first(2)])
/// let stack = try await WharfStack.live(.init(baseURL: baseURL, transport: transport))
/// ```
///
/// What the client sees:
/// - `connectionFailed`, and the origin is not asked: ``Fault/refused``, ``Fault/down``
/// - `connectionLost`, from the body or in place of the head: a reset, a truncation, `down` in the
///   middle of an exchange
/// - nothing until the request's `timeout`, then `timedOut`: ``Fault/loss(_:_:)``
/// - an answer that is wrong: ``Fault/status(_:_:)``, ``Fault/garbage(bytes:_:)``,
///   ``Fault/corrupted(share:_:)``
/// - an answer that is late, or comes in other pieces: the others
///
/// The message of such an error names the seed, and its `cause` is an ``InjectedFault``. Pauses are
/// made on the clock, so a test clock needs no sleep. Requests that ask for what is stored only
/// pass untouched, for they touch no network.
public final class FaultyTransport: Transport {
    public let plan: FaultPlan
    /// What happens follows from it and the plan: give it to another transport to see the same
    /// again.
    public let seed: UInt64
    private let base: any Transport
    private let timeline: Timeline
    private let wallClock: any WallClock
    private let onReport: FaultReportHandler
    private let engine: Mutex<FaultEngine>

    /// - Parameters:
    ///   - base: gets the requests that get through.
    ///   - seed: any, unless it is given; ``seed`` and each error's message tell it.
    ///   - clock: measures pauses, and times in the plan from now on.
    ///   - wallClock: stamps answers that the plan makes up.
    ///   - onReport: hears of each exchange that faults meet.
    public init(
        _ base: any Transport, _ plan: FaultPlan, seed: UInt64 = .random(in: 0...UInt64(UInt32.max)),
        clock: any Clock<Duration> = ContinuousClock(), wallClock: any WallClock = .system,
        onReport: @escaping FaultReportHandler = { _ in }
    ) {
        self.plan = plan
        self.seed = seed
        self.base = base
        self.timeline = Timeline(clock)
        self.wallClock = wallClock
        self.onReport = onReport
        self.engine = Mutex(FaultEngine(plan, seed: seed))
    }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard request.cache != .storedOnly else { return try await base.send(request) }
        let began = timeline.now()
        let exchange = engine.withLock { $0.begin(at: began) }
        guard !exchange.isFree else { return try await base.send(request) }
        onReport(.began(exchange))
        let limits = ExchangeLimits(exchange, timeline, timeout: request.timeout)
        return try await FaultyExchange(exchange, base, limits, wallClock).answer(to: request)
    }
}
