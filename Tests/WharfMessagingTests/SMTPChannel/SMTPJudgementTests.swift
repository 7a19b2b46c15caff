#if os(Linux)
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfMessaging

@testable import WharfSMTP

struct SMTPJudgementTests {
    /// A dialogue by lines. Those of the client begin with `>`.
    private func dialogue(_ lines: [String]) -> SMTPDialogue {
        var dialogue = SMTPDialogue()
        for line in lines {
            if line.hasPrefix(">") {
                dialogue.sent("\(line.dropFirst())\r\n")
            } else {
                dialogue.received("\(line)\r\n")
            }
        }
        return dialogue
    }

    private func judgement(
        _ lines: [String], _ ending: SMTPEnding = .lost("gone"), recipients: Int = 2
    ) -> SMTPJudgement {
        SMTPJudgement(
            SMTPTranscript(dialogue: dialogue(lines), ending: ending), recipients: recipients, server: "mx")
    }

    private static let open = ["220 mx", ">EHLO me", "250-mx", "250 SIZE", ">MAIL FROM:<a@b> SIZE=3", "250 OK"]

    @Test func aReplyBelongsToTheCommandBeforeIt() {
        let lines = [
            "220-mx", "220 ready", ">EHLO me", "250-mx", "250 STARTTLS", ">STARTTLS", "220 go", ">EHLO me", "250 mx",
            ">AUTH LOGIN", "334 VXNlcm5hbWU6", ">QUIT", "334 UGFzc3dvcmQ6", ">DATA", "235 2.7.0 welcome",
            ">MAIL FROM:<a@b>", "250 OK", ">RCPT TO:<c@d>", "250 OK", ">RCPT TO:<e@f>", "550-no", "550 such user",
            ">DATA", "354 go on", "250 queued", ">QUIT", "221 bye",
        ]
        let replies = dialogue(lines).replies
        #expect(replies[.greeting]?.text == "mx ready" && replies[.startTLS]?.code == 220)
        #expect(replies[.authentication]?.code == 235)
        #expect(replies[.recipient(0)]?.code == 250 && replies[.recipient(1)]?.description == "550 no such user")
        #expect(replies[.data]?.code == 354 && replies[.content]?.text == "queued" && replies[.quit]?.code == 221)
    }

    @Test(arguments: [
        ("250 queued", [SMTPJudgement.Fate.taken, .refused("550 no")]),
        ("451 full", [.deferred("451 full"), .refused("550 no")]),
        ("554 spam", [.refused("554 spam"), .refused("550 no")]),
    ])
    func theLastReplyCountsForThoseThatWereAccepted(last: String, fates: [SMTPJudgement.Fate]) {
        let accepted = Self.open + [">RCPT TO:<c@d>", "250 OK", ">RCPT TO:<e@f>", "550 no", ">DATA"]
        #expect(judgement(accepted + ["354 go", last], .complete) == .each(fates))
        if last != "250 queued" { #expect(judgement(accepted + [last], .complete) == .each(fates)) }
        guard case .whole(.retry(let failure, nil)) = judgement(accepted + ["354 go"]) else {
            Issue.record("without an answer it is not tried again")
            return
        }
        #expect(failure.code == .noAnswer)
    }

    @Test func refusedByAllItIsSettledWithoutData() {
        let lines = Self.open + [">RCPT TO:<c@d>", "450 later", ">RCPT TO:<e@f>", "552 too many"]
        #expect(judgement(lines) == .each([.deferred("450 later"), .deferred("552 too many")]))
        // The connection was lost before the second answer, so that recipient's result is unknown.
        guard case .whole(.retry) = judgement(Array(lines.dropLast())) else {
            Issue.record("it is not tried again")
            return
        }
    }

    @Test(arguments: [
        (["421 busy"], "retry"), (["554 not you"], "retry"), (["220 mx", ">EHLO me", "550 no"], "retry"),
        (open.dropLast() + ["530 sign in"], "needsAuthentication"), (open.dropLast() + ["550 no"], "rejected"),
        (open.dropLast() + ["452 full"], "retry"),
        (["220 mx", ">EHLO", "250 mx", ">AUTH PLAIN", "535 no"], "needsAuthentication"),
        (["220 mx", ">EHLO", "250 mx", ">AUTH PLAIN", "454 later"], "retry"), ([], "retry"),
    ])
    func aRefusalBeforeTheRecipientsIsOfTheWholeMessage(lines: [String], meaning: String) {
        guard case .whole(let verdict) = judgement(lines) else {
            Issue.record("\(judgement(lines))")
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
        guard case .whole(let verdict) = judgement([], ending) else { throw Broken("not whole") }
        #expect(verdict.name == meaning)
    }

    @Test func aMessageThatIsTooLargeIsToBeMadeSmaller() throws {
        let refused = judgement(Self.open.dropLast() + ["552 5.3.4 too big"])
        guard case .whole(.rejected(let failure)) = refused else { throw Broken("\(refused)") }
        #expect(failure.message.hasSuffix("make the message smaller"))
        let ada = try EmailAddress("ada@example.com")
        var ledger = RecipientLedger()
        let verdict = ledger.settle(
            [(ada, .refused("552 5.3.4 too big"))], to: ada, of: IdempotencyKey("a"), server: "mx")
        #expect(verdict.failure?.message.hasSuffix("make the message smaller") == true)
    }

    @Test func aReplyWithoutEndIsKeptShort() {
        var dialogue = SMTPDialogue()
        for _ in 0..<1_000 { dialogue.received("250-0123456789\r\n") }
        #expect(dialogue.text.unicodeScalars.count == SMTPDialogue.longestText)
        dialogue.received("250 end\r\n")
        #expect(dialogue.replies[.greeting]?.text.hasPrefix("0123456789 0123456789 ") == true)
        #expect(dialogue.text.isEmpty)
    }

    @Test func aLedgerForgetsTheOldestAndWhatIsDone() throws {
        let (ada, bob) = (try EmailAddress("ada@example.com"), try EmailAddress("bob@example.com"))
        var ledger = RecipientLedger(limit: 2)
        func settle(_ key: String, _ fate: SMTPJudgement.Fate) -> Delivery.Verdict {
            ledger.settle([(ada, .taken), (bob, fate)], to: ada, of: IdempotencyKey(key), server: "mx")
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
