import Foundation
import Testing

/// The ticket of a branch, and the behaviour without one.
struct BranchTests {
    @Test(arguments: [[], ["--omit"]])
    func messageWithoutATicketIsUnchanged(options: [String]) async throws {
        let sandbox = try await Sandbox(branch: "main")
        let installed = try await sandbox.run([Sandbox.binary, "install"] + options, in: "main")
        #expect(installed.status == 0)
        try await sandbox.change()
        try await sandbox.git("commit", "-q", "-m", "Begin")
        #expect(try await sandbox.message() == "Begin")
    }

    @Test func placeholderIsUsedWithoutATicket() async throws {
        let sandbox = try await Sandbox.installed("--placeholder", "none yet", branch: "main")
        try await sandbox.change()
        let untouched = try await sandbox.tryGit("commit")
        #expect(untouched.status == 1)
        try await sandbox.git("commit", "-q", "-m", "Begin")
        #expect(try await sandbox.message() == "Begin\n\nTicket: none yet")
        try await sandbox.git("commit", "-q", "--amend", "--no-edit")
        #expect(try await sandbox.message() == "Begin\n\nTicket: none yet")
    }

    @Test(arguments: [
        ([], "Add\n\nTicket: NONE", "Add\n\nTicket: ABC-1"), (["--prefix"], "NONE: Add", "ABC-1: Add"),
    ])
    func aTicketReplacesThePlaceholder(options: [String], before: String, after: String) async throws {
        let sandbox = try await Sandbox(branch: "main")
        let installed = try await sandbox.run(
            [Sandbox.binary, "install", "--placeholder", "NONE"] + options, in: "main")
        #expect(installed.status == 0)
        try await sandbox.git("commit", "-q", "--allow-empty", "-m", "Add")
        #expect(try await sandbox.message() == before)
        try await sandbox.git("branch", "-m", "ABC-1")
        for branch in ["ABC-1", "main"] {
            try await sandbox.git("branch", "-m", branch)
            try await sandbox.git("commit", "-q", "--amend", "--no-edit", "--allow-empty")
            #expect(try await sandbox.message() == after)
        }
    }

    @Test func handwrittenPrefixCountsAsTheTicket() async throws {
        let sandbox = try await Sandbox.installed("--prefix", "--abort", branch: "main")
        try await sandbox.git("commit", "-q", "--allow-empty", "-m", "ABC-7: x")
        #expect(try await sandbox.message() == "ABC-7: x")
        let result = try await sandbox.tryGit("commit", "--allow-empty", "-m", "fix: x")
        #expect(result.status == 1)
    }

