import Testing

/// Commits that git derives from others: they keep their messages.
struct KindOfCommitTests {
    @Test(arguments: ["--fixup=HEAD", "--squash=HEAD", "--fixup=amend:HEAD", "--fixup=reword:HEAD"])
    func fixupsStayAsTheyAre(option: String) async throws {
        let sandbox = try await Sandbox.begun()
        try await sandbox.change()
        try await sandbox.git("commit", "-q", option)
        #expect(try await !sandbox.message().contains("Ticket"))
        #expect(try await sandbox.message().contains("! Begin"))
    }

    @Test func autosquashFindsItsCommits() async throws {
        let sandbox = try await Sandbox.begun()
        try await sandbox.change()
        try await sandbox.git("commit", "-q", "-m", "Add search")
        try await sandbox.change()
        try await sandbox.git("commit", "-q", "--fixup=HEAD")
        let result = try await sandbox.run(
            ["git", "rebase", "-q", "-i", "--autosquash", "HEAD~2"], in: "main",
            variables: ["GIT_SEQUENCE_EDITOR": "true"])
        #expect(result.status == 0, "\(result.error)")
        #expect(try await sandbox.git("log", "--format=%s") == "Add search\nBegin\n")
        #expect(try await sandbox.message() == "Add search\n\nTicket: ABC-123")
    }

    @Test func includedFixupsGetTheTicket() async throws {
        let sandbox = try await Sandbox.begun("--include", "fixups")
        try await sandbox.change()
        try await sandbox.git("commit", "-q", "--fixup=HEAD")
        #expect(try await sandbox.message() == "fixup! Begin\n\nTicket: ABC-123")
    }

