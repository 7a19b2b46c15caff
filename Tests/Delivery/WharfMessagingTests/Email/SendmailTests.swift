import Foundation
import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfMessaging

@Suite struct SendmailTests {
    private func verdict(_ exit: Sendmail.Exit) async throws -> Delivery.Verdict {
        let outgoing = Outgoing()
        outgoing.exit(exit)
        return await (try outgoing.channel()).deliver(.email())
    }

    @Test(arguments: [64, 65, 66, 67, 77, 78] as [Int32])
    func permanentExitCodeIsRejected(code: Int32) async throws {
        guard case .rejected(let failure) = try await verdict(.init(code: code, complaint: "no\nsuch user\n")) else {
            Issue.record("\(code) is not rejected")
            return
        }
        #expect(failure.message.contains("\(code) (EX_") && failure.message.hasSuffix("it says: no such user"))
    }

    @Test(arguments: [1, 68, 69, 70, 71, 72, 73, 74, 75, 76, 127] as [Int32])
    func temporaryExitCodeIsARetry(code: Int32) async throws {
        guard case .retry = try await verdict(.init(code: code)) else {
            Issue.record("\(code) is not tried again")
            return
        }
    }

    @Test func signalOrMissingProgramIsARetry() async throws {
        guard case .retry(let ended, _) = try await verdict(.init(code: nil)) else {
            Issue.record("a signal is not tried again")
            return
        }
        #expect(ended.code == .noAnswer)
        let missing = EmailChannel(
            from: Mailbox(try EmailAddress("wharf@example.com")),
            sendmail: Sendmail("/nowhere/sendmail") { _, _, _ in throw Broken("no such file") })
        guard case .retry(let failure, _) = await missing.deliver(.email()) else {
            Issue.record("a missing program is not tried again")
            return
        }
        #expect(failure.message.contains("/nowhere/sendmail") && failure.message.contains("no such file"))
    }

    @Test func programGetsTheUsualSendmailArguments() async throws {
        let calls = Mutex<[String]>([])
        let channel = EmailChannel(
            from: Mailbox(try EmailAddress("wharf@example.com")),
            sendmail: Sendmail { path, arguments, _ in
                calls.withLock { $0.append(([path] + arguments).joined(separator: " ")) }
                return .init(code: 0)
            })
        _ = await channel.deliver(.email())
        #expect(calls.withLock { $0 } == ["/usr/sbin/sendmail -i -- ada@example.com"])
    }

    @Test(arguments: [
        (["-t"], true), (["-ti"], true), (["-it"], true), (["-i", "--read-recipients"], true), (["--read-r"], true),
        (["-i"], false), (["-fbounces@test.example"], false), (["-oit"], false), (["-f", "test"], false),
        (["--read-envelope-from"], false), (["-i", "--", "-t"], false),
    ])
    func recipientsFlagIsRecognizedInAnyForm(arguments: [String], isHeaderRead: Bool) async throws {
        let outgoing = Outgoing()
        let channel = EmailChannel(
            from: Mailbox(try EmailAddress("wharf@example.com")),
            sendmail: Sendmail(arguments: arguments) { outgoing.run($1, $2) })
        #expect(await channel.deliver(.email()) == .delivered)
        #expect(outgoing.arguments == [isHeaderRead ? arguments : arguments + ["--", "ada@example.com"]])
        var part = MessagePart.email()
        part.email.bcc = [Mailbox(try EmailAddress("eve@example.com"))]
        #expect(await channel.deliver(part).name == (isHeaderRead ? "rejected" : "delivered"))
    }

    @Test func invalidAddressIsRejectedBeforeTheProgramStarts() async throws {
        let outgoing = Outgoing()
        for part in [
            MessagePart.email(address: "ada@example.com\nBcc: eve@example.com"),
            .email(attributes: ["replyTo": "eve@example.com, mallory@example.com"]),
        ] {
            guard case .rejected = await (try outgoing.channel()).deliver(part) else {
                Issue.record("it was not rejected")
                return
            }
        }
        #expect(outgoing.messages.isEmpty)
    }

