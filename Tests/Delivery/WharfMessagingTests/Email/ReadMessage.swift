import Foundation
import WharfChecks
import WharfCore
import WharfJSON
import WharfMessaging

/// A message as read by Python's email package (`smtp/reader.py`).
struct ReadMessage {
    let value: JSONValue

    /// The fields that differ from the sent message, each with both values.
    func differences(from message: EmailMessage) -> [String] {
        let expected: [(field: String, value: JSONValue)] = [
            ("from", mailboxes([message.from])), ("to", mailboxes(message.to)),
            ("cc", mailboxes(message.content.cc)), ("bcc", []), ("replyTo", mailboxes(message.content.replyTo)),
            ("subject", .init(stringLiteral: message.subject)), ("date", 784_111_777),
            ("messageID", .init(stringLiteral: "<\(message.key.text)@\(message.from.address.domain)>")),
            ("charset", "utf-8"), ("defects", []), ("lines", []), ("shape", message.expectedShape),
            ("files", .init(.array(message.files.map(\.json)))),
        ]
        var differences = expected.compactMap { field, expected in
            value[field] == expected ? nil : "\(field): \(expected) was read as \(value[field] ?? "nothing")"
        }
        for (field, sent) in [("text", message.text), ("html", message.content.html)] {
            let read: String? = if case .string(let text) = value[field]?.content { text } else { nil }
            guard !equal(read?.lines, sent?.lines) else { continue }
            differences.append("\(field): \(sent.debugDescription) was read as \(read.debugDescription)")
        }
        return differences
    }

    /// Compares scalars, as canonically equivalent strings are equal.
    private func equal(_ a: String?, _ b: String?) -> Bool {
        a.map { Array($0.unicodeScalars) } == b.map { Array($0.unicodeScalars) }
    }

    private func mailboxes(_ mailboxes: [Mailbox]) -> JSONValue {
        .init(.array(mailboxes.map { [.init(stringLiteral: $0.name), .init(stringLiteral: "\($0.address)")] }))
    }
}

extension EmailMessage {
    private func isShown(_ attachment: EmailAttachment) -> Bool { content.html != nil && attachment.contentID != nil }

    fileprivate var files: [ExpectedFile] {
        content.attachments.filter(isShown).map { ExpectedFile(attachment: $0, isShown: true) }
            + content.attachments.filter { !isShown($0) }.map { ExpectedFile(attachment: $0, isShown: false) }
    }

    fileprivate var expectedShape: JSONValue {
        func types(_ isShown: Bool) -> [JSONValue] {
            self.files.filter { $0.isShown == isShown }.map { .init(stringLiteral: $0.mediaType) }
        }
        var shape: JSONValue = "text/plain"
        if content.html != nil {
            let images = types(true)
            let page: JSONValue = images.isEmpty ? "text/html" : .init(.array(["related", "text/html"] + images))
            shape = text.isEmpty ? page : ["alternative", "text/plain", page]
        }
        let saved = types(false)
        return saved.isEmpty ? shape : .init(.array(["mixed", shape] + saved))
    }
}

/// An attachment, and whether the HTML displays it.
private struct ExpectedFile {
    let attachment: EmailAttachment
    let isShown: Bool

    var mediaType: String { String(attachment.type.prefix { $0 != ";" }) }

    var json: JSONValue {
        [
            "name": .init(stringLiteral: attachment.name), "type": .init(stringLiteral: mediaType),
            "disposition": isShown ? "inline" : "attachment",
            "contentID": attachment.contentID.map { .init(stringLiteral: "<\($0)>") } ?? nil,
            "bytes": .init(stringLiteral: Data(attachment.bytes).base64EncodedString()),
        ]
    }
}

extension String {
    /// The text with mail's line ends: each line ends in LF, including the last.
    fileprivate var lines: String {
        let text = replacing("\r\n", with: "\n")
        let scalars = text.unicodeScalars.map { $0 == "\r" ? "\n" : $0 }
        let lines = String(String.UnicodeScalarView(scalars))
        return lines.isEmpty || lines.utf8.last == 0x0A ? lines : lines + "\n"
    }
}
