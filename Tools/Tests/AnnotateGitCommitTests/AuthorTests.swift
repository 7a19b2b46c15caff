import Testing

/// The author's text is kept.
struct AuthorTests {
    private static let bodies = [
        "Document hook\n\nThe result:\n\nTicket: ABC-123\n\nis what you get.",
        "Document hook\n\n```\nAdd search\n\nTicket: ABC-123\n```",
    ]

    @Test(arguments: bodies, [[], ["-e"]])
    func linesLikeTheTicketStayInABody(body: String, options: [String]) async throws {
        let sandbox = try await Sandbox.installed()
        try await sandbox.change()
        let result = try await sandbox.run(["git", "commit", "-q"] + options + ["-m", body], in: "main")
        #expect(result.status == 0)
        #expect(try await sandbox.message() == body + "\n\nTicket: ABC-123")
        try await sandbox.git("commit", "-q", "--amend", editor: sandbox.editor("true"))
        #expect(try await sandbox.message() == body + "\n\nTicket: ABC-123")
    }

    @Test func ticketAboveTextAppendedToTheBodyMovesToTheEnd() async throws {
        let sandbox = try await Sandbox.installed()
        try await sandbox.change()
        try await sandbox.git("commit", "-q", "-m", Self.bodies[0])
        try await sandbox.git(
            "commit", "-q", "--amend",
            editor: sandbox.editor("sed -i.old '/^# Please/,$d' \"$1\"; echo 'End.' >> \"$1\""))
        #expect(try await sandbox.message() == Self.bodies[0] + "\n\nEnd.\n\nTicket: ABC-123")
    }

    @Test(arguments: [[], ["-e"]])
    func aTrailerKeepsItsContinuation(options: [String]) async throws {
        let sandbox = try await Sandbox.installed()
        try await sandbox.change()
        let text = "Subject\n\nBody\n\nTicket: ABC-123\n and more\nX: y\n  continued"
        let result = try await sandbox.run(["git", "commit", "-q"] + options + ["-m", text], in: "main")
        #expect(result.status == 0)
        #expect(try await sandbox.message() == text + "\nTicket: ABC-123")
    }

    @Test func aContinuationTypedBelowTheTicketStaysWithIt() async throws {
        let sandbox = try await Sandbox.installed()
        try await sandbox.change()
        let editor = try sandbox.editor("printf 'Subject\\n\\nTicket: ABC-123\\n and more\\n' > \"$1\"")
        try await sandbox.git("commit", "-q", editor: editor)
        #expect(try await sandbox.message() == "Subject\n\nTicket: ABC-123\n and more\nTicket: ABC-123")
    }

    @Test func aFixupThatBecomesACommitKeepsItsBody() async throws {
        let sandbox = try await Sandbox.begun()
        try await sandbox.change()
        try await sandbox.git(
            "commit", "-q", "-e", "--squash=HEAD", "-m", "As in:\n\nTicket: ABC-123\n\nEnd.",
            editor: sandbox.editor("sed -i.old '1s/^squash! //' \"$1\""))
        #expect(try await sandbox.message() == "Begin\n\nAs in:\n\nTicket: ABC-123\n\nEnd.\n\nTicket: ABC-123")
    }
}
