public import WharfCore
internal import WharfJSON

/// A request to a gateway, with placeholders for the values of a message.
///
/// ```swift
/// let template = try GatewayTemplate(
///     .post, "https://api.example.com/accounts/7/messages", fields: [.authorization: "Basic …"],
///     body: .form("To={{address}}&Body={{body}}"))
/// ```
///
/// The placeholders are `{{title}}`, `{{body}}`, `{{address}}`, `{{name}}`, `{{key}}` and
/// `{{attributes.NAME}}`. A value is escaped for its context, which is a JSON string, a form or a
/// URL. It can't break out of its string, field or parameter.
///
/// `{{body|entities}}` first writes `&`, `<` and `>` as entities, for a gateway that reads markup
/// in its texts.
///
/// There are ready channels for Twilio, Slack and Telegram:
/// ``GatewayChannel/twilio(_:accountSID:authToken:keySID:from:limits:transport:timeout:clock:)``,
/// ``GatewayChannel/slack(_:botToken:limits:transport:timeout:clock:)`` and
/// ``GatewayChannel/telegram(_:botToken:limits:transport:timeout:clock:)``.
public struct GatewayTemplate: Sendable {
    /// The body of a request.
    public enum Body: Hashable, Sendable {
        /// No body.
        case none
        /// A JSON document with placeholders inside its string values.
        case json(String)
        /// A form with placeholders: `a=1&b={{body}}`.
        case form(String)
        /// Plain text with placeholders, whose values are not escaped.
        case text(String)
    }

    let method: HTTPRequest.Method
    let scheme: String
    let authority: String
    let path: TemplateText
    let fields: [(name: HTTPField.Name, value: TemplateText)]
    let content: Content

    enum Content: Sendable {
        case none
        case json(JSONValue)
        case form(TemplateText)
        case text(TemplateText)
    }

    /// Creates a template.
    ///
    /// - Parameters:
    ///   - url: an absolute URL with placeholders in its path and its query.
    ///   - fields: header fields with placeholders in their values. Without a `Content-Type` the
    ///     body determines it.
    /// - Throws: ``MessagingError/Code/invalidTemplate``
    public init(
        _ method: HTTPRequest.Method, _ url: String, fields: HTTPFields = [:], body: Body = .none
    ) throws(MessagingError) {
        self.method = method
        (scheme, authority, path) = try Self.parts(of: url)
        var fields = fields
        if fields[.contentType] == nil { fields[.contentType] = body.contentType }
        var values: [(name: HTTPField.Name, value: TemplateText)] = []
        for field in fields { values.append((field.name, try TemplateText(field.value))) }
        self.fields = values
        content =
            switch body {
            case .none: .none
            case .json(let text): .json(try Self.document(text))
            case .form(let text): .form(try TemplateText(text))
            case .text(let text): .text(try TemplateText(text))
            }
    }

    private static func parts(of url: String) throws(MessagingError) -> (String, String, TemplateText) {
        let parts = url.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = parts.count == 2 && parts[1].hasPrefix("//") ? parts[1].dropFirst(2) : ""
        let authority = rest.prefix { !"/?#".contains($0) }
        guard ["http", "https"].contains(parts[0].lowercased()), !authority.isEmpty,
            // A value of a message must not choose the host that gets the token of the template.
            try TemplateText(String(authority)).isConstant,
            url.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
        else {
            throw MessagingError(
                .invalidTemplate,
                message:
                    "the URL of the template can't be used; give an absolute one in ASCII, http or https, without a "
                    + "fragment, and with placeholders only after its host"
            )
        }
        let path = rest.dropFirst(authority.count)
        return (
            parts[0].lowercased(), String(authority), try TemplateText(path.hasPrefix("/") ? String(path) : "/\(path)")
        )
    }

    private static func document(_ text: String) throws(MessagingError) -> JSONValue {
        let value: JSONValue
        do { value = try JSON.decode(JSONValue.self, from: text) } catch {
            throw MessagingError(
                .invalidTemplate,
                message:
                    "expected JSON with placeholders inside its strings, such as {\"text\": \"{{body}}\"}, found \(error.code) at \(error.location)",
                cause: error)
        }
        // Each string is parsed now, so that a malformed placeholder fails here and not at
        // delivery.
        _ = try value.mappingStrings { text throws(MessagingError) in
            _ = try TemplateText(text)
            return text
        }
        return value
    }
}

extension GatewayTemplate.Body {
    fileprivate var contentType: String? {
        switch self {
        case .none: nil
        case .json: "application/json"
        case .form: "application/x-www-form-urlencoded"
        case .text: "text/plain; charset=utf-8"
        }
    }
}

extension JSONValue {
    /// Returns the value with its strings changed. Keys stay as they are.
    func mappingStrings(_ change: (String) throws(MessagingError) -> String) throws(MessagingError) -> JSONValue {
        switch content {
        case .string(let text): return JSONValue(.string(try change(text)))
        case .array(let elements):
            var changed: [JSONValue] = []
            for element in elements { changed.append(try element.mappingStrings(change)) }
            return JSONValue(.array(changed))
        case .object(let members):
            var changed: [JSONMember] = []
            for member in members { changed.append(JSONMember(member.key, try member.value.mappingStrings(change))) }
            return JSONValue(.object(changed))
        case .null, .bool, .number: return self
        }
    }
}
