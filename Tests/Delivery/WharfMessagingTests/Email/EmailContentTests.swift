import Testing
import WharfCore
import WharfFakes
import WharfMessaging
import WharfMessagingFakes
import WharfStores

extension EmailMessage {
    static var lunch: EmailMessage {
        get throws {
            EmailMessage(
                from: Mailbox(try EmailAddress("wharf@example.com"), name: "Wharf"),
                to: [Mailbox(try EmailAddress("ada@example.com"), name: "Ada")], subject: "Lunch", text: "At noon?",
                date: WallTime(secondsSince1970: 784_111_777), key: IdempotencyKey("k1"))
        }
    }
}

@Suite struct EmailContentTests {
    private func lines(_ message: EmailMessage) throws -> [String] {
        String(decoding: try message.encoded(), as: UTF8.self).split(
            separator: "\r\n", omittingEmptySubsequences: false
        )
        .map(String.init)
    }

    @Test(arguments: [
        ("map.png", ["filename=\"map.png\""]), ("Menü.pdf", ["filename*=UTF-8''Men%C3%BC.pdf"]),
        ("a\"b", ["filename*=UTF-8''a%22b"]), (" a", ["filename*=UTF-8''%20a"]), ("", []),
        (
            String(repeating: "ü", count: 12),
            [
                "filename*0*=UTF-8''\(String(repeating: "%C3%BC", count: 8));",
                "filename*1*=\(String(repeating: "%C3%BC", count: 4))",
            ]
        ),
    ])
    func fileNamesAreWrittenByRFC2231(name: String, words: [String]) throws {
        var message = try EmailMessage.lunch
        message.content.attachments = [EmailAttachment(name, type: "image/png", [1])]
        let text = try lines(message).joined(separator: "\r\n").replacing("\r\n ", with: " ")
        let expected = "Content-Disposition: attachment" + (words.isEmpty ? "" : "; " + words.joined(separator: " "))
        #expect(text.contains(expected + "\r\n"), "\(text)")
    }

    @Test(arguments: [#"text/x; a="1;2""#, #"text/x; a="1\";2"; b=3"#])
    func aQuotedSemicolonEndsNoParameter(type: String) throws {
        var message = try EmailMessage.lunch
        message.content.attachments = [EmailAttachment("a", type: type, [1])]
        let text = try lines(message).joined(separator: "\r\n").replacing("\r\n ", with: " ")
        #expect(text.contains("Content-Type: \(type)\r\n"), "\(text)")
    }

    @Test(arguments: [
        EmailAttachment("a\r\nX: y", type: "image/png", []), EmailAttachment("a\0", type: "image/png", []),
        EmailAttachment("a", type: "png", []), EmailAttachment("a", type: "image/png\r\nX: y", []),
        EmailAttachment("a", type: "image/", []), EmailAttachment("a", type: "image/png; charset", []),
        EmailAttachment("a", type: "", []), EmailAttachment("a", type: "image/png", [], contentID: "map"),
        EmailAttachment("a", type: "image/png", [], contentID: "a@b>\r\nX: y"),
        EmailAttachment("a", type: "image/png", [], contentID: "@"), EmailAttachment("a", type: "message/rfc822", []),
        EmailAttachment("a", type: "Multipart/mixed", []),
    ])
    func anAttachmentThatCantBeWrittenIsRefused(attachment: EmailAttachment) throws {
        var message = try EmailMessage.lunch
        message.content.attachments = [attachment]
        let error = #expect(throws: MessagingError.self) { try message.encoded() }
        #expect(error?.code == .invalidHeader)
    }

    @Test func aMailboxInTwoListsIsOneRecipient() throws {
        var message = try EmailMessage.lunch
        message.content.cc = message.to
        message.content.bcc = message.to
        #expect(message.recipients.map(\.description) == ["ada@example.com"])
    }

    @Test(arguments: [["-i"], ["-t", "-i"]])
    func sendmailGetsTheRecipientsUnlessItReadsTheHeader(arguments: [String]) async throws {
        let outgoing = Outgoing()
        let channel = EmailChannel(
            from: Mailbox(try EmailAddress("wharf@example.com")),
            sendmail: Sendmail("/usr/sbin/sendmail", arguments: arguments) { _, arguments, input in
                outgoing.run(arguments, input)
            })
        var part = MessagePart.email()
        part.email.cc = [Mailbox(try EmailAddress("cc@example.com"))]
        #expect(await channel.deliver(part) == .delivered)
        part.email.bcc = [Mailbox(try EmailAddress("-bcc@example.com"))]
        let verdict = await channel.deliver(part)
        guard arguments == ["-i"] else {
            #expect(verdict.failure?.message.contains("leave -t out") == true)
            return
        }
        #expect(verdict == .delivered)
        #expect(outgoing.arguments.last == ["-i", "--", "ada@example.com", "cc@example.com", "-bcc@example.com"])
    }

    @Test func contentForEmailSurvivesTheOutbox() async throws {
        let clock = TestClock()
        let outbox = RecordingOutbox(store: MemoryWriteStore(), clock: clock.wall)
        let ada = Recipient(id: "ada", addresses: ["email": "ada@example.com"], preference: .all("email"))
        let other = Mailbox(try EmailAddress("\"b c\"@example.com"), name: "Bü")
        let content = EmailContent(
            html: "<p>ü</p>",
            attachments: [
                EmailAttachment("ä.bin", type: "application/octet-stream", Array(0...255), contentID: "a@b"),
                EmailAttachment("", type: "text/plain", []), EmailAttachment("2", type: "text/plain", [1, 2]),
            ], cc: [other], bcc: [other, other], replyTo: [other])
        let messenger = Messenger(outbox: outbox, clock: clock.wall)
        try await messenger.send(Message(body: "plain"), to: ada)
        try await messenger.send(Message(body: "0123456789a", email: content), to: ada)
        // A version without support for attachments reads only the first.
        #expect(outbox.entries.map(\.kind.version) == [1, 2])
        let channel = RecordingChannel("email", limits: ChannelLimits(body: TextLimit(10, .scalars)))
        for entry in outbox.entries {
            #expect(await ChannelDestination(channel).deliver(entry).verdict == .delivered)
        }
        #expect(channel.delivered.map(\.email).prefix(2) == [EmailContent(), content])
        let later = EmailContent(cc: content.cc, bcc: content.bcc, replyTo: content.replyTo)
        #expect(channel.delivered.dropFirst(2).allSatisfy { $0.email == later } && channel.delivered.count > 2)
    }
}
