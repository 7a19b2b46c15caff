import Foundation
import Testing
import Wharf
import WharfChecks
import WharfJSON
import WharfSQLite
import WharfStorage

@testable import WharfCommand

/// `wharf outbox` on files that it can't use, or must not change.
struct OutboxFileTests {
    private static let subcommands = [
        ["ls"], ["show", "a"], ["retry", "--all"], ["discard", "--all", "--yes"], ["drain"],
        ["pause", "--all"], ["resume", "--all"],
    ]

    private func run(_ file: OutboxFile, _ subcommand: [String]) async -> Session.Result {
        await file.session.run(["outbox"] + subcommand + ["--db", file.path])
    }

    @Test(arguments: subcommands)
    func mistypedPathCreatesNothing(subcommand: [String]) async throws {
        let file = try OutboxFile()
        let result = await run(file, subcommand)
        #expect(result.status == .noInput && result.output.isEmpty)
        #expect(result.error.contains("there is no data file at \(file.path), and none was made; check the path"))
        #expect(try file.session.folder.names() == [])
    }

    @Test(arguments: subcommands)
    func nonDatabaseFileIsLeftUnchanged(subcommand: [String]) async throws {
        let file = try OutboxFile()
        let text = String(repeating: "no database. ", count: 100)
        try file.session.folder.write(text, to: "data.sqlite")
        let result = await run(file, subcommand)
        #expect(result.status == .noInput && result.output.isEmpty)
        #expect(result.error.contains("is not a data file"), "\(result.error)")
        #expect(try file.session.folder.names() == ["data.sqlite"])
        #expect(try file.session.folder.contents("data.sqlite") == text)
    }

    /// The log may contain all data, and SQLite deletes the log of a file without pages.
    @Test(arguments: subcommands)
    func aLogBesideAnEmptyFileIsKept(subcommand: [String]) async throws {
        let file = try OutboxFile()
        let log = try await file.app { store in
            try await store.commit(Commit(enqueued: [file.own("a")]))
            return try Data(contentsOf: URL(filePath: file.path + "-wal"))
        }
        try #require(!log.isEmpty)
        try FileManager.default.removeItem(atPath: file.path + ".lock")
        try file.session.folder.write("", to: "data.sqlite")
        try log.write(to: URL(filePath: file.path + "-wal"))
        let result = await run(file, subcommand)
        #expect(result.status == .noInput && result.output.isEmpty)
        #expect(result.error.contains("-wal has \(log.count) bytes"), "\(result.error)")
        #expect(try Data(contentsOf: URL(filePath: file.path + "-wal")) == log)
        #expect(try file.session.folder.names() == ["data.sqlite", "data.sqlite-wal"])
    }

    @Test(arguments: subcommands)
    func cacheFileIsRefused(subcommand: [String]) async throws {
        let file = try OutboxFile()
        try await SQLiteCacheStore.open(at: file.path) { _ in }.close()
        try FileManager.default.removeItem(atPath: file.path + ".lock")
        let result = await run(file, subcommand)
        #expect(result.status == .noInput && result.error.contains("the file is another database"), "\(result.error)")
        #expect(!(try file.session.folder.names().contains { $0.hasPrefix("data.sqlite.lock") }))
    }

    /// `user_version` is at offset 60 in the header of an SQLite file.
    @Test(arguments: [(UInt8(1), "made by an older Wharf"), (UInt8(99), "made by a newer Wharf")], subcommands)
    func aFileOfAnotherVersionIsLeftAsItIs(
        version: (number: UInt8, expected: String), subcommand: [String]
    ) async throws {
        let file = try OutboxFile()
        try await file.enqueue(file.own("a"))
        try file.overwrite(at: 60, with: [0, 0, 0, version.number])
        let before = try file.contents()
        let result = await run(file, subcommand)
        #expect(result.status == .noInput && result.output.isEmpty)
        #expect(result.error.contains(version.expected), "\(result.error)")
        #expect(try file.contents() == before)
    }

    @Test func lockedFileIsReported() async throws {
        let file = try OutboxFile()
        try await file.enqueue(file.own("a"))
        let descriptor = open(file.path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0 && flock(descriptor, LOCK_EX) == 0)
        let look = await file.run("ls")
        #expect(look.status == .delivered, "who looks needs no lock: \(look.error)")
        let result = await file.run("drain")
        close(descriptor)
        #expect(result.status == .noInput)
        #expect(result.error.contains("another process holds it; try again later"), "\(result.error)")
    }

    /// That holds even while an app has the file open, with its last commits in the log.
    @Test func lsAndShowChangeNothing() async throws {
        let file = try OutboxFile()
        try await file.enqueue(file.own("a"))
        let closed = try file.contents()
        #expect(await file.run("ls").status == .delivered)
        #expect(await file.run("show", "a").status == .delivered)
        #expect(try file.contents() == closed)
        try await file.app { store in
            try await store.commit(Commit(enqueued: [file.own("b")]))
            let log = URL(filePath: file.path + "-wal")
            let (before, logged) = (try file.contents(), try Data(contentsOf: log))
            let result = await file.run("ls")
            #expect(result.text.contains("b "), "\(result.text)")
            #expect(await file.run("show", "b").status == .delivered)
            #expect(try file.contents() == before)
            #expect(try Data(contentsOf: log) == logged)
        }
    }

    @Test(arguments: [
        (["ls"], "expected --db, found none"),
        (["ls", "--db", "folder/"], "--db: expected the name of a file, found 'folder/'"),
        (
            ["ls", "--db", "x", "--state", "gone"],
            "--state: expected one of pending, waiting, paused, dead, found 'gone'"
        ),
        (["show", "--db", "x"], "Missing expected argument '<id>'"),
        (["retry", "--db", "x"], "expected the id of an entry, found none"),
        (["discard", "a", "--all", "--db", "x"], "expected ids or --all, found both"),
        (["drain", "--db", "x", "--within", "soon"], "--within: expected a number of seconds above 0, found 'soon'"),
        (["ls", "--db", "x", "--limit", "0"], "--limit: expected a number of entries above 0, found '0'"),
        (["pause", "--db", "x"], "expected --destination or --all, found none"),
        (["resume", "--db", "x", "--destination", "api", "--all"], "expected --destination or --all, found both"),
        ([], "expected a subcommand of outbox, found none"),
    ])
    func usageErrorNamesTheExpectation(arguments: [String], expected: String) async throws {
        let result = try await Session().run(["outbox"] + arguments)
        #expect(result.status == .usage && result.output.isEmpty)
        #expect(result.error.contains(expected), "\(result.error)")
    }

    @Test func helpNamesEveryExitCodeAndState() async throws {
        let help = try await Session().run(["outbox", "--help"])
        for code in [0, 1, 3, 7, 22, 64, 66, 70, 74, 130] { #expect(help.text.contains("\n  \(code) "), "\(code)") }
        let list = try await Session().run(["outbox", "ls", "--help"])
        for state in DeliveryState.allCases { #expect(list.text.contains("\n  \(state.rawValue) ")) }
        for name in ["show", "retry", "discard", "drain", "pause", "resume"] {
            let result = try await Session().run(["outbox", name, "--help"])
            #expect(result.status == .delivered && result.text.contains("JSON, "))
        }
    }
}
