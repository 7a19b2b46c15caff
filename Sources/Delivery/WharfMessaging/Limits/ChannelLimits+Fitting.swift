extension ChannelLimits {
    struct Text: Hashable {
        var title: String
        var body: String
    }

    /// Returns the one or more parts of a message that fit the limits.
    ///
    /// - Throws: ``MessagingError/Code/tooLong``
    func parts(of message: Message) throws(MessagingError) -> [Text] {
        var (text, body) = (message.title, message.body)
        // The title moves before the body is measured, since the joined text must fit.
        if let title, title.length == 0 {
            body = text.isEmpty ? body : body.isEmpty ? text : "\(text)\n\(body)"
            text = ""
        } else if let title, !title.fits(text) {
            guard overflow != .refuse else { throw Self.tooLong("title", text, title) }
            text = try Self.truncated("title", text, title)
        }
        guard let limit = self.body, !limit.fits(body) else { return [Text(title: text, body: body)] }
        switch overflow {
        case .refuse: throw Self.tooLong("body", body, limit)
        case .truncate: return [Text(title: text, body: try Self.truncated("body", body, limit))]
        case .split(let most):
            guard let pieces = TextPieces(body, limit: limit).numbered(atMost: most) else {
                throw Self.tooLong("body", body, limit, parts: most)
            }
            return pieces.map { Text(title: text, body: $0) }
        }
    }

    private static func truncated(
        _ what: String, _ text: String, _ limit: TextLimit
    ) throws(MessagingError) -> String {
        guard let text = TextPieces(text, limit: limit).truncated() else { throw tooLong(what, text, limit) }
        return text
    }

    private static func tooLong(
        _ what: String, _ text: String, _ limit: TextLimit, parts: Int? = nil
    ) -> MessagingError {
        let parts = parts.map { ", in at most \($0) parts" } ?? ""
        return MessagingError(
            .tooLong,
            message:
                "expected a \(what) of at most \(limit.length) \(limit.unit.name)\(parts), found \(limit.unit.count(text)); "
                + "shorten it, or let the channel cut it off")
    }
}
