import Testing
import WharfChecks
import WharfCore
import WharfMessaging

@Suite struct EmailMessageTests {
    private func written(_ part: MessagePart) async throws -> StrictMessage {
        let outgoing = Outgoing()
        let verdict = await (try outgoing.channel()).deliver(part)
        #expect(verdict == .delivered)
        return try outgoing.message()
    }

    @Test func plainMessageHasPlainHeadersAndA7bitBody() async throws {
        let outgoing = Outgoing()
        _ = await (try outgoing.channel()).deliver(.email(attributes: ["replyTo": "cesar@example.com"]))
        #expect(
            String(decoding: try #require(outgoing.messages.first), as: UTF8.self) == """
                Date: Sun, 06 Nov 1994 08:49:37 +0000
                From: "Wharf" <wharf@example.com>
                To: "Ada" <ada@example.com>
                Reply-To: cesar@example.com
                Subject: Lunch
                Message-ID: <k1@example.com>
                MIME-Version: 1.0
                Content-Type: text/plain; charset=utf-8
                Content-Transfer-Encoding: 7bit

                At noon?

                """)
    }

    @Test func anyTitleBodyAndNameAreReadAsTheyWereWritten() async throws {
        let texts: Generator<(String, String, String)> = .zip(
            .string(count: 0...200), .string(count: 0...400), .string(count: 0...100))
        try await forAll(texts, runs: 600) { title, body, name in
            let outgoing = Outgoing()
            let part = MessagePart.email(title: title, body: body, name: name)
            let verdict = await (try outgoing.channel()).deliver(part)
            let isBroken = (title + name).unicodeScalars.contains { ["\r", "\n", "\0"].contains($0) }
            if isBroken {
                guard case .rejected = verdict else { throw Broken("a line break in a field was \(verdict)") }
                return try require(outgoing.messages.isEmpty, "it was sent")
            }
            try require(verdict == .delivered, "\(verdict)")
            let message = try outgoing.message()
            try same(try message.subject ?? "", title)
            try same(try message.mailbox("To").name, name)
            try same(message.bodyText, part.mailText)
        }
    }

    @Test(arguments: [
        "a  b", " a", "a ", "=?UTF-8?Q?a?=", "", "word " + String(repeating: "x", count: 200),
        String(repeating: "many words ", count: 40) + "end", "Grüße aus 東京 👩‍👩‍👧‍👦", "a\tb", "\u{7F}", "\u{2028}",
        String(repeating: "é", count: 500), "\"quoted\" \\ back", "comma, <angle> (paren); colon:",
    ])
    func difficultTitleAndNameRoundTrip(text: String) async throws {
        let message = try await written(.email(title: text, name: text))
        try same(try message.subject ?? "", text)
        try same(try message.mailbox("To").name, text)
    }

    @Test(arguments: [
        ("plain\nlines\n", "7bit"), ("", "7bit"), ("From here\n", "quoted-printable"), (".\n", "quoted-printable"),
        ("space at the end \nx", "quoted-printable"), ("naïve", "quoted-printable"), ("日本語の本文です", "base64"),
        (String(repeating: "x", count: 998), "7bit"), (String(repeating: "x", count: 999), "quoted-printable"),
        ("NUL \0 and bell \u{7}", "quoted-printable"), (String(repeating: "x", count: 75) + ". a", "7bit"),
    ])
    func aBodyTakesTheEncodingThatItNeeds(body: String, encoding: String) async throws {
        let message = try await written(.email(body: body))
        #expect(message.encoding == encoding)
        try same(message.bodyText, MessagePart.email(body: body).mailText)
    }

    @Test func wrappedLineNeverBeginsWithADotOrFrom() async throws {
        // For each dot there is an iteration in which it is the first character of a line.
        for length in 60...90 {
            let body = String(repeating: "ä", count: length) + ".From " + String(repeating: "x.", count: 80)
            try same(try await written(.email(body: body)).bodyText, body + "\n")
        }
    }

    @Test(arguments: [("a\r\nBcc: eve@example.com", "Ada"), ("Lunch", "Ada\nX: y"), ("a\rb", "Ada"), ("a\0b", "Ada")])
    func fieldWithALineBreakOrNULIsRefused(title: String, name: String) async throws {
        let outgoing = Outgoing()
        let verdict = await (try outgoing.channel()).deliver(.email(title: title, name: name))
        guard case .rejected(let failure) = verdict else {
            Issue.record("it was \(verdict)")
            return
        }
        #expect(
            failure.message.contains("line breaks") && failure.message.contains(title == "Lunch" ? "To" : "Subject"))
        #expect(outgoing.messages.isEmpty)
    }

    @Test(arguments: ["", ".", "a..b", "ä", "a@b>c", "a b", "k.1of2", "a.", ".a", "=", "k\r\nX: y"])
    func messageIDDependsOnTheKeyAlone(key: String) async throws {
        let identifier = try #require(try await written(.email(key: key))["Message-ID"])
        #expect(identifier == (try await written(.email(title: "other", key: key)))["Message-ID"])
        #expect(identifier != (try await written(.email(key: key + "x")))["Message-ID"])
        let left = try #require(identifier.dropFirst().split(separator: "@").first)
        #expect(identifier.hasPrefix("<") && identifier.hasSuffix("@example.com>"))
        // A dot-atom (RFC 5322 §3.2.3).
        #expect(left.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty })
        #expect(left.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_=.".contains($0)) })
    }

    private func same(_ a: String, _ b: String) throws {
        let isSame = a.unicodeScalars.elementsEqual(b.unicodeScalars)
        try require(isSame, "\(a.debugDescription) in place of \(b.debugDescription)")
    }
}