    @Test(arguments: [false, true])
    func mergesStayAsTheyAreUnlessIncluded(isIncluded: Bool) async throws {
        let sandbox =
            isIncluded ? try await Sandbox.begun("--include", "merges") : try await Sandbox.begun()
        try await sandbox.git("checkout", "-q", "-b", "other")
        try await sandbox.change("other")
        try await sandbox.git("commit", "-q", "-m", "Other")
        try await sandbox.git("checkout", "-q", "-")
        try await sandbox.change()
        try await sandbox.git("commit", "-q", "-m", "Mine")
        try await sandbox.git("merge", "-q", "--no-ff", "other")
        #expect(
            try await sandbox.message()
                == "Merge branch 'other' into feature/ABC-123-search" + (isIncluded ? "\n\nTicket: ABC-123" : ""))
    }

    @Test(arguments: [[], ["--include", "merges"]], ["--no-edit", "--edit"])
    func anAmendedMergeStaysAMerge(installing: [String], option: String) async throws {
        let sandbox = try await Sandbox.begun()
        #expect(try await sandbox.run([Sandbox.binary, "uninstall"], in: "main").status == 0)
        try await sandbox.git("checkout", "-q", "-b", "XY-2")
        try await sandbox.git("commit", "-q", "--allow-empty", "-m", "Other")
        try await sandbox.git("checkout", "-q", "-")
        try await sandbox.git("merge", "-q", "--no-ff", "-m", "Mine", "XY-2")
        let installed = try await sandbox.run([Sandbox.binary, "install", "--abort"] + installing, in: "main")
        #expect(installed.status == 0)
        try await sandbox.git("commit", "-q", "--amend", option)
        #expect(try await sandbox.message() == (installing == [] ? "Mine" : "Mine\n\nTicket: ABC-123"))
    }

    @Test func commitAfterANoCommitCherryPickGetsTheTicket() async throws {
        let sandbox = try await Sandbox.begun()
        try await sandbox.git("checkout", "-q", "-b", "XY-2")
        try await sandbox.change("other")
        try await sandbox.git("commit", "-q", "-m", "Other")
        try await sandbox.git("checkout", "-q", "-")
        try await sandbox.git("cherry-pick", "-n", "XY-2")
        try await sandbox.git("commit", "-q", editor: sandbox.editor("true"))
        #expect(try sandbox.shown.contains("\nTicket: ABC-123\n"))
        #expect(try await sandbox.message().contains("\nTicket: ABC-123"))
    }

    @Test func mentionedRevertIsAnOrdinaryCommit() async throws {
        let sandbox = try await Sandbox.begun()
        let text = "Fix search anew\n\nThis reverts commit abc1234 partly, and adds a test."
        try await sandbox.git("commit", "-q", "--allow-empty", "-m", text)
        #expect(try await sandbox.message() == text + "\n\nTicket: ABC-123")
    }

    @Test func aRevertByReferenceStaysAsItIs() async throws {
        let sandbox = try await Sandbox.begun()
        try await sandbox.change()
        try await sandbox.git("commit", "-q", "-m", "Add search")
        try await sandbox.git(
            "revert", "--reference", "--edit", "HEAD", editor: sandbox.editor("sed -i.old '1s/.*/Undo/' \"$1\""))
        #expect(try await sandbox.message().hasPrefix("Undo\n\nThis reverts commit "))
        #expect(try await !sandbox.message().contains("Ticket: ABC-123"))
    }

    @Test func aMergeOfConflictsStaysAsItIs() async throws {
        let sandbox = try await Sandbox.begun()
        try await conflict(in: sandbox)
        let result = try await sandbox.tryGit("merge", "other")
        #expect(result.status == 1)
        try await sandbox.change()
        try await sandbox.git("commit", "-q", editor: sandbox.writing("Merge it\n"))
        #expect(try await !sandbox.message().contains("Ticket"))
    }

    @Test func squashedMergeGetsTheTicket() async throws {
        let sandbox = try await Sandbox.begun()
        try await sandbox.git("checkout", "-q", "-b", "other")
        try await sandbox.change("other")
        try await sandbox.git("commit", "-q", "-m", "Other")
        try await sandbox.git("checkout", "-q", "-")
        try await sandbox.git("merge", "-q", "--squash", "other")
        try await sandbox.git("commit", "-q", "--no-edit")
        #expect(try await sandbox.message().hasPrefix("Squashed commit of the following:"))
        #expect(try await sandbox.message().hasSuffix("\n\nTicket: ABC-123"))
    }

    @Test(arguments: [false, true], ["--no-edit", "--edit"])
    func revertsStayAsTheyAreUnlessIncluded(isIncluded: Bool, option: String) async throws {
        let sandbox =
            isIncluded ? try await Sandbox.begun("--include", "reverts") : try await Sandbox.begun()
        try await sandbox.change()
        try await sandbox.git("commit", "-q", "-m", "Add search")
        try await sandbox.git("revert", option, "HEAD")
        let message = try await sandbox.message()
        #expect(message.hasPrefix("Revert \"Add search\"\n\nThis reverts commit "))
        #expect(message.hasSuffix("\n\nTicket: ABC-123") == isIncluded, "\(message)")
    }

    @Test func aCherryPickKeepsItsMessage() async throws {
        let sandbox = try await Sandbox.begun("--abort")
        try await sandbox.git("commit", "-q", "--allow-empty", "--trailer", "Ticket: X-1", "-m", "Empty")
        try await sandbox.git("checkout", "-q", "--detach")
        try await sandbox.change("other")
        try await sandbox.git("commit", "-q", "--no-verify", "--trailer", "Ticket: OLD-1", "-m", "Other")
        let picked = try await sandbox.git("rev-parse", "HEAD").split(separator: "\n").joined()
        try await sandbox.git("checkout", "-q", "feature/ABC-123-search")
        try await sandbox.git("cherry-pick", picked)
        #expect(try await sandbox.message() == "Other\n\nTicket: OLD-1")
        try await sandbox.git("reset", "-q", "--hard", "HEAD~1")
        try await sandbox.git("cherry-pick", "-e", picked)
        #expect(try await sandbox.message() == "Other\n\nTicket: OLD-1")
    }

    @Test func aCherryPickOfConflictsKeepsItsMessage() async throws {
        let sandbox = try await Sandbox.begun()
        try await conflict(in: sandbox)
        let result = try await sandbox.tryGit("cherry-pick", "other")
        #expect(result.status == 1)
        try await sandbox.change()
        try await sandbox.git("commit", "-q")
        #expect(try await sandbox.message() == "Other\n\nTicket: X-2")
    }

    @Test(arguments: [["rebase", "--force-rebase", "HEAD~2"], ["rebase", "--apply", "--force-rebase", "HEAD~2"]])
    func rebaseKeepsTheMessages(command: [String]) async throws {
        let sandbox = try await rebased(command, todo: "true")
        #expect(try await sandbox.git("log", "-2", "--format=%B") == "Two\n\nOne\n\n")
    }

    @Test func rewordInARebaseKeepsTheMessages() async throws {
        let sandbox = try await rebased(["rebase", "-i", "HEAD~2"], todo: "sed -i.old s/^pick/reword/")
        #expect(try await sandbox.git("log", "-2", "--format=%B") == "Two\n\nOne\n\n")
    }

    /// Makes commits without hooks, then rebases with hooks that require a ticket.
    private func rebased(_ command: [String], todo: String) async throws -> Sandbox {
        let sandbox = try await Sandbox()
        for subject in ["Begin", "One", "Two"] {
            try await sandbox.change(subject)
            try await sandbox.git("commit", "-q", "-m", subject)
        }
        let installed = try await sandbox.tool("install", "--abort")
        #expect(installed.status == 0)
        let result = try await sandbox.run(
            ["git"] + command, in: "main", variables: ["GIT_SEQUENCE_EDITOR": todo])
        #expect(result.status == 0, "\(result.error)")
        return sandbox
    }

    /// Creates a branch `other` that changes the same line as the current one.
    private func conflict(in sandbox: Sandbox) async throws {
        try await sandbox.git("checkout", "-q", "-b", "other")
        try sandbox.write("theirs\n", to: "main/file")
        try await sandbox.git("commit", "-q", "-a", "-m", "Other", "--trailer", "Ticket: X-2")
        try await sandbox.git("checkout", "-q", "-")
        try sandbox.write("mine\n", to: "main/file")
        try await sandbox.git("commit", "-q", "-a", "-m", "Mine")
    }
}
