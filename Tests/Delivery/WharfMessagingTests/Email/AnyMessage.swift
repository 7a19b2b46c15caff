import WharfChecks
import WharfCore
import WharfMessaging

/// E-mail messages with random texts, names, addresses and files.
enum AnyMessage {
    static let generator = Generator<EmailMessage> { choices in
        var content = EmailContent()
        content.html = try choices.draw(.optional(.string(count: 1...60)))
        content.attachments = try choices.draw(.array(of: attachment, count: 0...2))
        for index in content.attachments.indices where content.attachments[index].contentID != nil {
            content.attachments[index].contentID = "\(index).image@example.com"
        }
        content.cc = try choices.draw(.array(of: mailbox, count: 0...1))
        content.bcc = try choices.draw(.array(of: mailbox, count: 0...1))
        content.replyTo = try choices.draw(.array(of: mailbox, count: 0...1))
        var message = EmailMessage(
            from: try choices.draw(mailbox), to: try choices.draw(.array(of: mailbox, count: 1...2)),
            subject: try choices.draw(field(0...90)), text: try choices.draw(.string(count: 1...90)),
            date: WallTime(secondsSince1970: 784_111_777), key: IdempotencyKey("0192-ab"))
        message.content = content
        return message
    }

    private static let attachment = Generator<EmailAttachment> { choices in
        let type = try choices.draw(
            .element(of: ["image/png", "application/pdf", "text/csv; charset=utf-8", "application/octet-stream"]))
        return EmailAttachment(
            try choices.draw(name), type: type, try choices.draw(.array(of: .int(in: 0...255), count: 0...80)),
            contentID: try choices.draw(.element(of: [nil, "set later"])))
    }

    /// File names are often plain, and sometimes unusual.
    private static let name: Generator<String> = .oneOf(
        .element(of: ["map.png", "Menü.pdf", "a \"quoted\" \\ name;.txt", "日本語のファイル名.txt", "a=?b?=.txt", "x*0*=y"]),
        // Python strips spaces at the ends.
        field(0...80).map { "x\($0)x" })

    private static let mailbox = Generator<Mailbox> { choices in
        let local = try choices.draw(
            .element(of: ["ada", "b.c+d", "\"ada lovelace\"", "x-y_z", String(repeating: "l", count: 64)]))
        let domain = try choices.draw(
            .element(of: ["example.com", "mail.example.org", "xn--bcher-kva.example", "[192.0.2.7]"]))
        return Mailbox(try EmailAddress("\(local)@\(domain)"), name: try choices.draw(field(0...24)))
    }

    /// The text of a field without control characters. Some are refused, and Python reports the
    /// others as defects.
    private static func field(_ count: ClosedRange<Int>) -> Generator<String> {
        .string(count: count).map { text in
            String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.generalCategory != .control }))
        }
    }
}