    @Test func abortOptionFailsACommitWithoutATicket() async throws {
        let sandbox = try await Sandbox.installed("--abort", branch: "main")
        try await sandbox.change()
        let result = try await sandbox.tryGit("commit", "-m", "Begin")
        #expect(result.status == 1)
        #expect(
            result.error.contains("expected a branch with a ticket that matches ([A-Z][A-Z0-9]+-[0-9]+), found 'main'"))
        try await sandbox.git("commit", "-q", "-m", "Begin", "--trailer", "Ticket: ABC-7")
        #expect(try await sandbox.message() == "Begin\n\nTicket: ABC-7")
    }

    @Test func aDetachedHeadHasNoTicket() async throws {
        let sandbox = try await Sandbox.begun("--abort")
        try await sandbox.git("checkout", "-q", "--detach")
        try await sandbox.change()
        let result = try await sandbox.tryGit("commit", "-m", "Detached")
        #expect(result.status == 1)
        #expect(result.error.contains("found a detached HEAD"))
        #expect(try await sandbox.tool("install").status == 0)
        try await sandbox.git("commit", "-q", "-m", "Detached")
        #expect(try await sandbox.message() == "Detached")
    }

    @Test func unbornBranchHasATicket() async throws {
        let sandbox = try await Sandbox()
        try sandbox.write("Begin\n", to: "main/message")
        let result = try await sandbox.tool("add-ticket", "([A-Z]+-[0-9]+)", "message")
        #expect(result.status == 0)
        #expect(try sandbox.text("main/message") == "Begin\n\nTicket: ABC-123\n")
    }

    @Test func aLinkedWorktreeHasItsOwnBranchAndTheSameHooks() async throws {
        let sandbox = try await Sandbox.begun()
        try await sandbox.git("worktree", "add", "-q", "-b", "XYZ-9-fix", "../linked")
        try await sandbox.change(in: "linked")
        try await sandbox.git("commit", "-q", "-m", "Fix", in: "linked")
        #expect(try await sandbox.message(in: "linked") == "Fix\n\nTicket: XYZ-9")
        try sandbox.write("By hand\n", to: "linked/message")
        let result = try await sandbox.tool("add-ticket", "([A-Z]+-[0-9]+)", "message", in: "linked")
        #expect(result.status == 0)
        #expect(try sandbox.text("linked/message") == "By hand\n\nTicket: XYZ-9\n")
        let untouched = try await sandbox.tryGit("commit", "--allow-empty", in: "linked")
        #expect(untouched.status == 1)
    }

    @Test func aSubmoduleHasItsOwnBranchAndHooks() async throws {
        let sandbox = try await Sandbox.begun()
        try await sandbox.git("init", "-q", "-b", "main", sandbox.path("library"), in: "")
        try await sandbox.change(in: "library")
        try await sandbox.git("commit", "-q", "-m", "Library", in: "library")
        try await sandbox.git(
            "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", sandbox.path("library"), "sub")
        try await sandbox.git("checkout", "-q", "-b", "SUB-5", in: "main/sub")
        let installed = try await sandbox.tool("install", in: "main/sub")
        #expect(installed.output.contains("main/.git/modules/sub/hooks/commit-msg"))
        try await sandbox.change(in: "main/sub")
        try await sandbox.git("commit", "-q", "-m", "Change", in: "main/sub")
        #expect(try await sandbox.message(in: "main/sub") == "Change\n\nTicket: SUB-5")
        try await sandbox.git("commit", "-q", "-a", "-m", "Use it")
        #expect(try await sandbox.message() == "Use it\n\nTicket: ABC-123")
    }

    @Test func commitFromASubfolderGetsTheTicket() async throws {
        let sandbox = try await Sandbox.installed()
        try await sandbox.change("deep/er/file")
        try await sandbox.git("commit", "-q", "-m", "Deep", in: "main/deep/er")
        #expect(try await sandbox.message() == "Deep\n\nTicket: ABC-123")
    }

    @Test func branchOptionNamesTheBranch() async throws {
        let sandbox = try await Sandbox.installed("--branch", "team/TEAM-1", "--trailer", "Issue", branch: "main")
        try await sandbox.change()
        try await sandbox.git("commit", "-q", "-m", "Begin")
        #expect(try await sandbox.message() == "Begin\n\nIssue: TEAM-1")
    }

    @Test func otherEncodingsAreKeptAndWritten() async throws {
        let sandbox = try await Sandbox.installed("--regexp", "^([^/]+)", branch: "b\u{fc}ro-7/search")
        try await sandbox.git("config", "i18n.commitEncoding", "ISO-8859-1")
        try await sandbox.change()
        try sandbox.write(Data("Stra".utf8) + [0xDF] + Data("e\n".utf8), to: "main/message")
        try await sandbox.git("commit", "-q", "-F", "message")
        #expect(try await sandbox.message() == "Stra\u{df}e\n\nTicket: b\u{fc}ro-7")
        let object = try await sandbox.git("cat-file", "commit", "HEAD")
        #expect(object.contains("encoding ISO-8859-1"))
    }

    @Test func ticketOutsideTheCommitEncodingIsAnError() async throws {
        let sandbox = try await Sandbox.installed("--regexp", "^([^/]+)", branch: "\u{4e2d}-7")
        try await sandbox.git("config", "i18n.commitEncoding", "ISO-8859-1")
        try await sandbox.change()
        let result = try await sandbox.tryGit("commit", "-m", "Begin")
        #expect(result.status == 1)
        #expect(result.error.contains("that can be written in ISO-8859-1 (i18n.commitEncoding), found '\u{4e2d}-7'"))
    }
}
