internal import Synchronization
public import WharfCore

/// A transport that applies a ``FaultPlan`` to another transport's exchanges.
///
/// ```swift
/// configuration.transport = FaultyTransport(
///     PlatformTransport(), [.latency(.milliseconds(200)), .status(.serviceUnavailable).first(2)])
/// let stack = try await WharfStack.live(configuration)
/// ```
///
/// The client sees:
/// - `connectionFailed`, and the origin gets no request: ``Fault/refused``, ``Fault/down``
/// - `connectionLost`, from the body or in place of the head: a reset, a truncation, `down` in the
///   middle of an exchange
/// - no answer until the request's `timeout`, then `timedOut`: ``Fault/loss(_:_:)``
/// - a wrong answer: ``Fault/status(_:_:)``, ``Fault/garbage(bytes:_:)``,
///   ``Fault/corrupted(share:_:)``
/// - a late answer, or one in other pieces: all other faults
///
/// The message of such an error names the seed, and its `cause` is an ``InjectedFault``. Pauses are
/// made on the clock, so a test clock needs no real time. Requests for stored responses only pass
/// unchanged, because they do not use the network.
public final class FaultyTransport: Transport {
    /// The faults.
    public let plan: FaultPlan
    /// The seed of the random numbers.
    ///
    /// With the same plan and seed, another transport has the same faults.
    public let seed: UInt64
    private let base: any Transport
    private let timeline: Timeline
    private let wallClock: any WallClock
    private let onReport: FaultReportHandler
    private let engine: Mutex<FaultEngine>

    /// Creates a transport with faults.
    ///
    /// - Parameters:
    ///   - base: gets the requests that pass.
    ///   - plan: the faults to apply.
    ///   - seed: random by default; ``seed`` and each error's message show it.
    ///   - clock: measures pauses, and the plan's times from now on.
    ///   - wallClock: stamps answers that the plan makes.
    ///   - onReport: gets a report for each exchange that faults meet.
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
        // No network is involved, so the request is no exchange and takes no number.
        guard request.cache != .storedOnly else { return try await base.send(request) }
        let began = timeline.now()
        // Number and decision in one step: two requests at once must not get the same number.
        let exchange = engine.withLock { $0.begin(at: began) }
        guard !exchange.isFree else { return try await base.send(request) }
        onReport(.began(exchange))
        let limits = ExchangeLimits(exchange, timeline, timeout: request.timeout)
        return try await FaultyExchange(exchange, base, limits, wallClock).answer(to: request)
    }
}
