public import WharfCore
internal import WharfJSON

extension GatewayChannel {
    /// Returns a channel that sends to Telegram chats by a bot.
    ///
    /// ```swift
    /// let telegram = try GatewayChannel.telegram(botToken: "123456:ABC-…", transport: transport)
    /// ```
    ///
    /// As documented by the Bot API, it sends
    /// `POST https://api.telegram.org/bot<token>/sendMessage` with `chat_id` and `text`. Addresses
    /// are chat ids, or `@name` for a public channel. The text is sent without `parse_mode`, so no
    /// character of it is markup. It has at most 4,096 characters.
    ///
    /// 429 is a rate limit, for the time in `retry_after` of the answer. A failure contains
    /// Telegram's description, such as "Bad Request: chat not found". Telegram does not support
    /// `Idempotency-Key`: a message whose answer was lost may arrive twice.
    ///
    /// - Parameter limits: the limits; by default Telegram's, with 30 messages a second.
    /// - Throws: ``MessagingError/Code/invalidTemplate`` for a malformed token.
    public static func telegram(
        _ name: String = "telegram", botToken: String,
        limits: ChannelLimits = ChannelLimits(
            title: TextLimit.none, body: TextLimit(4_096, .utf16), rate: RateLimit(30, per: .seconds(1))),
        transport: any Transport, timeout: Duration? = .seconds(30), clock: any WallClock = .system
    ) throws(MessagingError) -> GatewayChannel {
        let parts = botToken.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[0].allSatisfy({ $0.isASCII && $0.isNumber }),
            !parts[1].isEmpty,
            parts[1].utf8.allSatisfy({ EmailAddress.isAlphanumeric($0) || "-_".utf8.contains($0) })
        else {
            throw MessagingError(
                .invalidTemplate,
                message: "the token of the Telegram bot is malformed; give the one of @BotFather, such as 123456:ABC-…")
        }
        let template = try GatewayTemplate(
            .post, "https://api.telegram.org/bot\(botToken)/sendMessage",
            body: .json(#"{"chat_id": "{{address}}", "text": "{{body}}"}"#))
        return GatewayChannel(
            name, template, limits: limits, transport: transport,
            configuration: .init(
                timeout: timeout, clock: clock, classify: { _, head, body in Self.telegramVerdict(head, body) },
                excerpt: { _, body in VendorAnswer(body)?.text("description") ?? "" }))
    }

    private static func telegramVerdict(_ head: HTTPResponse, _ body: [UInt8]) -> Delivery.Verdict? {
        let answer = VendorAnswer(body)
        // Telegram has the pause in the body and not in `Retry-After`. Its bound keeps a wrong
        // answer from holding the channel for ever.
        if head.status.code == 429, let seconds = answer?.number("retry_after", in: "parameters") {
            let failure = DeliveryFailure(
                .rateLimited, message: "Telegram limits the rate; the message is sent after a pause", status: 429)
            return .rateLimited(failure, after: .seconds(min(max(0, seconds), 86_400)))
        }
        // Other statuses and a whole answer are interpreted as in HTTP.
        guard head.status.code == 200, answer?.flag("ok") != true else { return nil }
        return .retry(
            DeliveryFailure(
                .noAnswer, message: "the answer of Telegram lacks \"ok\": true; the message is sent again", status: 200)
        )
    }
}
