#if os(Linux)
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfJSON
import WharfMessaging

@testable import WharfSMTP

/// Over sockets, with the scripted servers of `smtp/server.py`.
@Suite(.enabled(SMTPPeer.whereItIsNot) { try await SMTPPeer.isThere.value })
struct PipeliningTests {
    private func part(_ first: String, cc: [String] = [], text: String = "At noon?") throws -> MessagePart {
        var part = MessagePart.email(address: "\(first)@example.com")
        part.body = text
        part.email.cc = try cc.map { Mailbox(try EmailAddress("\($0)@example.com")) }
        return part
    }

    private func commands(_ found: JSONValue) throws -> [String] {
        guard case .array(let lines)? = found["commands"]?.content else { throw Broken("no commands in \(found)") }
        return try lines.map { line in
            guard case .string(let text) = line.content else { throw Broken("\(line)") }
            return text
        }
    }

    @Test(arguments: ["whole", "bytes"], [SMTPPeer.Encryption.none, .tls])
    func aGroupIsSentBeforeItsFirstReply(how: String, encryption: SMTPPeer.Encryption) async throws {
        // The server sends no reply until it has read DATA.
        try await SMTPPeer.run(encryption, "pipelining=\(how)") { peer in
            let server: SMTPServer? = encryption == .tls ? try peer.server(.tls) : nil
            let verdict = await (try peer.channel(server)).deliver(try part("ada", cc: ["bob", "cesar"]))
            try require(verdict == .delivered, "\(verdict)")
            let found = try await peer.message()
            // MAIL to DATA, and the message.
            #expect(found["waits"] == 2)
            let commands = try commands(found)
            #expect(commands[0].hasPrefix("MAIL FROM:<wharf@example.com> SIZE="))
            #expect(
                commands.dropFirst() == [
                    "RCPT TO:<ada@example.com>", "RCPT TO:<bob@example.com>", "RCPT TO:<cesar@example.com>", "DATA",
                ])
        }
    }

    @Test func withoutPipeliningEachCommandWaits() async throws {
        try await SMTPPeer.run(.none, "lockstep") { peer in
            let verdict = await (try peer.channel()).deliver(try part("ada", cc: ["bob", "cesar"]))
            try require(verdict == .delivered, "\(verdict)")
            let found = try await peer.message()
            // MAIL, three times RCPT, DATA, and the message.
            #expect(found["waits"] == 6)
            #expect(try commands(found)[0] == "MAIL FROM:<wharf@example.com>")
        }
    }

    @Test func anAcceptedDATAWithoutRecipientsGetsADot() async throws {
        try await SMTPPeer.run(.none, "pipelining=whole") { peer in
            let verdict = await (try peer.channel()).deliver(try part("unknown"))
            #expect(verdict.name == "rejected" && verdict.failure?.message.contains("550 5.1.1") == true)
            #expect(try await peer.message()["bytes"] == 3)
        }
    }

    @Test func aRefusedSenderInAGroupSendsNoMessage() async throws {
        try await SMTPPeer.run(.none, "pipelining=whole") { peer in
            // The server accepts the recipient and DATA all the same.
            let verdict = await (try peer.channel(from: "unwelcome@example.com")).deliver(try part("ada"))
            #expect(verdict.name == "rejected" && verdict.failure?.message.contains("550 5.7.1") == true)
            #expect(try await peer.message()["bytes"] == 3)
        }
    }

    @Test func eachRecipientOfAGroupIsSettledByItself() async throws {
        try await SMTPPeer.run(.none, "pipelining=bytes") { peer in
            let channel = try peer.channel()
            let verdict = await channel.deliver(try part("ada", cc: ["busy", "unknown"]))
            #expect(verdict.name == "retry", "\(verdict)")
            _ = try await peer.message()
            _ = await channel.deliver(try part("ada", cc: ["busy", "unknown"]))
            #expect(try commands(try await peer.message()).dropFirst() == ["RCPT TO:<busy@example.com>", "DATA"])
        }
    }

    @Test(arguments: [("lines", "a reply of more than 1000 lines"), ("line", "a line of more than 65536 bytes")])
    func anEndlessReplyIsGivenUp(local: String, meaning: String) async throws {
        try await SMTPPeer.run(.none, "lockstep") { peer in
            let verdict = await (try peer.channel(timer: TestClock())).deliver(try part(local))
            #expect(verdict.name == "retry" && verdict.failure?.code == .noAnswer)
            #expect(verdict.failure?.message.contains(meaning) == true, "\(verdict)")
        }
    }

    @Test func anEndlessReplyToEHLOIsGivenUp() async throws {
        try await SMTPPeer.run(.none, "lockstep") { peer in
            let server = try SMTPServer.unencrypted("127.0.0.1", port: peer.port, clientName: "endless.example")
            let verdict = await (try peer.channel(server, timer: TestClock())).deliver(try part("ada"))
            // Newer versions of libcurl have their own limit, with another message.
            #expect(verdict.name == "retry" && verdict.failure?.code == .noAnswer, "\(verdict)")
        }
    }

    @Test func aRefusalIsReadWhileTheMessageIsWritten() async throws {
        try await SMTPPeer.run(.none, "pipelining=whole") { peer in
            // More than the buffers of a connection hold. The server reads none of it.
            let text = String(repeating: "0123456789\n", count: 1_000_000)
            let verdict = await (try peer.channel(timer: TestClock())).deliver(try part("full", text: text))
            #expect(verdict.name == "rejected" && verdict.failure?.message.contains("552 5.3.4") == true, "\(verdict)")
        }
    }

    @Test func aLargeMessageIsWrittenThroughTLS() async throws {
        try await SMTPPeer.run(.tls, "pipelining=whole") { peer in
            var part = try part("ada")
            part.email.attachments = [
                EmailAttachment("big", type: "image/png", Array(repeating: 0xAB, count: 5_000_000))
            ]
            let verdict = await (try peer.channel(try peer.server(.tls))).deliver(part)
            try require(verdict == .delivered, "\(verdict)")
            let bytes = try EmailMessage(part, from: Mailbox(try EmailAddress("wharf@example.com"), name: "Wharf"))
                .encoded()
            #expect(try await peer.message()["bytes"]?.description == "\(bytes.count + 3)")
        }
    }
}
#endif
