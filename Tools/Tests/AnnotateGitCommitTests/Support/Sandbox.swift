import Foundation
import Subprocess
import Testing

/// A temporary folder with repositories, and git without configuration of the user or system.
///
/// It is removed with the last reference.
final class Sandbox: Sendable {
    struct Result: Sendable {
        var status: Int32
        var output: String
        var error: String
    }

    /// The folder with symbolic links resolved, as in git's output.
    let root: String

    /// - Parameter branch: the branch of the repository `main`, without a commit; nil for no
    ///   repository.
    init(branch: String? = "feature/ABC-123-search") async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "annotate-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        root = folder.resolvingSymlinksInPath().path
        if let branch {
            try await git("init", "-q", "-b", branch, root + "/main", in: "")
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    func path(_ name: String) -> String { root + "/" + name }

    func write(_ text: String, to name: String) throws { try write(Data(text.utf8), to: name) }

    func write(_ bytes: Data, to name: String) throws {
        let url = URL(filePath: path(name))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try bytes.write(to: url)
    }

    func script(_ text: String, to name: String) throws {
        try write("#!/bin/sh\n" + text + "\n", to: name)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path(name))
    }

    func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: path(name))) }

    func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    /// Runs git in a folder of the sandbox; the test fails if git does.
    @discardableResult
    func git(
        _ arguments: String..., in folder: String = "main", editor: String = "true",
        _ location: SourceLocation = #_sourceLocation
    )
        async throws -> String
    {
        let result = try await run(["git"] + arguments, in: folder, editor: editor)
        #expect(result.status == 0, "git \(arguments): \(result.error)", sourceLocation: location)
        return result.output
    }

    /// Runs git, which may fail.
    func tryGit(_ arguments: String..., in folder: String = "main", editor: String = "true") async throws -> Result {
        try await run(["git"] + arguments, in: folder, editor: editor)
    }

    func tool(
        _ arguments: String..., in folder: String = "main", variables: [String: String] = [:]
    ) async throws -> Result {
        try await run([Self.binary] + arguments, in: folder, variables: variables)
    }

    /// Changes a file and stages it.
    func change(_ name: String = "file", in folder: String = "main") async throws {
        let old = exists(folder + "/" + name) ? try text(folder + "/" + name) : ""
        try write(old + "line\n", to: folder + "/" + name)
        try await git("add", name, in: folder)
    }

    /// Returns the stored message of a commit.
    func message(of commit: String = "HEAD", in folder: String = "main") async throws -> String {
        try await git("log", "-1", "--format=%B", "--encoding=UTF-8", commit, in: folder).trimmingCharacters(
            in: .newlines)
    }

    /// Creates an editor that runs a script on the file `$1`, and keeps the text that it was shown.
    func editor(_ script: String) throws -> String {
        let name = "editor-\(UUID().uuidString)"
        try self.script("cp \"$1\" '\(root)/shown'\n" + script, to: name)
        return path(name)
    }

    /// Creates an editor that inserts text at the start of the message.
    func writing(_ text: String) throws -> String {
        let name = "text-\(UUID().uuidString)"
        try write(text, to: name)
        return try editor("cat '\(path(name))' \"$1\" > \"$1.new\" && mv \"$1.new\" \"$1\"")
    }

    /// The text that the last editor was shown.
    var shown: String { get throws { try text("shown") } }

    func run(
        _ command: [String], in folder: String, editor: String = "true", variables: [String: String] = [:]
    ) async throws -> Result {
        let own = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": root, "LC_ALL": "C",
            "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "GIT_EDITOR": editor,
            "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.com",
            "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.com",
        ].merging(variables) { _, new in new }
        let pairs = own.map { (Environment.Key(stringLiteral: $0.key), $0.value) }
        let result = try await Subprocess.run(
            .name("sh"),
            arguments: Arguments(["-c", "cd \"$1\" && shift && exec \"$@\"", "sh", path(folder)] + command),
            environment: .custom(Dictionary(uniqueKeysWithValues: pairs)),
            output: .bytes(limit: 1 << 20), error: .string(limit: 1 << 20))
        let status: Int32 =
            switch result.terminationStatus {
            case .exited(let code): code
            case .signaled(let number): 128 + number
            }
        return Result(
            status: status, output: String(decoding: result.standardOutput, as: UTF8.self), error: result.standardError)
    }

    /// The binary beside the test bundle.
    static var binary: String {
        #if os(macOS)
        Bundle(for: Sandbox.self).bundleURL.deletingLastPathComponent().appending(path: "annotate-git-commit").path
        #else
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "annotate-git-commit").path
        #endif
    }
}

extension Sandbox {
    /// Returns a sandbox with a repository in which the hooks are installed.
    static func installed(_ options: String..., branch: String = "feature/ABC-123-search") async throws -> Sandbox {
        let sandbox = try await Sandbox(branch: branch)
        let result = try await sandbox.run([binary, "install"] + options, in: "main")
        #expect(result.status == 0, "\(result.error)")
        return sandbox
    }

    /// Returns a sandbox with one commit, made before the hooks were installed.
    static func begun(_ options: String..., branch: String = "feature/ABC-123-search") async throws -> Sandbox {
        let sandbox = try await Sandbox(branch: branch)
        try await sandbox.change()
        try await sandbox.git("commit", "-q", "-m", "Begin")
        let result = try await sandbox.run([binary, "install"] + options, in: "main")
        #expect(result.status == 0, "\(result.error)")
        return sandbox
    }
}
