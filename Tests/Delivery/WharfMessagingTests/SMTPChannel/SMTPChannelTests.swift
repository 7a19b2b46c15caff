#if os(Linux)
import Foundation
import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfJSON
import WharfMessaging

@testable import WharfSMTP

@Suite(.enabled(SMTPPeer.whereItIsNot) { try await SMTPPeer.isThere.value })
struct SMTPChannelTests {
    private static let secret = SMTPCredentials(user: "wharf", password: "S3CRET pässword")

    private func part(_ first: String, cc: [String] = [], bcc: [String] = []) throws -> MessagePart {
        var part = MessagePart.email(address: "\(first)@example.com")
        part.email.cc = try cc.map { Mailbox(try EmailAddress("\($0)@example.com")) }
        part.email.bcc = try bcc.map { Mailbox(try EmailAddress("\($0)@example.com")) }
        return part
    }

    private func recipients(_ locals: String...) -> JSONValue {
        .init(.array(locals.map { .init(stringLiteral: "\($0)@example.com") }))
    }

    @Test func randomMessagesArriveByteForByte() async throws {
        try await SMTPPeer.run { peer in
            for message in try AnyMessage.generator.samples(40, seed: 5) {
                var part = MessagePart(
                    title: message.subject, body: message.text, name: message.to[0].name,
                    address: "\(message.to[0].address)", key: message.key, sentAt: message.date)
                part.email = message.content
                part.email.attachments.append(
                    EmailAttachment("big", type: "image/png", Array(repeating: 0xAB, count: 20_000)))
                let channel = SMTPChannel(
                    from: message.from, server: try SMTPServer.unencrypted("127.0.0.1", port: peer.port))
                let verdict = await channel.deliver(part)
                try require(verdict == .delivered, "\(verdict)")
                let sent = try EmailMessage(part, from: message.from)
                let read = ReadMessage(value: try await peer.message())
                #expect(read.differences(from: sent).isEmpty, "\(read.differences(from: sent))")
                #expect(read.value["bytes"] == .init(stringLiteral: Data(try sent.encoded()).base64EncodedString()))
                let envelope = sent.recipients.map { JSONValue(stringLiteral: "\($0)") }
                #expect(read.value["recipients"] == .init(.array(envelope)))
                #expect(read.value["sender"] == .init(stringLiteral: "\(sent.from.address)"))
            }
        }
    }

    @Test(arguments: [SMTPPeer.Encryption.starttls, .tls], ["", "login"])
    func credentialsAreSentOnceTheConnectionIsEncrypted(encryption: SMTPPeer.Encryption, only: String) async throws {
        try await SMTPPeer.run(encryption, "user=wharf,S3CRET pässword", only) { peer in
            let server = try peer.server(encryption == .tls ? .tls : .startTLS, Self.secret)
            let verdict = await (try peer.channel(server)).deliver(.email())
            try require(verdict == .delivered, "\(verdict)")
            let message = try await peer.message()
            #expect(message["user"] == "wharf" && message["isEncrypted"] == true)
        }
    }

    @Test func wrongCredentialsNeedAuthenticationAndAreNotReported() async throws {
        try await SMTPPeer.run(.starttls, "user=wharf,other") { peer in
            let verdict = await (try peer.channel(try peer.server(.startTLS, Self.secret))).deliver(.email())
            guard case .needsAuthentication(let failure) = verdict else { throw Broken("\(verdict)") }
            #expect(failure.message.contains("535") && failure.message.contains("resume"))
            #expect(!failure.message.contains("S3CRET"))
        }
    }

    @Test func aServerThatWantsASignInNeedsAuthentication() async throws {
        try await SMTPPeer.run(.starttls, "user=wharf,other") { peer in
            let verdict = await (try peer.channel(try peer.server())).deliver(.email())
            guard case .needsAuthentication(let failure) = verdict else { throw Broken("\(verdict)") }
            #expect(failure.message.contains("530"))
        }
    }

    @Test func aServerWithoutStartTLSGetsNothing() async throws {
        try await SMTPPeer.run { peer in
            let verdict = await (try peer.channel(try peer.server(.startTLS, Self.secret))).deliver(.email())
            guard case .offline(let failure) = verdict else { throw Broken("\(verdict)") }
            #expect(failure.message.contains("no STARTTLS"))
            #expect(await (try peer.channel()).deliver(.email(title: "next")) == .delivered)
            #expect(try await peer.message()["subject"] == "next")
        }
    }

    @Test(arguments: [SMTPPeer.Encryption.starttls, .tls])
    func aCertificateThatIsNotTrustedGetsNothing(encryption: SMTPPeer.Encryption) async throws {
        try await SMTPPeer.run(encryption) { peer in
            let server = try SMTPServer(
                "localhost", port: peer.port, security: encryption == .tls ? .tls : .startTLS, credentials: Self.secret)
            let verdict = await (try peer.channel(server)).deliver(.email())
            guard case .offline(let failure) = verdict else { throw Broken("\(verdict)") }
            #expect(failure.message.contains("certificate"))
        }
    }