    #if Sendmail
    private func script(
        _ text: String, timeout: Duration? = nil, timer: any Clock<Duration> = ContinuousClock(),
        _ body: (EmailChannel) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/fake-sendmail"
        try "\(text)\n".write(toFile: path, atomically: true, encoding: .utf8)
        let from = Mailbox(try EmailAddress("wharf@example.com"))
        // The shell runs the script. The file itself can't be executed while another test's newly
        // forked child has it open for writing.
        let shell = Sendmail(
            "/bin/sh", arguments: [path] + Sendmail.usualArguments, timeout: timeout, timer: timer)
        try await body(EmailChannel(from: from, sendmail: shell))
    }

    @Test func aRealProgramGetsTheWholeMessageAndItsArguments() async throws {
        // The message is longer than the buffer of a pipe.
        let body = String(repeating: "0123456789abcdef\n", count: 20_000)
        let folder = try TemporaryFolder()
        try await script("echo \"$@\" > \(folder.path)/arguments; cat > \(folder.path)/message") { channel in
            #expect(await channel.deliver(.email(body: body)) == .delivered)
        }
        #expect(try String(contentsOfFile: "\(folder.path)/arguments", encoding: .utf8) == "-i -- ada@example.com\n")
        let message = try StrictMessage(
            Array(try Data(contentsOf: URL(filePath: "\(folder.path)/message"))))
        #expect(message.bodyText == body)
    }

    @Test func aRealProgramThatHangsIsEndedAndTheMessageTriedAgain() async throws {
        let clock = TestClock()
        try await script("exec tail -f /dev/null", timeout: .seconds(300), timer: clock) { channel in
            async let verdict = channel.deliver(.email())
            await clock.untilSleeping()
            clock.advance(by: .seconds(300))
            guard case .retry(let failure, _) = await verdict else {
                Issue.record("it is not tried again")
                return
            }
            #expect(failure.code == .noAnswer && failure.message.contains("longer than 300"))
        }
    }

    @Test(arguments: [0, 67]) func programWithMuchOutputIsJudgedByItsExitCode(code: Int) async throws {
        let text = "cat >/dev/null; echo first >&2; head -c 300000 /dev/zero | tr '\\0' x >&2; exit \(code)"
        try await script(text, timeout: .seconds(300), timer: TestClock()) { channel in
            switch await channel.deliver(.email()) {
            case .delivered: #expect(code == 0)
            case .rejected(let failure): #expect(code == 67 && failure.message.contains("first x"))
            case let other: Issue.record("\(other)")
            }
        }
    }

    @Test func programWithARunningChildIsJudgedByItsExitCode() async throws {
        let folder = try TemporaryFolder()
        let text = "tail -f /dev/null & echo $! > \(folder.path)/pid; echo queued >&2; exit 67"
        try await script(text, timeout: .seconds(300), timer: TestClock()) { channel in
            guard case .rejected(let failure) = await channel.deliver(.email()) else {
                Issue.record("67 is not rejected")
                return
            }
            #expect(failure.message.hasSuffix("it says: queued"))
        }
        let pid = try String(contentsOfFile: "\(folder.path)/pid", encoding: .utf8).filter(\.isNumber)
        kill(try #require(pid_t(pid)), SIGKILL)
    }

    @Test func realProgramIsJudgedByHowItEnds() async throws {
        try await script("cat >/dev/null; echo 'no such user' >&2; exit 67") { channel in
            guard case .rejected(let failure) = await channel.deliver(.email()) else {
                Issue.record("67 is not rejected")
                return
            }
            #expect(failure.message.contains("no such user"))
        }
        try await script("kill -9 $$") { channel in
            guard case .retry = await channel.deliver(.email()) else {
                Issue.record("a kill is not tried again")
                return
            }
        }
        // The program exits before it has read its input. Its SIGPIPE must not end this process.
        try await script("exit 75") { channel in
            guard case .retry = await channel.deliver(.email(body: String(repeating: "x\n", count: 200_000))) else {
                Issue.record("75 is not tried again")
                return
            }
        }
        let missing = EmailChannel(
            from: Mailbox(try EmailAddress("wharf@example.com")), sendmail: Sendmail("/nowhere/no-sendmail"))
        guard case .retry = await missing.deliver(.email()) else {
            Issue.record("a missing program is not tried again")
            return
        }
    }
    #endif
}
