import Testing

/// `git commit` with both hooks.
struct CommitTests {
    @Test func aMessageOfTheCommandLineGetsATrailer() async throws {
        let sandbox = try await Sandbox.installed()
        try await sandbox.change()
        try await sandbox.git("commit", "-q", "-m", "Add search")
        #expect(try await sandbox.message() == "Add search\n\nTicket: ABC-123")
    }

    @Test func theEditorShowsTheTicketBelowAFreeSubject() async throws {
        let sandbox = try await Sandbox.installed()
        try await sandbox.change()
        try await sandbox.git("commit", "-q", editor: sandbox.writing("Add search"))
        #expect(try sandbox.shown.hasPrefix("\n\nTicket: ABC-123\n\n# Please enter"))
        #expect(try await sandbox.message() == "Add search\n\nTicket: ABC-123")
    }

    @Test func aBodyStandsBetweenSubjectAndTicket() async throws {
        let sandbox = try await Sandbox.installed()
        try await sandbox.change()
        try await sandbox.git(
            "commit", "-q", editor: sandbox.writing("Add search\n\nIt finds.\n---\nNot a divider: this"))
        #expect(try await sandbox.message() == "Add search\n\nIt finds.\n---\nNot a divider: this\n\nTicket: ABC-123")
    }

    @Test func bodyTypedBelowTheTicketMovesItToTheEnd() async throws {
        let sandbox = try await Sandbox.installed()
        try await sandbox.change()
        let editor = try sandbox.editor("printf 'Add search\\n\\nTicket: ABC-123\\n\\nIt finds.\\n' > \"$1\"")
        try await sandbox.git("commit", "-q", editor: editor)
        #expect(try await sandbox.message() == "Add search\n\nIt finds.\n\nTicket: ABC-123")
    }

    @Test func blankLineIsAddedBetweenSubjectAndTicket() async throws {
        let sandbox = try await Sandbox.installed()
        try await sandbox.change()
        let editor = try sandbox.editor("printf 'Add search\\nTicket: ABC-123\\n' > \"$1\"")
        try await sandbox.git("commit", "-q", editor: editor)
        #expect(try await sandbox.message() == "Add search\n\nTicket: ABC-123")
    }

    @Test(arguments: [
        [], ["-v"], ["--signoff"], ["--no-status"], ["--cleanup=scissors"], ["--cleanup=whitespace", "--no-status"],
    ])
    func anUntouchedMessageAborts(options: [String]) async throws {
        let sandbox = try await Sandbox.installed()
        try await sandbox.change()
        let result = try await sandbox.run(["git", "commit"] + options, in: "main", editor: sandbox.editor("true"))
        #expect(try sandbox.shown.contains("\nTicket: ABC-123\n"))
        #expect(result.status == 1)
        #expect(result.error.contains("Aborting commit due to empty commit message."))
    }

    @Test(arguments: [":", "true"], ["--allow-empty", "--all"])
    func untouchedMessageAbortsWithANoOpEditor(editor: String, option: String) async throws {
        let sandbox = try await Sandbox.installed()
        if option == "--all" { try await sandbox.change() }
        let result = try await sandbox.tryGit("commit", option, editor: editor)
        #expect(result.status == 1)
        #expect(result.error.contains("empty commit message"))
    }

    @Test(arguments: ["> \"$1\"", "echo '# nothing' > \"$1\"", "printf '\\n  \\n' > \"$1\""])
    func anEmptiedMessageAborts(edit: String) async throws {
        let sandbox = try await Sandbox.installed()
        try await sandbox.change()
        let result = try await sandbox.tryGit("commit", editor: sandbox.editor(edit))
        #expect(result.status == 1)
        #expect(result.error.contains("empty commit message"))
    }

    @Test(arguments: ["", " ", "\n"], [["--cleanup=strip"], ["--cleanup=whitespace"], []])
    func anEmptyMessageOfTheCommandLineAborts(message: String, options: [String]) async throws {
        let sandbox = try await Sandbox.installed()
        try await sandbox.change()
        let result = try await sandbox.run(["git", "commit", "-m", message] + options, in: "main")
        #expect(result.status == 1)
        #expect(result.error.contains("empty commit message"))
    }

    @Test func emptyMessageIsAllowedByGitOption() async throws {
        let sandbox = try await Sandbox.installed()
        try await sandbox.change()
        try await sandbox.git("commit", "-q", "--allow-empty-message", "-m", "")
        #expect(try await sandbox.message() == "")
    }

