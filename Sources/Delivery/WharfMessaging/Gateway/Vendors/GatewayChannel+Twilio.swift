public import WharfCore
internal import WharfJSON
internal import WharfPrimitives

extension GatewayChannel {
    /// Returns a channel that sends SMS by Twilio's Programmable Messaging.
    ///
    /// ```swift
    /// let sms = try GatewayChannel.twilio(
    ///     accountSID: "AC…", authToken: token, from: "+15005550006", transport: transport)
    /// ```
    ///
    /// As documented by Twilio, it sends `POST /2010-04-01/Accounts/{AccountSid}/Messages.json`
    /// with `To`, `From` and `Body`. Addresses are E.164 numbers, such as `+358401234567`. A body
    /// has at most 1,600 characters, counted here as UTF-16 units.
    ///
    /// A failure names Twilio's error code, such as 21211 for an invalid number. Twilio does not
    /// support `Idempotency-Key`: a message whose answer was lost may arrive twice.
    ///
    /// - Parameters:
    ///   - authToken: the token of the account, or the secret of an API key.
    ///   - keySID: the SID of the API key to which the secret belongs; nil for the account's own
    ///     token.
    ///   - sender: an E.164 number of the account, an alphanumeric sender ID, or the SID of a
    ///     messaging service: `MG` and 32 hexadecimal digits.
    /// - Throws: ``MessagingError/Code/invalidTemplate`` for a malformed account SID.
    public static func twilio(
        _ name: String = "sms", accountSID: String, authToken: String, keySID: String? = nil, from sender: String,
        limits: ChannelLimits = ChannelLimits(title: TextLimit.none, body: TextLimit(1_600, .utf16)),
        transport: any Transport, timeout: Duration? = .seconds(30), clock: any WallClock = .system
    ) throws(MessagingError) -> GatewayChannel {
        guard !accountSID.isEmpty, accountSID.utf8.allSatisfy(EmailAddress.isAlphanumeric) else {
            throw MessagingError(
                .invalidTemplate,
                message: "the SID of the Twilio account is malformed; give the one of its console, such as AC0123…")
        }
        let credentials = Base64.text(Array("\(keySID ?? accountSID):\(authToken)".utf8))
        let field = isService(sender) ? "MessagingServiceSid" : "From"
        let template = try GatewayTemplate(
            .post, "https://api.twilio.com/2010-04-01/Accounts/\(accountSID)/Messages.json",
            fields: [.authorization: "Basic \(credentials)"],
            body: .form("To={{address}}&\(field)=\(PercentEncoding.data(sender))&Body={{body}}"))
        return GatewayChannel(
            name, template, limits: limits, transport: transport,
            configuration: .init(
                timeout: timeout, clock: clock,
                excerpt: { _, body in VendorAnswer(body)?.number("code").map { "error \($0)" } ?? "" }))
    }

    /// Whether a sender is the SID of a messaging service. A sender ID may begin with `MG` as well.
    private static func isService(_ sender: String) -> Bool {
        sender.hasPrefix("MG") && sender.utf8.count == 34 && sender.dropFirst(2).allSatisfy(\.isHexDigit)
    }
}
