internal import WharfCore
internal import WharfJSON

/// A message to one recipient, as an outbox stores it.
struct MessagePayload: Hashable, Sendable {
    static let kind = OutboxEntry.Kind("message")
    /// The version of a message with ``EmailContent``. An older version of the app refuses it,
    /// since it would deliver the message without its attachments.
    private static let kindWithEmail = OutboxEntry.Kind(kind.name, version: 2)

    var message: Message
    var name: String
    /// The addresses by channel names, of the entry's destinations only.
    var addresses: [String: String]
    /// The channels whose failure does not fail the message.
    ///
    /// An older version of the app ignores this field and delivers the message. So it needs no new
    /// version of the payload.
    var optional: Set<String>

    init(_ message: Message, name: String, addresses: [String: String], optional: Set<String> = []) {
        self.message = message
        self.name = name
        self.addresses = addresses
        self.optional = optional
    }

    /// The kind with the oldest version that can express this message.
    var kind: OutboxEntry.Kind { message.email.isEmpty ? Self.kind : Self.kindWithEmail }

    func encoded() throws(MessagingError) -> [UInt8] {
        do { return try JSON.encode(self) } catch {
            throw MessagingError(.unreadable, message: "the message can't be encoded: \(error)", cause: error)
        }
    }

    /// Reads the payload of an entry.
    ///
    /// - Throws: ``MessagingError/Code/unreadable`` for another kind or version, and for bytes that
    ///   are not a message.
    init(_ entry: OutboxEntry) throws(MessagingError) {
        guard [Self.kind, Self.kindWithEmail].contains(entry.kind) else {
            throw MessagingError(
                .unreadable,
                message:
                    "expected a message of version \(Self.kindWithEmail.version) or older, found \(entry.kind.name), version \(entry.kind.version); "
                    + "discard it, or let a newer version of the app deliver it")
        }
        do { self = try JSON.decode(Self.self, from: entry.payload) } catch {
            throw MessagingError(
                .unreadable, message: "the entry is not a message: \(error); edit or discard it", cause: error)
        }
    }
}

extension MessagePayload: JSONEncodable, JSONDecodable {
    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("title", message.title)
        json.field("body", message.body)
        json.key("attributes")
        Self.encode(message.attributes, into: &json)
        json.field("name", name)
        json.key("addresses")
        Self.encode(addresses, into: &json)
        if !message.email.isEmpty { json.field("email", message.email, as: EmailContentFormat.self) }
        if !optional.isEmpty { json.field("optional", optional.sorted()) }
        json.endObject()
    }

    /// Encodes texts in the order of their keys, so that equal messages have equal bytes.
    private static func encode(_ texts: [String: String], into json: inout JSONWriter) {
        json.beginObject()
        for (key, text) in texts.sorted(by: { $0.key < $1.key }) {
            json.key(text: key)
            json.string(text)
            json.endField()
        }
        json.endObject()
        json.endField()
    }

    static func decode(from json: inout JSONReader) -> MessagePayload? {
        guard var fields = json.beginObject() else { return nil }
        var (title, body, name): (String?, String?, String?)
        var (attributes, addresses): ([String: String]?, [String: String]?)
        var email: EmailContent?
        var optional: [String]?
        repeat {
            json.read("title", 0, into: &title, &fields)
            json.read("body", 1, into: &body, &fields)
            json.read("attributes", 2, into: &attributes, &fields)
            json.read("name", 3, into: &name, &fields)
            json.read("addresses", 4, into: &addresses, &fields)
            json.read("email", 5, as: EmailContentFormat.self, into: &email, &fields)
            json.read("optional", 6, into: &optional, &fields)
        } while json.next(&fields)
        // Entries of older versions lack `email` and `optional`.
        guard let title, let body, let attributes, let name, let addresses else {
            return json.incomplete(
                fields, required: [(0, "title"), (1, "body"), (2, "attributes"), (3, "name"), (4, "addresses")])
        }
        let message = Message(title: title, body: body, attributes: attributes, email: email ?? EmailContent())
        return .init(message, name: name, addresses: addresses, optional: Set(optional ?? []))
    }
}
