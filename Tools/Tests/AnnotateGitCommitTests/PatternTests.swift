import Testing

@testable import AnnotateGitCommit

struct PatternTests {
    @Test(arguments: [
        ("([A-Z]+-[0-9]+)", "feature/ABC-12-x", "ABC-12"), ("(?<id>#[0-9]+)", "fix/#12", "#12"),
        (#"(?i)^(?:feature|fix)/([a-z]+-\d+)"#, "fix/abc-9", "abc-9"), ("(A)|B", "xA", "A"),
        ("-(.+?)-", "a-b-c-d", "b"),
        (TicketPattern.standard, "ab-1/AB-2/CD-3", "AB-2"),
    ])
    func theGroupIsTheTicket(pattern: String, branch: String, ticket: String) throws {
        #expect(try TicketPattern(pattern).ticket(in: branch) == ticket)
    }

    @Test(arguments: [("([A-Z]+)", "abc"), ("(A)|B", "B"), ("x(A*)", "x"), (TicketPattern.standard, "main")])
    func emptyCaptureIsNoTicket(pattern: String, branch: String) throws {
        #expect(try TicketPattern(pattern).ticket(in: branch) == nil)
    }

    @Test(arguments: [
        ("abc", "none"), ("", "none"), ("(?:a)", "none"), ("(a)(b)", "2"), ("(a)|(b)", "2"), ("((a)b)?", "2"),
        ("(?<x>a)(?<y>b)c", "2"),
    ])
    func anythingButOneGroupIsAnError(pattern: String, found: String) {
        let error = #expect(throws: AnnotationError.self) { try TicketPattern(pattern) }
        #expect(error?.code == .usage)
        #expect(
            error?.message.hasPrefix(
                "expected exactly one capture group in the regular expression '\(pattern)', found \(found);")
                == true)
    }

    @Test(arguments: [
        ("(a", " at character 3"), ("a)", " at character 2"), ("\u{e9}[z-a]", " at character 4"),
        ("(?<=x)(a)", "lookbehind"),
    ])
    func patternErrorHasItsPosition(pattern: String, part: String) {
        let error = #expect(throws: AnnotationError.self) { try TicketPattern(pattern) }
        #expect(error?.code == .usage)
        #expect(error?.message.contains("'\(pattern)'") == true)
        #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: ["x y\nz", "x y\tz", "x y\u{85}z"])
    func ticketWithControlCharactersIsAnError(branch: String) throws {
        let pattern = try TicketPattern(#"(y\sz)"#)
        let error = #expect(throws: AnnotationError.self) { try pattern.ticket(in: branch) }
        #expect(error?.code == .usage)
        #expect(error?.message.contains("without control characters") == true)
    }

    @Test func catastrophicPatternTimesOut() async throws {
        let sandbox = try await Sandbox(branch: nil)
        let result = try await sandbox.tool(
            "test-regexp", "^((?:a+)+)$", String(repeating: "a", count: 40) + "!", in: "")
        #expect(result.status == 64)
        #expect(result.error.contains("within 2 s"))
    }

    @Test func testRegexpPrintsTheTicket() async throws {
        let sandbox = try await Sandbox(branch: nil)
        let found = try await sandbox.tool("test-regexp", TicketPattern.standard, "feature/ABC-123", in: "")
        #expect(found.status == 0 && found.output == "ABC-123\n" && found.error == "")
        let none = try await sandbox.tool("test-regexp", TicketPattern.standard, "main", in: "")
        #expect(none.status == 1 && none.output == "")
        #expect(none.error.contains("expected a ticket in 'main', found none"))
        let wrong = try await sandbox.tool("test-regexp", "(", "main", in: "")
        #expect(wrong.status == 64 && wrong.error.contains("expected a regular expression"))
    }
}
