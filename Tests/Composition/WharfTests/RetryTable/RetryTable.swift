import Wharf

/// The retry rules of Segment, of Apprise and of Wharf, row by row.
///
/// These sources were read:
///
/// - `segmentio/analytics-swift` at c9a0d63: `HttpConfig.swift` and `RetryStateMachine.swift` in
///   `Sources/Segment/Utilities/Retry`, `Sources/Segment/Utilities/Networking/HTTPClient.swift`,
///   `Sources/Segment/Plugins/SegmentDestination.swift`. Its tests: `RetryStateMachine_Tests.swift`
///   and `RetryAfterGenericTests.swift` in `Tests/Segment-Tests/Retry_Tests`.
/// - `segmentio/analytics-kotlin` at a14649b: `retry/RetryConfig.kt`, `retry/RetryStateMachine.kt`
///   and `platform/EventPipeline.kt` in `core/src/main/java/com/segment/analytics/kotlin/core`. Its
///   tests: `RetryStateMachineTest.kt` and `RetryIntegrationTest.kt`.
/// - `caronc/apprise` at cf17bc9: `apprise/plugins/custom_json.py`, `apprise/apprise.py` and
///   `apprise/url.py`. Its tests: `tests/test_plugin_custom_json.py`, `tests/helpers/rest.py`,
///   `tests/test_plugin_discord.py` and `tests/test_retry_wait.py`.
///
/// The column of Segment is `analytics-swift` with rate limits and backoff, as its service enables
/// them. Without that configuration it drops a batch only after a 400, and sends every other batch
/// again with the next flush, for ever. `analytics-kotlin` has the same table of statuses with
/// three differences. It ignores `Retry-After` except with a 429. A failure without an answer waits
/// like a 500. Without the configuration it drops a batch after every 4xx except 429.
///
/// The column of Apprise is its plugin `json://`, which accepts any 2xx. Other plugins are
/// narrower: Slack's accepts 200 alone. Its tests know one kind of failure. The tables of nearly
/// all plugins try the statuses 500 and 999, and five exceptions of `requests`. The result of each
/// is `False`. Five plugins retry a 429 by themselves (Discord, Fluxer, Matrix, Revolt, SparkPost).
/// One difference holds for each row and is explained here only: Apprise reports a failure to the
/// caller and keeps nothing. Wharf keeps the message in its outbox, since the caller may be gone
/// when the service is back.
///
/// The collector has one event in its batch. It sends larger batches again in halves after 400, 413
/// and 422, until it finds the refused event. Segment drops the whole batch.
enum RetryTable {
    static let rows = [interim, successes, refusals, limits, serverErrors, transport].flatMap(\.self)

    /// 20 seconds after the time of the test's clock.
    private static let date = "Sun, 09 Sep 2001 01:47:00 GMT"

    private static let endpoint =
        "The endpoint, the method or the key is wrong, and not the event: the collector keeps it for a version of the "
        + "app that has the right one."
    private static let cap =
        "The outbox grants a pause of a day (longestRetryAfter), as a request before the time that the service names is "
        + "refused again; Segment grants 300 s."
    private static let noTime =
        "The field names no time, so the outbox waits for its own pause of 15 s and a backoff up to 300 s; Segment waits "
        + "for 300 s."
    private static let dateNotRead = "The field may be a date (RFC 9110 §10.2.3), which Segment does not read."

    /// Rows in which all conformers give the same verdict.
    private static func all(
        _ statuses: [Int], _ retryAfter: String? = nil, segment: RetryRow.Segment, _ verdict: String,
        _ reason: String = ""
    ) -> [RetryRow] {
        statuses.map { status in
            RetryRow(
                .answer(status, retryAfter.map { ["Retry-After": $0] } ?? [:]), segment: segment,
                destination: verdict, collector: verdict, gateway: verdict, reason)
        }
    }

    /// Rows in which a request is given up, but an event is kept.
    private static func eventsAreKept(
        _ statuses: [Int], segment: RetryRow.Segment = .dropped, _ reason: String = endpoint
    ) -> [RetryRow] {
        statuses.map { status in
            RetryRow(
                .answer(status, [:]), segment: segment, destination: "rejected", collector: "retry",
                gateway: "rejected", reason)
        }
    }

    private static let interim = eventsAreKept(
        [100], segment: .delivered,
        "An interim answer (RFC 9110 §15.2) does not say that the request was served, as Segment's 1..<300 takes it; no "
            + "transport of Wharf hands one on.")

    private static let successes = [200, 201, 202, 204, 206].map { status in
        RetryRow(
            .answer(status, [:]), segment: .delivered, apprise: .sent, destination: "delivered",
            collector: "delivered", gateway: "delivered")
    }

