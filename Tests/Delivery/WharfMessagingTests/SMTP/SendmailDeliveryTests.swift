#if Sendmail
import Testing
import WharfChecks
import WharfCore
import WharfJSON
import WharfMessaging

@Suite(.enabled(MailServer.whereItIsNot) { try await MailServer.isThere.value })
struct SendmailDeliveryTests {
    private struct Letter: CustomStringConvertible {
        var title: String
        var body: String
        var name: String
        var description: String { title.debugDescription }
    }

    private static let letters = [
        Letter(title: "Lunch", body: "At noon?\n", name: "Ada"),
        Letter(title: "", body: "", name: ""),
        Letter(title: "Grüße aus Tōkyō", body: "Schöne Grüße\n\nund mehr\n", name: "Jürgen Müller"),
        Letter(title: "東京からの手紙です", body: String(repeating: "日本語の本文です。", count: 60) + "\n", name: "山田 太郎"),
        Letter(title: "family 👩‍👩‍👧‍👦 and flags 🇫🇮", body: "👩‍👩‍👧‍👦\n", name: "Ada 🚀"),
        Letter(title: String(repeating: "é", count: 300), body: "x\n", name: String(repeating: "ß", count: 90)),
        Letter(
            title: String(repeating: "many words ", count: 40) + "end", body: "x\n", name: "Lovelace, Ada (Countess)"),
        Letter(title: "=?UTF-8?Q?not_encoded?=", body: ".\n..\nFrom here\n trailing \n", name: "\"quoted\" \\ back"),
        Letter(title: "a  b", body: String(repeating: "x", count: 2_000) + "\n", name: "a <b@example.com>"),
        Letter(
            title: "tab\tinside", body: "tab\tinside\n" + String(repeating: "y", count: 998) + "\n", name: "O'Brien"),
    ]

    @Test func eachFieldArrivesAsSent() async throws {
        try await MailServer.run { server in
            let channel = EmailChannel(
                from: Mailbox(try EmailAddress("wharf@example.com"), name: "Wharf & söner"),
                sendmail: try server.sendmail())
            for (index, letter) in Self.letters.enumerated() {
                let part = MessagePart.email(
                    title: letter.title, body: letter.body, name: letter.name, address: "ada+\(index)@example.com",
                    key: "0192-\(index)", attributes: ["replyTo": "cesar@example.com"])
                let verdict = await channel.deliver(part)
                try require(verdict == .delivered, "\(letter): \(verdict)")
                let message = try await server.message()
                func expect(_ field: String, _ value: JSONValue) {
                    #expect(message[field] == value, "\(field) of \(letter)")
                }
                expect("defects", [])
                expect("sender", "wharf@example.com")
                expect("recipients", [.init(stringLiteral: part.address)])
                expect("from", [["Wharf & söner", "wharf@example.com"]])
                expect("to", [[.init(stringLiteral: letter.name), .init(stringLiteral: part.address)]])
                expect("replyTo", [["", "cesar@example.com"]])
                expect("subject", .init(stringLiteral: letter.title))
                expect("date", 784_111_777)
                expect("messageID", .init(stringLiteral: "<0192-\(index)@example.com>"))
                expect("shape", "text/plain")
                expect("lines", [])
                expect("charset", "utf-8")
                let body = try require(text(message["text"]), "no body")
                #expect(body.replacing("\r\n", with: "\n") == letter.body, "\(letter)")
            }
        }
    }

    @Test func theSameMessageIsTheSameBytesOnEachAttempt() async throws {
        try await MailServer.run { server in
            let channel = EmailChannel(
                from: Mailbox(try EmailAddress("wharf@example.com")), sendmail: try server.sendmail())
            var bytes: [String] = []
            for _ in 0..<2 {
                _ = await channel.deliver(.email())
                bytes.append(try require(text(try await server.message()["bytes"]), "no bytes"))
            }
            #expect(bytes[0] == bytes[1])
        }
    }

    /// msmtp reports every refusal after the message with the code for an unavailable server,
    /// permanent or not.
    @Test(arguments: [("unknown", true), ("spam", false), ("busy", false), ("later", false)])
    func permanentRefusalIsRejectedAndATemporaryOneRetried(local: String, isForGood: Bool) async throws {
        try await MailServer.run { server in
            let channel = EmailChannel(
                from: Mailbox(try EmailAddress("wharf@example.com")), sendmail: try server.sendmail())
            switch await channel.deliver(.email(address: "\(local)@example.com")) {
            case .rejected(let failure): #expect(isForGood && failure.message.contains("it says"), "\(failure)")
            case .retry(let failure, _): #expect(!isForGood && failure.message.contains("it says"), "\(failure)")
            case let verdict: Issue.record("it was \(verdict)")
            }
        }
    }

    @Test func aServerThatIsNotThereIsAskedAgain() async throws {
        try await MailServer.run { server in
            // No program listens at port 1.
            let channel = EmailChannel(
                from: Mailbox(try EmailAddress("wharf@example.com")), sendmail: try server.sendmail(port: 1))
            guard case .retry(let failure, _) = await channel.deliver(.email()) else {
                Issue.record("it was not told to be tried again")
                return
            }
            #expect(failure.message.contains("127.0.0.1"))
        }
    }

    private func text(_ value: JSONValue?) -> String? {
        if case .string(let text) = value?.content { text } else { nil }
    }
}
#endif
