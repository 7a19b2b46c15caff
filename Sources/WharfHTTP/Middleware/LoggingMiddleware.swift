public import Logging
public import WharfCore

/// Writes one line for each exchange: method, URL, status, source and the time until the head came.
///
/// It knows no secret: no field and no body is ever written, user info is left out of the URL, and
/// so are the values of the query unless their names are allowed. Of an error only the code is
/// written, as messages may quote the request.
public struct LoggingMiddleware: Middleware {
    private let logger: Logger
    private let clock: any Clock<Duration>
    private let shownQueryNames: Set<String>
    private let level: Logger.Level
    private let failureLevel: Logger.Level

    /// - Parameters:
    ///   - level: of what went well.
    ///   - failureLevel: of a failure, and of a kept answer in place of one.
    ///   - shownQueryNames: names in a query whose values hold no secrets: `page`, for one.
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
        let hasFailed = failure != nil && failure?.code != .cancelled && failure?.code != .nothingKept
        logger.log(
            level: hasFailed ? failureLevel : level, "\(request.head.redacted(showing: shownQueryNames))",
            metadata: metadata
        )
    }
}
