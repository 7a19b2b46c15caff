#if os(Linux)
import Testing
import WharfChecks

@testable import WharfSMTP

struct SMTPTransactionTests {
    private static let group = "MAIL FROM:<a@x>\r\nRCPT TO:<b@x>\r\nRCPT TO:<c@x>\r\nDATA\r\n"

    private func transaction(_ extensions: SMTPExtensions, _ message: String = "Hi\r\n") -> SMTPTransaction {
        SMTPTransaction(from: "a@x", to: ["b@x", "c@x"], Array(message.utf8), extensions: extensions)
    }

    /// The outputs of a transaction, and its end.
    private struct Run: Hashable {
        var outputs: [String] = []
        var replies: [SMTPStep: SMTPReply] = [:]
        var violation: SMTPViolation?
        var isSettled = false
        var isOver = false
    }

    /// Lets a transaction write until it waits, then gives it the next piece.
    private func run(_ transaction: SMTPTransaction, _ pieces: [[UInt8]]) -> Run {
        var transaction = transaction
        var run = Run()
        func write() {
            while let output = transaction.nextOutput() { run.outputs.append(String(decoding: output, as: UTF8.self)) }
        }
        write()
        for piece in pieces {
            transaction.receive(piece)
            write()
        }
        run.replies = transaction.replies
        run.violation = transaction.violation
        (run.isSettled, run.isOver) = (transaction.isSettled, transaction.isOver)
        return run
    }

    private func run(_ extensions: SMTPExtensions, _ lines: String...) -> Run {
        run(transaction(extensions), lines.map { Array("\($0)\r\n".utf8) })
    }

    // MARK: Groups

