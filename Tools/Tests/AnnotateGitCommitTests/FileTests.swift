import Foundation
import Testing

/// `add-ticket` called by hand: on a file of any name, as a hook of the user's own.
struct FileTests {
    private static let pattern = "([A-Z]+-[0-9]+)"

    @Test(arguments: [0o600, 0o644, 0o640])
    func theFileIsReplacedWithItsMode(mode: Int) async throws {
        let sandbox = try await Sandbox()
        try sandbox.write("Subject", to: "main/message")
        let path = sandbox.path("main/message")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        let before = try FileManager.default.attributesOfItem(atPath: path)
        // A concurrent reader sees the whole old file.
        let reader = try #require(FileHandle(forReadingAtPath: path))
        #expect(try await sandbox.tool("add-ticket", Self.pattern, "message").status == 0)
        let after = try FileManager.default.attributesOfItem(atPath: path)
        #expect(after[.posixPermissions] as? Int == mode)
        #expect(before[.systemFileNumber] as? Int != after[.systemFileNumber] as? Int)
        #expect(try reader.readToEnd() == Data("Subject".utf8))
        #expect(try sandbox.text("main/message") == "Subject\n\nTicket: ABC-123\n")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: sandbox.path("main")).sorted() == [".git", "message"])
    }

    @Test func aSymbolicLinkStaysOne() async throws {
        let sandbox = try await Sandbox()
        try sandbox.write("Subject\n", to: "main/message")
        try FileManager.default.createSymbolicLink(atPath: sandbox.path("main/link"), withDestinationPath: "message")
        #expect(try await sandbox.tool("add-ticket", Self.pattern, "link").status == 0)
        #expect(try sandbox.text("main/message") == "Subject\n\nTicket: ABC-123\n")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: sandbox.path("main/link")) == "message")
    }

    @Test func aSecondRunDoesNotTouchTheFile() async throws {
        let sandbox = try await Sandbox()
        try sandbox.write("Subject\n", to: "main/message")
        let path = sandbox.path("main/message")
        #expect(try await sandbox.tool("add-ticket", Self.pattern, "message").status == 0)
        let before = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        #expect(try await sandbox.tool("add-ticket", Self.pattern, "message").status == 0)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int == before)
    }

    @Test func handwrittenHookShowsAndAppendsTheTicket() async throws {
        let sandbox = try await Sandbox()
        try sandbox.script(
            "exec '\(Sandbox.binary)' add-ticket '\(Self.pattern)' \"$@\"", to: "main/.git/hooks/prepare-commit-msg")
        try await sandbox.change()
        try await sandbox.git("commit", "-q", editor: sandbox.writing("Begin"))
        #expect(try await sandbox.message() == "Begin\n\nTicket: ABC-123")
        let empty = try await sandbox.tryGit("commit", "--allow-empty", "-m", "")
        #expect(empty.status == 1)
    }

    @Test func aMissingFileIsNamed() async throws {
        let sandbox = try await Sandbox()
        let result = try await sandbox.tool("add-ticket", Self.pattern, "nothing")
        #expect(result.status == 66)
        #expect(result.error == "annotate-git-commit: can't read nothing: No such file or directory\n")
    }

    @Test(arguments: [
        ["--omit", "--abort"], ["--placeholder", "x", "--abort"], ["--trailer", "K", "--prefix"], ["--trailer", "a b"],
        ["--placeholder", ""], ["--placeholder", "x "], ["--include", "everything"],
        ["--prefix", "--include", "fixups"],
    ])
    func wrongOptionsAreUsageErrors(options: [String]) async throws {
        let sandbox = try await Sandbox()
        try sandbox.write("Subject\n", to: "main/message")
        let result = try await sandbox.run([Sandbox.binary, "add-ticket"] + options + ["(a)", "message"], in: "main")
        #expect(result.status == 64)
        #expect(result.error.contains("Usage: annotate-git-commit add-ticket"))
        #expect(try sandbox.text("main/message") == "Subject\n")
    }

    @Test func gitErrorOutsideARepositoryIsPassedOn() async throws {
        let sandbox = try await Sandbox(branch: nil)
        try sandbox.write("Subject\n", to: "message")
        let result = try await sandbox.tool("add-ticket", Self.pattern, "message", in: "")
        #expect(result.status == 69)
        #expect(result.error.contains("not a git repository"))
    }
}
