internal import WharfJSON

// These are formats and not conformances: a public type can't conform to a protocol of a module
// that is imported as `internal`.

/// The JSON of ``EmailContent`` in a payload.
enum EmailContentFormat: JSONFormat {
    static func encode(_ content: EmailContent, into json: inout JSONWriter) {
        json.beginObject()
        json.fieldIfPresent("html", content.html)
        json.field("attachments", content.attachments, as: [AttachmentFormat].self)
        json.field("cc", content.cc, as: [MailboxFormat].self)
        json.field("bcc", content.bcc, as: [MailboxFormat].self)
        json.field("replyTo", content.replyTo, as: [MailboxFormat].self)
        json.endObject()
    }

    static func decode(from json: inout JSONReader) -> EmailContent? {
        guard var fields = json.beginObject() else { return nil }
        var html: String?
        var attachments: [EmailAttachment]?
        var (cc, bcc, replyTo): ([Mailbox]?, [Mailbox]?, [Mailbox]?)
        repeat {
            json.read("html", 0, into: &html, &fields)
            json.read("attachments", 1, as: [AttachmentFormat].self, into: &attachments, &fields)
            json.read("cc", 2, as: [MailboxFormat].self, into: &cc, &fields)
            json.read("bcc", 3, as: [MailboxFormat].self, into: &bcc, &fields)
            json.read("replyTo", 4, as: [MailboxFormat].self, into: &replyTo, &fields)
        } while json.next(&fields)
        guard let attachments, let cc, let bcc, let replyTo else {
            return json.incomplete(fields, required: [(1, "attachments"), (2, "cc"), (3, "bcc"), (4, "replyTo")])
        }
        return EmailContent(html: html, attachments: attachments, cc: cc, bcc: bcc, replyTo: replyTo)
    }
}

private enum MailboxFormat: JSONFormat {
    static func encode(_ mailbox: Mailbox, into json: inout JSONWriter) {
        json.beginObject()
        json.field("name", mailbox.name)
        json.field("address", "\(mailbox.address)")
        json.endObject()
    }

    static func decode(from json: inout JSONReader) -> Mailbox? {
        guard var fields = json.beginObject() else { return nil }
        var (name, address): (String?, EmailAddress?)
        repeat {
            json.read("name", 0, into: &name, &fields)
            json.read("address", 1, as: AddressFormat.self, into: &address, &fields)
        } while json.next(&fields)
        guard let name, let address else {
            return json.incomplete(fields, required: [(0, "name"), (1, "address")])
        }
        return Mailbox(address, name: name)
    }
}

private enum AddressFormat: JSONFormat {
    static func encode(_ address: EmailAddress, into json: inout JSONWriter) { json.string("\(address)") }

    static func decode(from json: inout JSONReader) -> EmailAddress? {
        let place = json.offset
        guard let text = json.string() else { return nil }
        return (try? EmailAddress(text)) ?? json.invalid(at: place, .invalidValue, expected: "an e-mail address")
    }
}

private enum AttachmentFormat: JSONFormat {
    static func encode(_ attachment: EmailAttachment, into json: inout JSONWriter) {
        json.beginObject()
        json.field("name", attachment.name)
        json.field("type", attachment.type)
        json.field("bytes", Base64.text(attachment.bytes))
        json.fieldIfPresent("contentID", attachment.contentID)
        json.endObject()
    }

    static func decode(from json: inout JSONReader) -> EmailAttachment? {
        guard var fields = json.beginObject() else { return nil }
        var (name, type, contentID): (String?, String?, String?)
        var bytes: [UInt8]?
        repeat {
            json.read("name", 0, into: &name, &fields)
            json.read("type", 1, into: &type, &fields)
            json.read("bytes", 2, as: Base64Format.self, into: &bytes, &fields)
            json.read("contentID", 3, into: &contentID, &fields)
        } while json.next(&fields)
        guard let name, let type, let bytes else {
            return json.incomplete(fields, required: [(0, "name"), (1, "type"), (2, "bytes")])
        }
        return EmailAttachment(name, type: type, bytes, contentID: contentID)
    }
}

private enum Base64Format: JSONFormat {
    static func encode(_ bytes: [UInt8], into json: inout JSONWriter) { json.string(Base64.text(bytes)) }

    static func decode(from json: inout JSONReader) -> [UInt8]? {
        let place = json.offset
        guard let text = json.string() else { return nil }
        return Base64.bytes(text) ?? json.invalid(at: place, .invalidValue, expected: "bytes in base64")
    }
}
