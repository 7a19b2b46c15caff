import Testing

/// git's handling of lines in its file: comments, scissors, diffs.
struct CommentTests {
    @Test(arguments: [["-v"], ["-vv"]])
    func theTicketStandsAboveTheDiff(options: [String]) async throws {
        let sandbox = try await Sandbox.begun()
        try await sandbox.change()
        let result = try await sandbox.run(
            ["git", "commit", "-q"] + options, in: "main", editor: sandbox.writing("Add search"))
        #expect(result.status == 0)
        #expect(try sandbox.shown.contains("diff --git"))
        #expect(try await sandbox.message() == "Add search\n\nTicket: ABC-123")
    }

    @Test(arguments: ["#", ";", "auto"], ["default", "strip", "scissors"])
    func commentCharacterFollowsTheConfiguration(marker: String, cleanup: String) async throws {
        let sandbox = try await Sandbox.begun()
        try await sandbox.git("config", "core.commentChar", marker)
        try await sandbox.git("config", "commit.cleanup", cleanup)
        try await sandbox.git("config", "commit.verbose", "true")
        try await sandbox.change()
        let untouched = try await sandbox.tryGit("commit", editor: sandbox.editor("true"))
        #expect(untouched.status == 1, "\(untouched.output)")
        try await sandbox.git("commit", "-q", editor: sandbox.writing("Add search\n\nIt finds."))
        #expect(try sandbox.shown.contains("diff --git"))
        #expect(try await sandbox.message() == "Add search\n\nIt finds.\n\nTicket: ABC-123")
    }

    @Test(arguments: [false, true])
    func autoCommentCharacterIsOneNoLineBeginsWith(isVerbose: Bool) async throws {
        let sandbox = try await Sandbox.begun()
        try await sandbox.git("config", "core.commentChar", "auto")
        try await sandbox.git("config", "commit.verbose", isVerbose ? "true" : "false")
        try await sandbox.change()
        try await sandbox.git("commit", "-q", "-e", "-m", "#1 search", "-m", "#2 too", editor: sandbox.editor("true"))
        #expect(try sandbox.shown.contains("#2 too\n\nTicket: ABC-123\n\n; Please enter"))
        #expect(try await sandbox.message() == "#1 search\n\n#2 too\n\nTicket: ABC-123")
        try await sandbox.git("commit", "-q", "--amend", editor: sandbox.editor("true"))
        #expect(try await sandbox.message() == "#1 search\n\n#2 too\n\nTicket: ABC-123")
    }

    @Test(arguments: [["--no-status"], ["-c", "HEAD", "--no-status"], ["--amend", "--no-status"]])
    func autoCommentCharacterNeedsNoStatus(options: [String]) async throws {
        let sandbox = try await Sandbox.begun()
        try await sandbox.git("config", "core.commentChar", "auto")
        try await sandbox.git("commit", "-q", "--amend", "--no-verify", "-m", "#1 fix\n\n# Why\n#\n# Because")
        try await sandbox.change()
        let message = options[0] == "--no-status" ? ["-e", "-m", "#1 fix\n\n# Why\n#\n# Because"] : []
        let result = try await sandbox.run(["git", "commit", "-q"] + options + message, in: "main")
        #expect(result.status == 0, "\(result.error)")
        #expect(try await sandbox.message() == "#1 fix\n\n# Why\n#\n# Because\n\nTicket: ABC-123")
    }

    @Test func autoCommentCharacterIsKnownWithoutComments() async throws {
        let sandbox = try await Sandbox.begun()
        try await sandbox.git("config", "core.commentChar", "auto")
        try await sandbox.change()
        try await sandbox.git("commit", "-q", "-m", "#1 fix")
        try await sandbox.git("commit", "-q", "--amend", editor: sandbox.editor("sed -i.old '/^;/d' \"$1\""))
        #expect(try await sandbox.message() == "#1 fix\n\nTicket: ABC-123")
    }

    @Test(arguments: [
        "Subject\n\n# Heading\n#\n# text", "Subject\n\n# a\n#\n#\tb", "Subject\n\nText\n#\nMore\n\n# End",
        "Subject\n#\n#\tb\n\nReviewed-by: Eve\n\n#",
    ])
    func withoutAnEditorEmptyCommentsAreText(message: String) async throws {
        let sandbox = try await Sandbox.installed()
        try await sandbox.change()
        try await sandbox.git("commit", "-q", "-m", message)
        #expect(try await sandbox.message() == message + "\n\nTicket: ABC-123")
    }

    @Test func withoutAnEditorNothingIsAComment() async throws {
        let sandbox = try await Sandbox.installed()
        try await sandbox.change()
        try await sandbox.git("commit", "-q", "-m", "#1 search", "-m", "#2 too")
        #expect(try await sandbox.message() == "#1 search\n\n#2 too\n\nTicket: ABC-123")
    }

    @Test func withoutAnEditorScissorsAreText() async throws {
        let sandbox = try await Sandbox.installed()
        try await sandbox.change()
        let cut = "# ------------------------ >8 ------------------------"
        try await sandbox.git("commit", "-q", "-m", "Search\n\n\(cut)\nmore")
        #expect(try await sandbox.message() == "Search\n\n\(cut)\nmore\n\nTicket: ABC-123")
    }

    @Test func strippedCommentsOfTheCommandLineAreNotText() async throws {
        let sandbox = try await Sandbox.installed()
        try await sandbox.git("config", "commit.cleanup", "strip")
        try await sandbox.change()
        let result = try await sandbox.tryGit("commit", "-m", "# nothing")
        #expect(result.status == 1)
        try await sandbox.git("commit", "-q", "-m", "Search\n\n# nothing")
        #expect(try await sandbox.message() == "Search\n\nTicket: ABC-123")
    }

    @Test(arguments: ["whitespace", "verbatim"])
    func commentsThatStayAreBelowTheTicket(cleanup: String) async throws {
        let sandbox = try await Sandbox.installed()
        try await sandbox.git("config", "commit.cleanup", cleanup)
        try await sandbox.change()
        try await sandbox.git("commit", "-q", editor: sandbox.writing("Search"))
        #expect(try await sandbox.message().hasPrefix("Search\n\nTicket: ABC-123\n\n# Please enter"))
    }

    @Test func untouchedVerbatimMessageAborts() async throws {
        let sandbox = try await Sandbox.installed()
        try await sandbox.git("config", "commit.cleanup", "verbatim")
        try await sandbox.git("config", "commit.status", "false")
        try await sandbox.change()
        let result = try await sandbox.tryGit("commit", editor: sandbox.editor("true"))
        #expect(try sandbox.shown.hasPrefix("\n\nTicket: ABC-123\n"))
        #expect(result.status == 1)
    }

    @Test func verbatimMessagesKeepEachByte() async throws {
        let sandbox = try await Sandbox.installed()
        try await sandbox.git("config", "commit.cleanup", "verbatim")
        try await sandbox.change()
        try await sandbox.git("commit", "-q", "-m", "Search  \n\n\n# body \n")
        let stored = try await sandbox.git("cat-file", "commit", "HEAD")
        #expect(stored.hasSuffix("\n\nSearch  \n\n\n# body \n\nTicket: ABC-123\n"))
    }
}