    /// 4xx, and the redirections that the transport does not follow: without a location, or to an
    /// unsafe one.
    private static let refusals: [RetryRow] = [
        eventsAreKept([300, 301, 302, 303, 304, 307, 308]),
        eventsAreKept([403, 404, 405, 411, 426, 431, 451]),
        all([400, 413, 422], segment: .dropped, "rejected"),
        all([400], "60", segment: .dropped, "rejected"),
        all([408], segment: .backoff, "retry"),
        all([408], "10", segment: .pause(10), "retry 10"),
        all(
            [409], segment: .dropped, "retry",
            "A request with the same Idempotency-Key is in progress (draft-ietf-httpapi-idempotency-key-header-07 "
                + "§2.6), and Segment sends no such key; after eight attempts a 409 is a conflict."),
        eventsAreKept(
            [410], segment: .backoff,
            "The resource is gone and likely stays so (RFC 9110 §15.5.11): an edit of it can't ever succeed, while a "
                + "collector's endpoint can come back, as Segment assumes."),
        eventsAreKept(
            [421],
            "Another connection may do (RFC 9110 §15.5.20), but an outbox can't choose one, so only the collector, "
                + "whose events are not at fault, sends again."),
        eventsAreKept(
            [423],
            "A lock (RFC 4918 §11.3) names no end and waits for a person, so an edit is set aside; nothing locks an "
                + "event, so the collector sends it again."),
        all(
            [425], segment: .dropped, "retry",
            "The server wants the same request after the TLS handshake, not in early data (RFC 8470 §5.2)."),
        eventsAreKept(
            [460], segment: .backoff,
            "Amazon's load balancer records so that a client has left, and a client that has left reads no answer; "
                + "from any other server it is an unknown 4xx, which counts as 400 (RFC 9110 §15)."),
        needsCredential,
    ].flatMap(\.self)

    private static let needsCredential: [RetryRow] = [
        RetryRow(
            .answer(401, [:]), segment: .dropped, destination: "needs authentication", collector: "retry",
            gateway: "rejected",
            "A sign-in makes the same request valid (RFC 9110 §15.5.2), so a destination holds it; a key in the app has "
                + "no sign-in, so a collector keeps the event, and a gateway rejects the message at once."),
        RetryRow(
            .answer(403, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "7"]), segment: .dropped,
            destination: "rate limited 7", collector: "retry 7", gateway: "rate limited 7",
            "GitHub answers so in the place of 429, and names the time at which it takes the same request."),
        RetryRow(
            .answer(407, [:]), segment: .dropped, destination: "needs authentication", collector: "retry",
            gateway: "rejected",
            "A proxy wants a credential (RFC 9110 §15.5.8), and the receiver has not seen the request: Wharf treats it "
                + "as a 401."),
        RetryRow(
            .answer(412, [:]), segment: .dropped, destination: "conflict", collector: "retry", gateway: "rejected",
            "Two clients have changed the same model, which the app can merge; events and messages have no "
                + "precondition, so there a 412 is about the endpoint."),
        RetryRow(
            .answer(413, ["Retry-After": "7"]), segment: .dropped, destination: "retry 7", collector: "rejected",
            gateway: "retry 7",
            "By the field a server says that the condition is temporary (RFC 9110 §15.5.14); a collector sends halves, "
                + "which are smaller, and needs no pause for that."),
    ]

    /// 429.
    private static let limits: [RetryRow] = [
        all([429], segment: .pause(300), "rate limited", noTime),
        all([429], "45", segment: .pause(45), "rate limited 45"),
        all([429], "0", segment: .pause(0), "rate limited 0"),
        all([429], date, segment: .pause(300), "rate limited 20", dateNotRead),
        all([429], "99999", segment: .pause(300), "rate limited 99999", cap),
        all([429], "99999999999999999999", segment: .pause(300), "rate limited 1099511627776", cap),
        all([429], "-5", segment: .pause(0), "rate limited", noTime),
        all([429], "soon", segment: .pause(300), "rate limited", noTime),
    ].flatMap(\.self)

    /// 5xx, and statuses of no class: Segment's tests have 666, Apprise's 999.
    private static let serverErrors: [RetryRow] = [
        all([500, 502, 503, 504, 508, 529, 599], segment: .backoff, "retry"),
        all([500, 503, 529], "30", segment: .pause(30), "retry 30"),
        all([503], date, segment: .backoff, "retry 20", dateNotRead),
        all([503], "99999", segment: .pause(300), "retry 99999", cap),
        eventsAreKept([501, 505]),
        all(
            [511], segment: .backoff, "offline",
            "A captive portal answers so (RFC 6585 §6) and the receiver has seen nothing: the attempt does not count."),
        all(
            [666, 999], segment: .dropped, "retry",
            "A client processes a status outside of 100 to 599 as a 5xx (RFC 9110 §15)."),
    ].flatMap(\.self)

    /// Failures without an answer, or with a part of one.
    private static let transport: [RetryRow] = [
        [
            failure(
                .brokenOff(200), "delivered",
                "The head has said that the request was served, and a second request would only serve it twice."),
            failure(.brokenOff(500), "retry"),
        ],
        [TransportError.Code.timedOut, .connectionLost, .invalidResponse].map { failure(.failure($0), "retry") },
        [TransportError.Code.connectionFailed, .hostNotFound, .offline, .tlsFailed, .pinningFailed].map {
            failure(.failure($0), "offline")
        },
    ].flatMap(\.self)

    private static func failure(_ condition: RetryRow.Condition, _ verdict: String, _ reason: String = "") -> RetryRow {
        RetryRow(
            condition, segment: .nextFlush, destination: verdict, collector: verdict, gateway: verdict, reason)
    }
}