    @Test func eachRecipientIsSettledByItself() async throws {
        try await SMTPPeer.run { peer in
            let channel = try peer.channel()
            let part = try part("ada", cc: ["unknown", "once"], bcc: ["secret"])
            guard case .retry(let first, nil) = await channel.deliver(part) else { throw Broken("not tried again") }
            #expect(
                first.message.contains("once@example.com (451") && first.message.contains("unknown@example.com (550"))
            #expect(try await peer.message()["recipients"] == recipients("ada", "secret"))
            // The second attempt goes to the remaining recipient. Ada has the mail, so no fallback
            // is due.
            #expect(await channel.deliver(part) == .delivered)
            #expect(try await peer.message()["recipients"] == recipients("once"))
        }
    }

    @Test func aRefusedRecipientRejectsTheMessage() async throws {
        try await SMTPPeer.run { peer in
            let channel = try peer.channel()
            let part = try part("unknown", cc: ["ada"])
            guard case .rejected(let first) = await channel.deliver(part) else { throw Broken("not rejected") }
            #expect(first.message.contains("unknown@example.com (550 5.1.1 no such mailbox)"))
            #expect(try await peer.message()["recipients"] == recipients("ada"))
            // A manual retry goes to the refused recipient alone.
            guard case .rejected = await channel.deliver(part) else { throw Broken("not rejected again") }
            #expect(await (try peer.channel()).deliver(try self.part("bob")) == .delivered)
            #expect(try await peer.message()["recipients"] == recipients("bob"))
        }
    }

    @Test func refusalsOfCcAndBccAreReportedOnce() async throws {
        try await SMTPPeer.run { peer in
            let refusals = Mutex<[RefusedRecipient]>([])
            let channel = SMTPChannel(
                from: Mailbox(try EmailAddress("wharf@example.com")),
                server: try .unencrypted("127.0.0.1", port: peer.port),
                configuration: .init(onRefusal: { refusal in refusals.withLock { $0.append(refusal) } }))
            let part = try part("ada", cc: ["once", "unknown"])
            // One recipient is deferred, so the message is tried again, for this recipient alone.
            _ = await channel.deliver(part)
            _ = await channel.deliver(part)
            let unknown = RefusedRecipient(
                address: try EmailAddress("unknown@example.com"), answer: "550 5.1.1 no such mailbox",
                to: try EmailAddress("ada@example.com"), key: part.key)
            #expect(refusals.withLock { $0 } == [unknown])
        }
    }

    @Test func aRefusedBccLeavesTheMessageDelivered() async throws {
        try await SMTPPeer.run { peer in
            let refusals = Mutex<[RefusedRecipient]>([])
            let channel = SMTPChannel(
                from: Mailbox(try EmailAddress("wharf@example.com")),
                server: try .unencrypted("127.0.0.1", port: peer.port),
                configuration: .init(onRefusal: { refusal in refusals.withLock { $0.append(refusal) } }))
            #expect(await channel.deliver(try part("ada", bcc: ["unknown"])) == .delivered)
            #expect(refusals.withLock { $0.map(\.address) } == [try EmailAddress("unknown@example.com")])
        }
    }

    @Test func aServerWithOtherMechanismsNeedsAuthentication() async throws {
        try await SMTPPeer.run(.starttls, "user=wharf,S3CRET pässword", "strange") { peer in
            let verdict = await (try peer.channel(try peer.server(.startTLS, Self.secret))).deliver(.email())
            guard case .needsAuthentication(let failure) = verdict else { throw Broken("\(verdict)") }
            #expect(failure.message.contains("neither AUTH PLAIN nor AUTH LOGIN"))
        }
    }

    @Test func aTimeoutBeyondLibcurlsLimitIsClamped() async throws {
        try await SMTPPeer.run { peer in
            let channel = SMTPChannel(
                from: Mailbox(try EmailAddress("wharf@example.com")),
                server: try .unencrypted("127.0.0.1", port: peer.port),
                configuration: .init(timeout: .seconds(3_000_000_000)))
            #expect(await channel.deliver(.email()) == .delivered)
        }
    }

    @Test(arguments: [
        ("mx.example.com", "mx.example.com"), ("192.0.2.1", "[192.0.2.1]"), ("2001:db8::1", "[IPv6:2001:db8::1]"),
        ("300.0.2.1", "300.0.2.1"),
    ])
    func aClientAddressIsSentAsALiteral(name: String, sent: String) async throws {
        try await SMTPPeer.run { peer in
            let server = try SMTPServer.unencrypted("127.0.0.1", port: peer.port, clientName: name)
            #expect(await (try peer.channel(server)).deliver(.email()) == .delivered)
            #expect(try await peer.message()["client"] == .init(stringLiteral: sent))
        }
    }

    @Test func replyCodesGiveTheVerdictsOfRFC5321() async throws {
        let answers: [(local: String, meaning: String, code: DeliveryFailure.Code)] = [
            ("unknown", "rejected", .rejected), ("spam", "rejected", .rejected), ("busy", "retry", .unavailable),
            ("later", "retry", .unavailable), ("drop", "retry", .noAnswer), ("many", "retry", .unavailable),
        ]
        try await SMTPPeer.run { peer in
            for (local, meaning, code) in answers {
                let verdict = await (try peer.channel()).deliver(try part(local))
                #expect(verdict.name == meaning && verdict.failure?.code == code, "\(local): \(verdict)")
            }
            for (sender, meaning) in [("unwelcome", "rejected"), ("slow", "retry")] {
                let verdict = await (try peer.channel(from: "\(sender)@example.com")).deliver(.email())
                #expect(verdict.name == meaning, "\(sender): \(verdict)")
            }
        }
    }

    @Test func aServerThatIsBusyIsTriedAgain() async throws {
        try await SMTPPeer.run(.none, "busy") { peer in
            let verdict = await (try peer.channel()).deliver(.email())
            #expect(verdict.name == "retry" && verdict.failure?.message.contains("421") == true, "\(verdict)")
        }
    }

    @Test func aServerThatIsNotThereIsOffline() async throws {
        // No program listens at port 1.
        for server in [try SMTPServer.unencrypted("127.0.0.1", port: 1), try SMTPServer("no-such-host.invalid")] {
            let channel = SMTPChannel(from: Mailbox(try EmailAddress("wharf@example.com")), server: server)
            #expect(await channel.deliver(.email()).name == "offline")
        }
    }

    @Test(arguments: [("silent", "ada"), ("", "hang")])
    func aServerThatNeverAnswersIsTimedOut(option: String, local: String) async throws {
        try await SMTPPeer.run(.none, option) { peer in
            let clock = TestClock()
            let channel = try peer.channel(timer: clock)
            async let verdict = channel.deliver(try part(local))
            await clock.untilSleeping()
            _ = try await peer.message()
            clock.advance(by: .seconds(600))
            let found = try await verdict
            #expect(found.name == "retry" && found.failure?.message.contains("600") == true, "\(found)")
        }
    }

    @Test(arguments: [("silent", "ada"), ("", "hang")])
    func aDeliveryThatIsCancelledEnds(option: String, local: String) async throws {
        try await SMTPPeer.run(.none, option) { peer in
            let channel = try peer.channel(timer: TestClock())
            let part = try part(local)
            let delivery = Task { await channel.deliver(part) }
            _ = try await peer.message()
            delivery.cancel()
            #expect(await delivery.value.name == "retry")
        }
    }

    @Test func aRefusalIsNotHeldUpByQUIT() async throws {
        try await SMTPPeer.run(.none, "noquit") { peer in
            // The test clock never reaches the timeout.
            let verdict = await (try peer.channel(timer: TestClock())).deliver(try part("unknown"))
            #expect(verdict.name == "rejected", "\(verdict)")
        }
    }

    @Test func aPermitIsHeldUntilTheConnectionEnds() async throws {
        try await SMTPPeer.run(.none, "noquit") { peer in
            let channel = SMTPChannel(
                from: Mailbox(try EmailAddress("wharf@example.com")),
                server: try .unencrypted("127.0.0.1", port: peer.port), configuration: .init(connections: 1))
            #expect(await channel.deliver(.email(key: "k1")) == .delivered)
            #expect(try await peer.message()["quitting"] == 0)
            #expect(try await peer.message() == "quits")
            #expect(await channel.deliver(.email(key: "k2")) == .delivered)
            #expect(try await peer.message()["quitting"] == 0)
        }
    }

    @Test func abortedMessageIsNeverTerminated() async throws {
        try await SMTPPeer.run(.none, "stuck") { peer in
            // The message is larger than the buffers of a connection.
            let bytes = Array(repeating: Array("0123456789\r\n".utf8), count: 1_000_000).flatMap { $0 }
            let session = SMTPSession(
                try .unencrypted("127.0.0.1", port: peer.port), from: try EmailAddress("a@example.com"),
                to: [try EmailAddress("b@example.com")], bytes, within: .seconds(600))
            async let transcript = withCheckedContinuation { done in session.start { done.resume(returning: $0) } }
            #expect(try await peer.message() == "stuck")
            session.abort(.timedOut(.seconds(600)))
            #expect(await transcript.ending == .timedOut(.seconds(600)))
            // The second connection lets the server report the rest of the message.
            #expect(await (try peer.channel()).deliver(.email()).name == "retry")
            #expect(try await peer.message() == false)
        }
    }
}
#endif
