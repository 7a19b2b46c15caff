import Foundation
import Testing

struct InstallTests {
    private static let hooks = "main/.git/hooks/"
    private static let names = ["prepare-commit-msg", "commit-msg"]

    @Test func installedHooksAreExecutableAndListed() async throws {
        let sandbox = try await Sandbox()
        let result = try await sandbox.tool("install")
        #expect(result.status == 0)
        for name in Self.names {
            #expect(FileManager.default.isExecutableFile(atPath: sandbox.path(Self.hooks + name)))
            #expect(result.output.contains(sandbox.path(Self.hooks + name)))
        }
    }

    @Test func installingAgainChangesOptionsAlone() async throws {
        let sandbox = try await Sandbox.installed()
        #expect(try await sandbox.tool("install", "--prefix").status == 0)
        try await sandbox.change()
        try await sandbox.git("commit", "-q", "-m", "Begin")
        #expect(try await sandbox.message() == "ABC-123: Begin")
        #expect(!sandbox.exists(Self.hooks + "commit-msg.before-annotate-git-commit"))
    }

    @Test func uninstallingTakesAllAwayAndMayBeRepeated() async throws {
        let sandbox = try await Sandbox.installed()
        for _ in 1...2 {
            #expect(try await sandbox.tool("uninstall").status == 0)
            #expect(Self.names.allSatisfy { !sandbox.exists(Self.hooks + $0) })
        }
        try await sandbox.change()
        try await sandbox.git("commit", "-q", "-m", "Begin")
        #expect(try await sandbox.message() == "Begin")
    }

