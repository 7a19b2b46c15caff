import Testing

/// Subjects that look like trailers, or are in an unexpected place.
struct SubjectTests {
    @Test(
        arguments: [[], ["-v"], ["--amend"], ["-s"]], ["\\nfix: foo\\nTicket: ABC-123\\n", "# note\\n\\nfix: foo\\n"])
    func aSubjectThatLooksLikeATrailerIsASubject(options: [String], text: String) async throws {
        let sandbox = try await Sandbox.begun()
        try await sandbox.change()
        let result = try await sandbox.run(
            ["git", "commit", "-q"] + options, in: "main", editor: sandbox.editor("printf '\(text)' > \"$1\""))
        #expect(result.status == 0)
        #expect(try await sandbox.message() == "fix: foo\n\nTicket: ABC-123")
    }

    @Test(arguments: [[], ["-v"]])
    func aSubjectMayBeTypedRightAboveTheTicket(options: [String]) async throws {
        let sandbox = try await Sandbox.begun()
        try await sandbox.change()
        let result = try await sandbox.run(
            ["git", "commit", "-q"] + options, in: "main", editor: sandbox.editor("sed -i.old '2s/^/fix: foo/' \"$1\""))
        #expect(result.status == 0)
        #expect(
            try await sandbox.git("log", "-1", "--format=[%s] [%(trailers:only)]") == "[fix: foo] [Ticket: ABC-123\n]\n"
        )
    }

    @Test func prefixIsAddedToASubjectThatLooksLikeATrailer() async throws {
        let sandbox = try await Sandbox.installed("--prefix")
        try await sandbox.change()
        try await sandbox.git("commit", "-q", editor: sandbox.editor("printf '\\nfix: foo\\n' > \"$1\""))
        #expect(try await sandbox.message() == "ABC-123: fix: foo")
    }

    @Test func trailersOfTheCommandLineLeaveTheSubjectFree() async throws {
        let sandbox = try await Sandbox.installed("--prefix")
        try await sandbox.change()
        try await sandbox.git(
            "commit", "-q", "--trailer", "Reviewed-by: Eve", editor: sandbox.editor("sed -i.old '1s/$/Fix/' \"$1\""))
        #expect(try sandbox.shown.hasPrefix("ABC-123: \n\nReviewed-by: Eve\n"))
        #expect(try await sandbox.message() == "ABC-123: Fix\n\nReviewed-by: Eve")
    }

    @Test func aSubjectTypedAboveThePrefixGetsIt() async throws {
        let sandbox = try await Sandbox.installed("--prefix")
        try await sandbox.change()
        try await sandbox.git("commit", "-q", editor: sandbox.writing("Fix bug\n"))
        #expect(try await sandbox.message() == "ABC-123: Fix bug")
        try await sandbox.change()
        try await sandbox.git("commit", "-q", "-m", "Fix bug\n\nABC-123:\nis done")
        #expect(try await sandbox.message() == "ABC-123: Fix bug\n\nABC-123:\nis done")
    }

    @Test(arguments: [
        ("ABC-123-foo", "ABC-123: ABC-123-foo"), ("ABC-123 foo", "ABC-123 foo"), ("ABC-123", "ABC-123"),
        ("ABC-123:foo", "ABC-123:foo"), ("ABC-1234: x", "ABC-123: ABC-1234: x"), (" ABC-123: x", " ABC-123: x"),
    ])
    func subjectStartingWithTheTicketGetsNoPrefix(subject: String, expected: String) async throws {
        let sandbox = try await Sandbox.installed("--prefix")
        try await sandbox.change()
        try await sandbox.git("commit", "-q", "-m", subject)
        #expect(try await sandbox.message() == expected)
    }

    @Test func anUntouchedMessageOfCRLFAborts() async throws {
        let sandbox = try await Sandbox.installed()
        try await sandbox.change()
        let result = try await sandbox.tryGit("commit", editor: sandbox.editor("sed -i.old 's/$/\\r/' \"$1\""))
        #expect(result.status == 1)
        #expect(result.error.contains("empty commit message"))
    }
}
