public import WharfCore
internal import WharfJSON

extension GatewayChannel {
    /// Returns a channel that sends to a Slack workspace by a bot.
    ///
    /// ```swift
    /// let slack = try GatewayChannel.slack(botToken: "xoxb-…", transport: transport)
    /// ```
    ///
    /// As documented by Slack, it sends `POST https://slack.com/api/chat.postMessage` with
    /// `channel` and `text`. The bot needs the scope `chat:write`. Addresses are ids of channels or
    /// users, such as `C0123456789`. The text is shown literally, without formatting and mentions.
    ///
    /// Slack reports most errors by the status 200 with `"ok": false`:
    /// - `ratelimited` is a rate limit.
    /// - A temporary error, such as `internal_error`, is retried.
    /// - Any other error, such as `channel_not_found`, rejects the message. The failure names it.
    ///
    /// Slack does not support `Idempotency-Key`: a message whose answer was lost may arrive twice.
    ///
    /// - Parameter limits: the limits; by default Slack's recommendation of at most 4,000
    ///   characters, and its one message a second.
    /// - Throws: ``MessagingError/Code/invalidTemplate`` for a malformed token.
    public static func slack(
        _ name: String = "slack", botToken: String,
        limits: ChannelLimits = ChannelLimits(
            title: TextLimit.none, body: TextLimit(4_000, .utf16), rate: RateLimit(1, per: .seconds(1))),
        transport: any Transport, timeout: Duration? = .seconds(30), clock: any WallClock = .system
    ) throws(MessagingError) -> GatewayChannel {
        guard botToken.hasPrefix("xox"), botToken.utf8.allSatisfy({ EmailAddress.isAlphanumeric($0) || $0 == 0x2D })
        else {
            throw MessagingError(
                .invalidTemplate,
                message: "the token of the Slack app is malformed; give its bot token, such as xoxb-…")
        }
        let template = try GatewayTemplate(
            .post, "https://slack.com/api/chat.postMessage",
            fields: [.authorization: "Bearer \(botToken)", .contentType: "application/json; charset=utf-8"],
            body: .json(#"{"channel": "{{address}}", "text": "{{body|entities}}", "mrkdwn": false}"#))
        return GatewayChannel(
            name, template, limits: limits, transport: transport,
            configuration: .init(
                timeout: timeout, clock: clock, classify: { _, head, body in Self.slackVerdict(head, body) }))
    }

    private static let passingSlackErrors: Set<String> = [
        "internal_error", "fatal_error", "request_timeout", "service_unavailable",
    ]
    private static let slackRateLimits: Set<String> = ["ratelimited", "rate_limited", "message_limit_exceeded"]

    private static func slackVerdict(_ head: HTTPResponse, _ body: [UInt8]) -> Delivery.Verdict? {
        // Other statuses are interpreted as in HTTP, with their Retry-After.
        guard head.status.code == 200 else { return nil }
        guard let answer = VendorAnswer(body), let isDone = answer.flag("ok") else {
            return .retry(
                DeliveryFailure(
                    .noAnswer, message: "the answer of Slack is not its JSON; the message is sent again", status: 200))
        }
        if isDone { return .delivered }
        let error = answer.name("error") ?? "it named no error"
        if slackRateLimits.contains(error) {
            return .rateLimited(
                DeliveryFailure(
                    .rateLimited, message: "Slack limits the rate: \(error); the message is sent after a pause",
                    status: 200))
        }
        // Slack answers 200 to refusals too. An unknown error counts as permanent, so that no
        // message is repeated for ever.
        let isPassing = passingSlackErrors.contains(error)
        let remedy = isPassing ? "it is sent again" : "look the error up in Slack's reference of chat.postMessage"
        let failure = DeliveryFailure(
            isPassing ? .unavailable : .rejected, message: "Slack did not accept the message: \(error); \(remedy)",
            status: 200)
        return isPassing ? .retry(failure) : .rejected(failure)
    }
}
