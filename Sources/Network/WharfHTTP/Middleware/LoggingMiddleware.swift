public import Logging
public import WharfCore

/// A middleware that logs one line per exchange.
///
/// The line has method, URL, status, source and the time until the head arrived. It holds no
/// secrets:
///
/// - Fields and bodies are never logged.
/// - User info is removed from the URL, and so are the query's values, unless their names are
///   allowed.
/// - Only the code of an error is logged, because its message may quote the request.
public struct LoggingMiddleware: Middleware {
    private let logger: Logger
    private let clock: any Clock<Duration>
    private let shownQueryNames: Set<String>
    private let level: Logger.Level
    private let failureLevel: Logger.Level

    /// Creates the middleware.
    ///
    /// - Parameters:
    ///   - level: the level of successful exchanges.
    ///   - failureLevel: the level of failures, and of stored responses that replace one.
    ///   - shownQueryNames: query names whose values hold no secrets, such as `page`.
    ///   - clock: measures the time until the head.
    public init(
        logger: Logger, level: Logger.Level = .info, failureLevel: Logger.Level = .warning,
        showing shownQueryNames: Set<String> = [], clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.logger = logger
        self.level = level
        self.failureLevel = failureLevel
        self.shownQueryNames = shownQueryNames
        self.clock = clock
    }

    public func send(
        _ request: TransportRequest, next: any Transport
    ) async throws(TransportError) -> TransportResponse {
        let elapsed = clock.stopwatch()
        do {
            let response = try await next.send(request)
            log(request, elapsed(), response.provenance.failure) { metadata in
                metadata["status"] = "\(response.head.status.code)"
                metadata["source"] = "\(response.provenance.source)"
            }
            return response
        } catch {
            log(request, elapsed(), error)
            throw error
        }
    }

    private func log(
        _ request: TransportRequest, _ duration: Duration, _ failure: TransportError?,
        adding add: (inout Logger.Metadata) -> Void = { _ in }
    ) {
        var metadata: Logger.Metadata = ["milliseconds": "\(duration.saturatedNanoseconds / 1_000_000)"]
        metadata["error"] = failure.map { "\($0.code)" }
        add(&metadata)
        // A cancellation or an empty cache is no fault of the network.
        let hasFailed = failure != nil && failure?.code != .cancelled && failure?.code != .nothingKept
        logger.log(
            level: hasFailed ? failureLevel : level, "\(request.head.redacted(showing: shownQueryNames))",
            metadata: metadata
        )
    }
}
