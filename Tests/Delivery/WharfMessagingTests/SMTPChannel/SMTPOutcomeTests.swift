#if os(Linux)
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfMessaging

@testable import WharfSMTP

struct SMTPOutcomeTests {
    /// Parses the replies of a session, such as "MAIL 250 OK", "RCPT 550 no such user".
    ///
    /// The lines with RCPT belong to the recipients in their order.
    private func replies(_ lines: [String]) -> [SMTPStep: SMTPReply] {
        let steps: [String: SMTPStep] = [
            "CONNECT": .greeting, "EHLO": .hello, "AUTH": .authentication, "MAIL": .sender, "DATA": .data,
            ".": .content,
        ]
        var replies: [SMTPStep: SMTPReply] = [:]
        var recipients = 0
        for line in lines {
            let parts = line.split(separator: " ", maxSplits: 2).map { "\($0)" }
            let step = steps[parts[0]] ?? .recipient(recipients)
            if steps[parts[0]] == nil { recipients += 1 }
            replies[step] = SMTPReply(code: Int(parts[1]) ?? 0, text: parts.count > 2 ? parts[2] : "")
        }
        return replies
    }

    private func outcome(
        _ lines: [String], _ ending: SMTPEnding = .lost("gone"), recipients: Int = 2
    ) -> SMTPOutcome {
        SMTPOutcome(SMTPTranscript(replies: replies(lines), ending: ending), recipients: recipients, server: "mx")
    }

    private static let open = ["CONNECT 220 mx", "EHLO 250 mx", "MAIL 250 OK"]

    @Test(arguments: [
        ("250 queued", [SMTPOutcome.RecipientOutcome.taken, .refused("550 no")]),
        ("451 full", [.deferred("451 full"), .refused("550 no")]),
        ("554 spam", [.refused("554 spam"), .refused("550 no")]),
    ])
    func lastReplySettlesTheAcceptedRecipients(last: String, outcomes: [SMTPOutcome.RecipientOutcome]) {
        let accepted = Self.open + ["RCPT 250 OK", "RCPT 550 no"]
        #expect(outcome(accepted + ["DATA 354 go", ". \(last)"], .complete) == .each(outcomes))
        if last != "250 queued" { #expect(outcome(accepted + ["DATA \(last)"], .complete) == .each(outcomes)) }
        guard case .whole(.retry(let failure, nil)) = outcome(accepted + ["DATA 354 go"]) else {
            Issue.record("without an answer it is not tried again")
            return
        }
        #expect(failure.code == .noAnswer)
    }

    @Test func messageRefusedForAllIsSettledWithoutData() {
        let lines = Self.open + ["RCPT 450 later", "RCPT 552 too many"]
        #expect(outcome(lines) == .each([.deferred("450 later"), .deferred("552 too many")]))
        // The connection was lost before the second answer, so that recipient's result is unknown.
        guard case .whole(.retry) = outcome(Array(lines.dropLast())) else {
            Issue.record("it is not tried again")
            return
        }
    }

    @Test(arguments: [
        (["CONNECT 421 busy"], "retry"), (["CONNECT 554 not you"], "retry"),
        (["CONNECT 220 mx", "EHLO 550 no"], "retry"), (open.dropLast() + ["MAIL 530 sign in"], "needsAuthentication"),
        (open.dropLast() + ["MAIL 550 no"], "rejected"), (open.dropLast() + ["MAIL 452 full"], "retry"),
        (["CONNECT 220 mx", "EHLO 250 mx", "AUTH 535 no"], "needsAuthentication"),
        (["CONNECT 220 mx", "EHLO 250 mx", "AUTH 454 later"], "retry"), ([], "retry"),
    ])
    func aRefusalBeforeTheRecipientsIsOfTheWholeMessage(lines: [String], meaning: String) {
        guard case .whole(let verdict) = outcome(lines) else {
            Issue.record("\(outcome(lines))")
            return
        }
        switch verdict {
        case .needsAuthentication: #expect(meaning == "needsAuthentication")
        case .rejected: #expect(meaning == "rejected")
        case .retry: #expect(meaning == "retry")
        default: Issue.record("\(verdict)")
        }
    }

    @Test(arguments: [
        (SMTPEnding.notSetUp("no memory"), "retry"), (.notSignedIn, "needs authentication"),
        (.unreachable("no route"), "offline"),
    ])
    func anEndingBeforeAnyReplyIsOfTheWholeMessage(ending: SMTPEnding, meaning: String) throws {
        guard case .whole(let verdict) = outcome([], ending) else { throw Broken("not whole") }
        #expect(verdict.name == meaning)
    }

    @Test func tooLargeMessageIsRejectedWithAHint() throws {
        let refused = outcome(Self.open.dropLast() + ["MAIL 552 5.3.4 too big"])
        guard case .whole(.rejected(let failure)) = refused else { throw Broken("\(refused)") }
        #expect(failure.message.hasSuffix("make the message smaller"))
        let ada = try EmailAddress("ada@example.com")
        var ledger = RecipientLedger()
        let verdict = ledger.settle(
            [(ada, .refused("552 5.3.4 too big"))], to: ada, of: IdempotencyKey("a"), server: "mx")
        #expect(verdict.failure?.message.hasSuffix("make the message smaller") == true)
    }

    @Test func aRefusedSenderDecidesAlsoBehindDATA() {
        // A server may accept recipients and an empty message after a refused MAIL.
        let lines = Self.open.dropLast() + ["MAIL 550 no", "RCPT 250 OK", "RCPT 503 no", "DATA 354 go", ". 250 OK"]
        guard case .whole(.rejected) = outcome(Array(lines), .complete) else {
            Issue.record("\(outcome(Array(lines), .complete))")
            return
        }
    }

    @Test func aServerThatClosesAmongTheRecipientsIsTriedAgain() {
        let found = outcome(Self.open + ["RCPT 250 OK", "RCPT 421 too long"], .complete, recipients: 3)
        guard case .whole(.retry(let failure, nil)) = found else {
            Issue.record("\(found)")
            return
        }
        #expect(failure.code == .unavailable && failure.message.contains("421 too long"))
    }

    @Test func aBrokenReplyIsTriedAgain() {
        let found = outcome(Self.open, .violated(.limit(.longLine)))
        guard case .whole(.retry(let failure, nil)) = found else {
            Issue.record("\(found)")
            return
        }
        #expect(failure.code == .noAnswer && failure.message.contains("a line of more than 65536 bytes"))
    }

    @Test func ledgerForgetsTheOldestAndCompletedMessages() throws {
        let (ada, bob) = (try EmailAddress("ada@example.com"), try EmailAddress("bob@example.com"))
        var ledger = RecipientLedger(limit: 2)
        func settle(_ key: String, _ outcome: SMTPOutcome.RecipientOutcome) -> Delivery.Verdict {
            ledger.settle([(ada, .taken), (bob, outcome)], to: ada, of: IdempotencyKey(key), server: "mx")
        }
        for key in ["a", "b", "c"] {
            guard case .retry = settle(key, .deferred("451")) else { throw Broken("not tried again") }
        }
        #expect(ledger.open([ada, bob], of: IdempotencyKey("a")) == [ada, bob])
        #expect(ledger.open([ada, bob], of: IdempotencyKey("b")) == [bob])
        #expect(settle("b", .taken) == .delivered)
        #expect(ledger.open([ada, bob], of: IdempotencyKey("b")) == [ada, bob])
    }
}
#endif