    @Test(arguments: names)
    func anotherHookIsNotTouchedWithoutForce(name: String) async throws {
        let sandbox = try await Sandbox()
        try sandbox.script("exit 0", to: Self.hooks + name)
        let before = try sandbox.text(Self.hooks + name)
        let result = try await sandbox.tool("install")
        #expect(result.status == 1)
        #expect(
            result.error.contains("the \(name) hook \(sandbox.path(Self.hooks + name)) was not written by this tool"))
        #expect(result.error.contains("--force"))
        #expect(try sandbox.text(Self.hooks + name) == before)
        #expect(Self.names.filter { sandbox.exists(Self.hooks + $0) } == [name])
        let removal = try await sandbox.tool("uninstall")
        #expect(removal.status == 0 && removal.output.contains("was not written by this tool; it is unchanged."))
        #expect(try sandbox.text(Self.hooks + name) == before)
    }

    @Test func forcedInstallCallsTheOldHooksAndUninstallRestoresThem() async throws {
        let sandbox = try await Sandbox()
        for name in Self.names {
            try sandbox.script(
                "echo \"\(name) $#\" >> '\(sandbox.root)/calls'; sed -i.old '1s/$/!/' \"$1\"", to: Self.hooks + name)
        }
        let before = try Self.names.map { try sandbox.text(Self.hooks + $0) }
        #expect(try await sandbox.tool("install", "--force").status == 0)
        #expect(try await sandbox.tool("install", "--force").status == 0)
        try await sandbox.change()
        try await sandbox.git("commit", "-q", "-m", "Begin")
        #expect(try sandbox.text("calls") == "prepare-commit-msg 2\ncommit-msg 1\n")
        #expect(try await sandbox.message() == "Begin!!\n\nTicket: ABC-123")
        #expect(try await sandbox.tool("uninstall").status == 0)
        #expect(try Self.names.map { try sandbox.text(Self.hooks + $0) } == before)
        #expect(!sandbox.exists(Self.hooks + "commit-msg.before-annotate-git-commit"))
    }

    @Test(arguments: names)
    func anOldHookThatFailsStopsTheCommit(name: String) async throws {
        let sandbox = try await Sandbox()
        try sandbox.script("echo refused >&2; exit 3", to: Self.hooks + name)
        #expect(try await sandbox.tool("install", "--force").status == 0)
        try await sandbox.change()
        let result = try await sandbox.tryGit("commit", "-m", "Begin")
        #expect(result.status == 1)
        #expect(result.error == "refused\n")
    }

    @Test func aHookKeptBeforeIsNotOverwritten() async throws {
        let sandbox = try await Sandbox()
        try sandbox.script("exit 0", to: Self.hooks + "commit-msg")
        try sandbox.script("exit 1", to: Self.hooks + "commit-msg.before-annotate-git-commit")
        let result = try await sandbox.tool("install", "--force")
        #expect(result.status == 1)
        #expect(result.error.contains("which exists already"))
        #expect(try sandbox.text(Self.hooks + "commit-msg.before-annotate-git-commit").contains("exit 1"))
    }

    @Test(arguments: [false, true])
    func hooksPathIsRespectedFromAnywhere(isAbsolute: Bool) async throws {
        let sandbox = try await Sandbox()
        try await sandbox.git("config", "core.hooksPath", isAbsolute ? sandbox.path("shared/hooks") : "tools/my hooks")
        try await sandbox.change("deep/er/file")
        #expect(try await sandbox.tool("install", in: "main/deep/er").status == 0)
        #expect(sandbox.exists((isAbsolute ? "shared/hooks" : "main/tools/my hooks") + "/commit-msg"))
        #expect(!sandbox.exists(Self.hooks + "commit-msg"))
        try await sandbox.git("commit", "-q", "-m", "Begin", in: "main/deep")
        #expect(try await sandbox.message() == "Begin\n\nTicket: ABC-123")
        #expect(try await sandbox.tool("uninstall", in: "main/deep").status == 0)
        #expect(!sandbox.exists((isAbsolute ? "shared/hooks" : "main/tools/my hooks") + "/commit-msg"))
    }

    @Test func relativeGitDirIsResolvedFromTheCurrentFolder() async throws {
        let sandbox = try await Sandbox()
        try await sandbox.change("sub/a/file")
        let variables = ["GIT_DIR": "../../.git", "GIT_WORK_TREE": "../.."]
        let installed = try await sandbox.tool("install", in: "main/sub/a", variables: variables)
        #expect(installed.status == 0, "\(installed.error)")
        #expect(Self.names.allSatisfy { sandbox.exists(Self.hooks + $0) })
        #expect(try await sandbox.tool("uninstall", in: "main/sub/a", variables: variables).status == 0)
        #expect(Self.names.allSatisfy { !sandbox.exists(Self.hooks + $0) })
    }

    @Test(arguments: ["", ".", "./"])
    func hooksPathThatGitIgnoresIsRefused(path: String) async throws {
        let sandbox = try await Sandbox()
        try await sandbox.git("config", "core.hooksPath", path)
        let result = try await sandbox.tool("install")
        #expect(result.status == 69 && result.error.contains("core.hooksPath"))
        #expect(!sandbox.exists("main/commit-msg"))
    }

    @Test(arguments: names, ["ln -s /nope", "mkdir"])
    func hookThatIsNoRegularFileIsTreatedAsForeign(name: String, command: String) async throws {
        let sandbox = try await Sandbox()
        try sandbox.script("mkdir -p .git/hooks && \(command) .git/hooks/\(name)", to: "make")
        #expect(try await sandbox.run([sandbox.path("make")], in: "main").status == 0)
        #expect(try await sandbox.tool("install").status == 1)
        #expect(try await sandbox.tool("uninstall").output.contains("it is unchanged"))
        let installed = try await sandbox.tool("install", "--force")
        #expect(installed.status == 0, "\(installed.error)")
        try await sandbox.git("commit", "-q", "--allow-empty", "-m", "Begin")
        #expect(try await sandbox.message() == "Begin\n\nTicket: ABC-123")
        #expect(try await sandbox.tool("uninstall").output.contains("Restored the previous"))
        #expect(try await sandbox.tool("install").status == 1)
    }

    @Test func anExpressionMayBeginWithAHyphen() async throws {
        let sandbox = try await Sandbox()
        #expect(try await sandbox.tool("install", "--regexp", "-(123)").status == 0)
        try await sandbox.git("commit", "-q", "--allow-empty", "-m", "Begin")
        #expect(try await sandbox.message() == "Begin\n\nTicket: 123")
    }

    @Test func aLinkedWorktreeInstallsForAll() async throws {
        let sandbox = try await Sandbox()
        try await sandbox.git("commit", "-q", "--allow-empty", "-m", "Begin")
        try await sandbox.git("worktree", "add", "-q", "-b", "other", "../linked")
        #expect(try await sandbox.tool("install", in: "linked").status == 0)
        #expect(Self.names.allSatisfy { sandbox.exists(Self.hooks + $0) })
        #expect(try await sandbox.tool("uninstall").status == 0)
    }

    @Test(arguments: [
        ("'([a-z]+)'", "x'abc'", "abc"), ("\\$(HOME|x)", "a$HOME", "HOME"), ("(`id`)", "a`id`", "`id`"),
        ("-(\"[^\"]+\")", "a-\"b\"", "\"b\""), ("(;|&&) ?", "a;b", ";"),
    ])
    func expressionIsNotInterpretedByTheShell(pattern: String, branch: String, ticket: String) async throws {
        let sandbox = try await Sandbox.installed("--regexp=" + pattern, branch: branch)
        try await sandbox.change()
        try await sandbox.git("commit", "-q", "-m", "Begin")
        #expect(try await sandbox.message() == "Begin\n\nTicket: \(ticket)")
    }

    @Test func missingToolIsReported() async throws {
        let sandbox = try await Sandbox()
        let tool = sandbox.path("it's here/tool")
        try FileManager.default.createDirectory(atPath: sandbox.path("it's here"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: Sandbox.binary, toPath: tool)
        #expect(try await sandbox.run([tool, "install"], in: "main").status == 0)
        try await sandbox.change()
        try await sandbox.git("commit", "-q", "-m", "Begin")
        #expect(try await sandbox.message() == "Begin\n\nTicket: ABC-123")
        try FileManager.default.removeItem(atPath: tool)
        let result = try await sandbox.tryGit("commit", "--allow-empty", "-m", "More")
        #expect(result.status == 1)
        #expect(result.error.contains("there is no tool at \(tool)"))
    }

    @Test func toolOnPathIsCalledByItsFullPath() async throws {
        let sandbox = try await Sandbox()
        let folder = URL(filePath: Sandbox.binary).deletingLastPathComponent().path
        let path = folder + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        let result = try await sandbox.run(["annotate-git-commit", "install"], in: "main", variables: ["PATH": path])
        #expect(result.status == 0)
        #expect(try sandbox.text(Self.hooks + "commit-msg").contains("tool='\(Sandbox.binary)'"))
    }

    @Test(arguments: ["abc", "("])
    func aWrongExpressionInstallsNothing(pattern: String) async throws {
        let sandbox = try await Sandbox()
        #expect(try await sandbox.tool("install", "--regexp", pattern).status == 64)
        #expect(!sandbox.exists(Self.hooks + "commit-msg"))
    }

    @Test func installWithoutAWorkingTreeFails() async throws {
        let sandbox = try await Sandbox(branch: nil)
        try await sandbox.git("init", "-q", "--bare", "bare", in: "")
        for folder in ["", "bare"] {
            let result = try await sandbox.tool("install", in: folder)
            #expect(result.status == 69)
            #expect(result.error.contains("the current folder is not in a working tree"))
        }
    }
}
