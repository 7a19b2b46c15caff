public import WharfCore
public import WharfJSON
internal import WharfPrimitives

extension AnalyticsSink where Self == HTTPCollector {
    /// Segment, by its HTTP tracking API.
    ///
    /// ```swift
    /// .segment(writeKey: "…", transport: stack.client.transport)
    /// .segment(writeKey: "…", transport: transport, host: "events.eu1.segmentapis.com")     // Dublin
    /// ```
    ///
    /// See ``CollectorFormat/segment(integrations:)`` for the form of an event.
    ///
    /// - Parameters:
    ///   - writeKey: the source's key. It is sent by Basic authentication.
    ///   - transport: `client.transport` of a stack, for example.
    ///   - host: with a port if it has one.
    ///   - scheme: "http" for a test.
    ///   - integrations: turns Segment's destinations on and off, such as `["All": true]`.
    ///   - isCompressed: whether requests are sent with gzip, as Segment's library for iOS does.
    ///     Segment's documentation does not mention it.
    ///   - limits: a batch is sent at this count, at these bytes, or after this time.
    ///   - name: the sink's name in the outbox. It must not change between versions of an app.
    ///   - clock: the source of the time of sending, `sentAt`.
    public static func segment(
        writeKey: String, transport: any Transport, host: String = "api.segment.io", scheme: String = "https",
        integrations: [String: JSONValue] = [:], isCompressed: Bool = false,
        limits: BatchLimits = BatchLimits(entries: 50, bytes: 400_000, wait: .seconds(30)),
        name: String = "segment", clock: any WallClock = .system
    ) -> HTTPCollector {
        // The password is empty, but the colon is required.
        let credential = "Basic " + Base64.text(Array("\(writeKey):".utf8))
        var format = CollectorFormat.segment(integrations: integrations)
        format.isCompressed = isCompressed
        return HTTPCollector(
            name: name,
            endpoint: HTTPRequest(
                method: .post, scheme: scheme, authority: host, path: "/v1/batch",
                headerFields: [.authorization: credential]), transport: transport, format: format,
            configuration: .init(limits: limits, clock: clock))
    }

    /// PostHog, by its batch API.
    ///
    /// ```swift
    /// .postHog(apiKey: "phc_…", transport: stack.client.transport)
    /// .postHog(apiKey: "phc_…", transport: transport, host: "eu.i.posthog.com")
    /// ```
    ///
    /// See ``CollectorFormat/postHog(apiKey:anonymousProfiles:)`` for the form of an event.
    ///
    /// - Parameters:
    ///   - apiKey: the project's key.
    ///   - transport: `client.transport` of a stack, for example.
    ///   - host: with a port if it has one.
    ///   - scheme: "http" for a test.
    ///   - anonymousProfiles: whether PostHog makes a person of each anonymous id.
    ///   - isCompressed: whether requests are sent with gzip.
    ///   - limits: a batch is sent at this count, at these bytes, or after this time.
    ///   - name: the sink's name in the outbox. It must not change between versions of an app.
    ///   - clock: the source of the time of sending, `sent_at`.
    public static func postHog(
        apiKey: String, transport: any Transport, host: String = "us.i.posthog.com", scheme: String = "https",
        anonymousProfiles: Bool = false, isCompressed: Bool = true,
        limits: BatchLimits = BatchLimits(entries: 50, bytes: 2_000_000, wait: .seconds(30)),
        name: String = "posthog", clock: any WallClock = .system
    ) -> HTTPCollector {
        var format = CollectorFormat.postHog(apiKey: apiKey, anonymousProfiles: anonymousProfiles)
        format.isCompressed = isCompressed
        return HTTPCollector(
            name: name, endpoint: HTTPRequest(method: .post, scheme: scheme, authority: host, path: "/batch/"),
            transport: transport, format: format, configuration: .init(limits: limits, clock: clock))
    }
}
