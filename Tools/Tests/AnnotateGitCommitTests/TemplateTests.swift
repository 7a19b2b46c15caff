import Testing

/// `commit.template` and `git commit -t`.
struct TemplateTests {
    private static let template = "Subject: \n\n# Why?\n\nReason: \n"

    private func prepared() async throws -> Sandbox {
        let sandbox = try await Sandbox.installed()
        try sandbox.write(Self.template, to: "template")
        try await sandbox.change()
        return sandbox
    }

    @Test(arguments: [["-t", "../template"], ["-v", "-t", "../template"], ["-s", "-t", "../template"]])
    func anUntouchedTemplateAborts(options: [String]) async throws {
        let sandbox = try await prepared()
        let result = try await sandbox.run(["git", "commit"] + options, in: "main", editor: sandbox.editor("true"))
        #expect(try sandbox.shown.contains("\nTicket: ABC-123\n"))
        #expect(result.status == 1)
        #expect(result.error.contains("you did not edit the message"))
        #expect(!sandbox.exists("main/.git/ANNOTATE_GIT_COMMIT_NOTE"))
    }

    @Test func anUntouchedTemplateOfTheConfigurationAborts() async throws {
        let sandbox = try await prepared()
        try await sandbox.git("config", "commit.template", sandbox.path("template"))
        let result = try await sandbox.tryGit("commit")
        #expect(result.status == 1)
        #expect(result.error.contains("you did not edit the message"))
    }

    @Test func aTemplateOfCommentsAloneAborts() async throws {
        let sandbox = try await prepared()
        try sandbox.write("# type: subject\n#\n# Why?\n", to: "template")
        let result = try await sandbox.tryGit("commit", "-t", "../template", editor: sandbox.editor("true"))
        #expect(try sandbox.shown.hasPrefix("\n\nTicket: ABC-123\n# type: subject\n"))
        #expect(result.status == 1)
    }

    @Test func aTemplateThatWasFilledInIsCommitted() async throws {
        let sandbox = try await prepared()
        try await sandbox.git("commit", "-q", "-t", "../template", editor: sandbox.writing("Add search\n"))
        #expect(try await sandbox.message() == "Add search\nSubject:\n\nReason:\nTicket: ABC-123")
        #expect(!sandbox.exists("main/.git/ANNOTATE_GIT_COMMIT_NOTE"))
    }

    @Test func templateNoteIsForgottenByTheNextCommit() async throws {
        let sandbox = try await prepared()
        let killed = try await sandbox.tryGit("commit", "-t", "../template", editor: "false")
        #expect(killed.status == 1)
        try await sandbox.git("commit", "-q", "-m", "Subject:\n\nReason:")
        #expect(try await sandbox.message() == "Subject:\n\nReason:\nTicket: ABC-123")
    }

    @Test(arguments: ["Subject: \n\nReason: \n\nTicket:\nReviewed-by:\n", "\n\nTicket: \nReviewed-by:\n"])
    func anEmptyTrailerIsFilled(template: String) async throws {
        let sandbox = try await prepared()
        try sandbox.write(template, to: "template")
        let untouched = try await sandbox.tryGit("commit", "-t", "../template", editor: sandbox.editor("true"))
        #expect(untouched.status == 1)
        #expect(try sandbox.shown.contains("\nTicket: ABC-123\nReviewed-by:\n"))
        let deleting = try sandbox.editor("sed -i.old '/^Ticket/d' \"$1\"")
        #expect(try await sandbox.tryGit("commit", "-t", "../template", editor: deleting).status == 1)
        try await sandbox.git(
            "commit", "-q", "-t", "../template", editor: sandbox.editor("sed -i.old '1s/^/Fix/' \"$1\""))
        #expect(try await sandbox.message().hasSuffix("\n\nTicket: ABC-123\nReviewed-by:"))
    }
}