    @Test func withPipeliningTheCommandsAreOneWrite() {
        let pipelined = run(.pipelining, "250 a", "250 b", "250 c", "354 go", "250 taken", "221 bye")
        #expect(pipelined.outputs == [Self.group, "Hi\r\n.\r\n", "QUIT\r\n"])
        #expect(pipelined.isSettled && pipelined.isOver && pipelined.violation == nil)
        let one = run([], "250 a", "250 b", "250 c", "354 go", "250 taken", "221 bye")
        #expect(
            one.outputs == [
                "MAIL FROM:<a@x>\r\n", "RCPT TO:<b@x>\r\n", "RCPT TO:<c@x>\r\n", "DATA\r\n", "Hi\r\n.\r\n", "QUIT\r\n",
            ])
        #expect(one.replies == pipelined.replies && one.isOver)
    }

    @Test func aGroupIsNotLeftBeforeEachOfItsRepliesIsThere() {
        let run = run(.pipelining, "250 a", "250 b", "250 c")
        #expect(run.outputs == [Self.group] && !run.isSettled)
    }

    @Test func sizeIsDeclaredToAServerThatTakesIt() {
        #expect(transaction(.size, "Hi\r\n").firstOutput == "MAIL FROM:<a@x> SIZE=4\r\n")
        // The doubled dot and the last line do not count (RFC 1870 §5). The added CRLF does.
        #expect(transaction(.size, ".Hi").firstOutput == "MAIL FROM:<a@x> SIZE=5\r\n")
    }

    // MARK: Cuts

    @Test(arguments: [SMTPExtensions.pipelining, []])
    func everyCutOfTheAnswersIsTheSame(extensions: SMTPExtensions) {
        // Without pipelining a server answers each command when it arrives.
        let script =
            extensions == .pipelining
            ? ["250-a\r\n250 ok\r\n250 b\r\n550 c\r\n354 go\r\n", "250 taken\r\n", "221 bye\r\n"]
            : ["250-a\r\n250 ok\r\n", "250 b\r\n", "550 c\r\n", "354 go\r\n", "250 taken\r\n", "221 bye\r\n"]
        let whole = run(transaction(extensions), script.map { Array($0.utf8) })
        #expect(whole.isOver && whole.replies[.recipient(1)]?.text == "c" && whole.replies[.content]?.code == 250)
        #expect(run(transaction(extensions), script.joined().utf8.map { [$0] }) == whole)
        for (index, text) in script.enumerated() {
            let bytes = Array(text.utf8)
            for cut in 1..<bytes.count {
                var pieces = script.map { Array($0.utf8) }
                pieces.replaceSubrange(index...index, with: [Array(bytes[..<cut]), Array(bytes[cut...])])
                #expect(run(transaction(extensions), pieces) == whole, "cut of \(index) at \(cut)")
            }
        }
    }

    @Test func aServerThatStopsAnywhereHasTakenNothing() {
        let script = Array("250 a\r\n250 b\r\n250 c\r\n354 go\r\n250 taken\r\n".utf8)
        for length in 0..<script.count {
            let run = run(transaction(.pipelining), [Array(script[..<length])].map { $0 })
            #expect(!run.isSettled && run.replies[.content] == nil, "after \(length) bytes")
        }
    }

    // MARK: Refusals

    @Test func behindRefusedRecipientsDATAIsAnsweredByTheDotAlone() {
        let run = run(.pipelining, "250 a", "550 b", "450 c", "354 go", "554 no recipients", "221 bye")
        #expect(run.outputs == [Self.group, ".\r\n", "QUIT\r\n"] && run.isOver)
        #expect(run.replies[.recipient(0)]?.code == 550 && run.replies[.recipient(1)]?.code == 450)
    }

    @Test func behindARefusedSenderNoMessageIsSent() {
        let run = run(.pipelining, "550 a", "250 b", "250 c", "354 go", "250 taken", "221 bye")
        #expect(run.outputs == [Self.group, ".\r\n", "QUIT\r\n"] && run.isOver)
    }

    @Test func aRefusalIsSettledBeforeTheDotIsAnswered() {
        let run = run(.pipelining, "250 a", "550 b", "550 c", "354 go")
        #expect(run.isSettled && !run.isOver)
    }

    @Test func aRefusedDATAEndsInQUIT() {
        let run = run(.pipelining, "250 a", "550 b", "550 c", "554 no valid recipients")
        #expect(run.outputs == [Self.group, "QUIT\r\n"] && run.isSettled)
    }

    @Test func oneRefusedRecipientDoesNotHoldTheOthersUp() {
        let run = run(.pipelining, "250 a", "550 b", "250 c", "354 go")
        #expect(run.outputs == [Self.group, "Hi\r\n.\r\n"] && !run.isSettled)
    }

    @Test func withoutPipeliningARefusalEndsTheCommands() {
        #expect(run([], "550 a").outputs == ["MAIL FROM:<a@x>\r\n", "QUIT\r\n"])
        let refused = run([], "250 a", "550 b", "450 c")
        #expect(refused.outputs.last == "QUIT\r\n" && !refused.outputs.contains("DATA\r\n") && refused.isSettled)
    }

    @Test func aRefusalInsideTheMessageStopsIt() {
        var transaction = transaction(.pipelining, String(repeating: "0123456789\r\n", count: 20_000))
        _ = transaction.nextOutput()
        transaction.receive("250 a\r\n250 b\r\n250 c\r\n354 go\r\n".utf8)
        #expect(transaction.nextOutput()?.count == SMTPContent.longestPiece)
        transaction.receive("552 too big\r\n".utf8)
        #expect(transaction.nextOutput() == nil && transaction.isOver && transaction.isSettled)
        #expect(transaction.replies[.content]?.code == 552)
    }

    @Test func aServerThatClosesIsNotSentAnythingMore() {
        let run = run(.pipelining, "250 a", "250 b", "421 bye")
        #expect(run.outputs == [Self.group] && run.isOver && run.isSettled && run.replies[.recipient(1)]?.code == 421)
    }

    // MARK: Violations

    @Test(arguments: [
        (["354 a"], "a reply to MAIL that does not answer it: 354 a"), (["150 a"], "a reply to MAIL that does not"),
        (["250 a", "354 b"], "a reply to RCPT that does not answer it: 354 b"),
        (["250 a", "250 b", "250 c", "250 d"], "a reply to DATA that does not answer it: 250 d"),
        (["250 a", "250 b", "250 c", "354 d", "354 e"], "a reply to the message that does not answer it: 354 e"),
    ])
    func aCodeThatAnswersNothingEndsIt(lines: [String], meaning: String) throws {
        let run = run(transaction(.pipelining), lines.map { Array("\($0)\r\n".utf8) })
        #expect(run.isOver && !run.isSettled && run.outputs.last != "QUIT\r\n")
        #expect(try #require(run.violation).description.hasPrefix(meaning))
    }

    @Test func aReplyBeforeItsCommandEndsIt() {
        let run = run(transaction([]), [Array("250 a\r\n250 early\r\n".utf8)])
        #expect(run.violation == .unasked(SMTPReply(code: 250, text: "early")))
        #expect(run.outputs == ["MAIL FROM:<a@x>\r\n"])
    }

    @Test func aMessageIsNotTakenBeforeItsDot() {
        var transaction = transaction(.pipelining, String(repeating: "0123456789\r\n", count: 20_000))
        _ = transaction.nextOutput()
        transaction.receive("250 a\r\n250 b\r\n250 c\r\n354 go\r\n250 taken\r\n".utf8)
        #expect(transaction.violation == .unasked(SMTPReply(code: 250, text: "taken")))
        #expect(transaction.replies[.content] == nil && !transaction.isSettled)
    }

    @Test func aReplyBeyondTheLimitsEndsIt() {
        var transaction = transaction(.pipelining)
        _ = transaction.nextOutput()
        for _ in 0..<1_001 { transaction.receive("250-more\r\n".utf8) }
        #expect(transaction.violation == .limit(.manyLines) && transaction.isOver)
    }

    // MARK: Content

    @Test(arguments: [
        ("Hi\r\n", "Hi\r\n.\r\n"), ("Hi", "Hi\r\n.\r\n"), ("", ".\r\n"), (".", "..\r\n.\r\n"),
        (".\r\n..\r\na.b\r\n", "..\r\n...\r\na.b\r\n.\r\n"), ("\r\n.\r\nQUIT\r\n", "\r\n..\r\nQUIT\r\n.\r\n"),
        ("a\r.\n.b\r\n", "a\r.\n.b\r\n.\r\n"),
    ])
    func dotsAtTheBeginningOfLinesAreDoubled(message: String, sent: String) {
        var content = SMTPContent(Array(message.utf8))
        #expect(String(decoding: content.nextPiece(), as: UTF8.self) == sent && content.isAtEnd)
    }

    @Test func aCutBetweenPiecesChangesNothing() {
        // The shifts put the end of a piece at each position in ".\r\n".
        for shift in 0..<4 {
            let message = String(repeating: "x", count: shift) + String(repeating: ".\r\n", count: 50_000)
            var content = SMTPContent(Array(message.utf8))
            var pieces: [[UInt8]] = []
            while !content.isAtEnd { pieces.append(content.nextPiece()) }
            let expected =
                (shift == 0 ? "." : String(repeating: "x", count: shift)) + ".\r\n"
                + String(repeating: "..\r\n", count: 49_999) + ".\r\n"
            #expect(pieces.count == 3 && pieces.flatMap { $0 } == Array(expected.utf8))
        }
    }
}

extension SMTPTransaction {
    fileprivate var firstOutput: String? {
        var copy = self
        return copy.nextOutput().map { String(decoding: $0, as: UTF8.self) }
    }
}
#endif