    @Test func aDeletedTicketComesBack() async throws {
        let sandbox = try await Sandbox.installed()
        try await sandbox.change()
        try await sandbox.git("commit", "-q", editor: sandbox.editor("echo 'Add search' > \"$1\""))
        #expect(try await sandbox.message() == "Add search\n\nTicket: ABC-123")
    }

    @Test func amendingChangesNothing() async throws {
        let sandbox = try await Sandbox.installed()
        try await sandbox.change()
        try await sandbox.git("commit", "-q", "-m", "Add search", "-m", "Body", "--signoff")
        let first = try await sandbox.message()
        #expect(first == "Add search\n\nBody\n\nSigned-off-by: Ada <ada@example.com>\nTicket: ABC-123")
        try await sandbox.git("commit", "-q", "--amend", "--no-edit")
        #expect(try await sandbox.message() == first)
        try await sandbox.git("commit", "-q", "--amend", "-v", editor: sandbox.editor("true"))
        #expect(try sandbox.shown.ranges(of: "Ticket:").count == 1)
        #expect(try await sandbox.message() == first)
        try await sandbox.git("commit", "-q", "--amend", "-C", "HEAD")
        #expect(try await sandbox.message() == first)
    }

    @Test func amendingACommitWithoutATicketAddsIt() async throws {
        let sandbox = try await Sandbox.begun()
        try await sandbox.git("commit", "-q", "--amend", "--no-edit")
        #expect(try await sandbox.message() == "Begin\n\nTicket: ABC-123")
    }

    @Test func ticketJoinsExistingTrailers() async throws {
        let sandbox = try await Sandbox.installed()
        try await sandbox.change()
        try await sandbox.git(
            "commit", "-q", "-m", "Add search", "--trailer", "Co-authored-by: Eve <eve@example.com>", "--trailer",
            "ticket:ABC-9")
        #expect(
            try await sandbox.message()
                == "Add search\n\nCo-authored-by: Eve <eve@example.com>\nticket: ABC-9\nTicket: ABC-123")
    }

    @Test(arguments: ["Ticket: ABC-123", "ticket : ABC-123", "TICKET:  ABC-123 "])
    func theSameTrailerIsNotAddedTwice(trailer: String) async throws {
        let sandbox = try await Sandbox.installed()
        try await sandbox.change()
        try await sandbox.git("commit", "-q", "-m", "Add search\n\n" + trailer)
        let message = try await sandbox.message()
        #expect(message.lowercased().ranges(of: "ticket").count == 1)
    }

    @Test func aPrefixGoesBeforeTheSubject() async throws {
        let sandbox = try await Sandbox.installed("--prefix")
        try await sandbox.change()
        try await sandbox.git(
            "commit", "-q", editor: sandbox.editor("printf 'Add search\\n\\nABC-123 is done\\n' > \"$1\""))
        #expect(try sandbox.shown.hasPrefix("ABC-123: \n\n# Please"))
        let first = try await sandbox.message()
        #expect(first == "ABC-123: Add search\n\nABC-123 is done")
        try await sandbox.git("commit", "-q", "--amend", "--no-edit")
        #expect(try await sandbox.message() == first)
    }

    @Test(arguments: [[], ["-v"], ["--signoff"]])
    func anUntouchedPrefixAborts(options: [String]) async throws {
        let sandbox = try await Sandbox.installed("--prefix")
        try await sandbox.change()
        let result = try await sandbox.run(["git", "commit"] + options, in: "main", editor: sandbox.editor("true"))
        #expect(try sandbox.shown.hasPrefix("ABC-123: \n"))
        #expect(result.status == 1)
        #expect(result.error.contains("empty commit message"))
    }

    @Test func aPrefixThatGitWouldTakeForACommentIsRefused() async throws {
        let sandbox = try await Sandbox.installed("--prefix", "--regexp", "(#[0-9]+)", branch: "fix-#12")
        try await sandbox.change()
        let result = try await sandbox.tryGit("commit", editor: sandbox.writing("Fix"))
        #expect(result.status == 1)
        #expect(result.error.contains("a comment for git"))
        try await sandbox.git("commit", "-q", "-m", "Fix")
        #expect(try await sandbox.message() == "#12: Fix")
    }
}
