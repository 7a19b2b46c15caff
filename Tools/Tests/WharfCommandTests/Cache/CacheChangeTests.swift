import Testing
import Wharf
import WharfSQLite

@testable import WharfCommand

struct CacheChangeTests {
    private func filled() async throws -> CacheFile {
        let file = try CacheFile()
        try await file.keep("https://a/old", age: 7200)
        try await file.keep("https://a/mine", of: "anna")
        try await file.keep("https://a/stale", age: 61)
        try await file.keep("https://a/new")
        return file
    }

    @Test(arguments: [
        (["rm", "https://a/new"], ["stale", "mine", "old"], "removed 1 answer, "),
        (["rm", "1", "https://a/mine"], ["new", "stale"], "removed 2 answers, "),
        (["rm", "--account", "anna"], ["new", "stale", "old"], "removed 1 answer\n"),
        (["rm", "--all"], [], "removed 4 answers\n"),
        (["prune", "--stale"], ["new", "mine"], "removed 2 answers, "),
        (["prune", "--older-than", "1h"], ["new", "stale", "mine"], "removed 1 answer, "),
        (["prune", "--to-bytes", "0"], [], "removed 4 answers, "),
    ])
    func changeRemovesTheChosenAnswersOnly(arguments: [String], left: [String], output: String) async throws {
        let file = try await filled()
        let result = await file.session.run(["cache"] + arguments + ["--cache", file.path])
        #expect(result.status == .delivered && result.text.hasPrefix(output), "\(result.text) \(result.error)")
        #expect(try await file.targets() == left.map { "https://a/\($0)" })
    }

    @Test func pruneToBytesKeepsTheMostRecentlyUsed() async throws {
        let file = try await filled()
        let sizes = try await file.json("ls").compactMap { $0["bytes"] as? Int }
        let limit = sizes[0] + sizes[1]
        _ = await file.run("prune", "--to-bytes", "\(limit)")
        #expect(try await file.targets() == ["https://a/new", "https://a/stale"])
        _ = await file.run("prune", "--to-bytes", "\(limit - 1)")
        #expect(try await file.targets() == ["https://a/new"])
    }

    @Test func dryRunRemovesNothing() async throws {
        let file = try await filled()
        let result = await file.run("prune", "--stale", "--dry-run")
        #expect(result.status == .delivered && result.text == "https://a/old\nhttps://a/stale\n")
        #expect(result.error.hasPrefix("2 answers, ") && result.error.hasSuffix(", would be removed\n"))
        #expect(try await file.targets().count == 4)
    }

    @Test func missingAnswerIsNamedAndTheOthersAreRemoved() async throws {
        let file = try await filled()
        let result = await file.run("rm", "https://a/none?k=s3cr3t", "https://a/new", "99")
        #expect(result.status == .notDone)
        #expect(result.error.contains("no answer for https://a/none?k=***; see wharf cache ls"), "\(result.error)")
        #expect(result.error.contains("no answer for the id 99") && !result.error.contains("s3cr3t"))
        #expect(try await file.targets() == ["https://a/stale", "https://a/mine", "https://a/old"])
    }

    @Test func verifyReportsAndRemovesDamagedBodies() async throws {
        let file = try CacheFile()
        try await file.keep("https://a/whole", "whole")
        try await file.keep("https://a/broken?k=s3cr3t", "not to be found twice")
        try file.damage("not to be found twice")
        let listed = await file.run("show", "2", "--body")
        #expect(
            listed.status == .notDone && listed.error.contains("; wharf cache verify removes it"), "\(listed.error)")
        let result = await file.run("verify")
        #expect(result.status == .damaged)
        #expect(result.text.contains("entry 2, GET https://a/broken?k=***, was dropped"), "\(result.text)")
        #expect(result.error == "1 answer in \(file.path) verified, 1 answer damaged and removed\n")
        let second = await file.run("verify")
        #expect(second.status == .delivered && second.text.isEmpty)
        #expect(second.error == "1 answer in \(file.path) verified, none is damaged\n")
    }

    /// The damage shows in the middle of the read. The store reports it, and `verify` reports it
    /// once.
    @Test func verifyReportsDamagedBodyFiles() async throws {
        let file = try CacheFile()
        try await file.keep("https://a/large", String(repeating: "a", count: 400_000) + "not to be found twice")
        try file.damage("not to be found twice")
        let shown = await file.run("show", "1", "--body")
        #expect(shown.status == .notDone && shown.output.count < 400_000, "\(shown.error)")
        #expect(shown.error.contains("can't be read to its end"), "\(shown.error)")
        let result = await file.run("verify")
        #expect(result.status == .damaged && result.text.split(separator: "\n").count == 1, "\(result.text)")
        #expect(result.text.contains("entry 1, GET https://a/large, was dropped"), "\(result.text)")
        #expect(try await file.targets().isEmpty)
    }

    @Test(arguments: [
        ["ls"], ["show", "1"], ["rm", "--all"], ["prune", "--stale"], ["stats"], ["verify"],
    ])
    func missingAndForeignFilesAreErrors(arguments: [String]) async throws {
        let session = try Session()
        let missing = await session.run(["cache"] + arguments + ["--cache", session.folder.path("none")])
        #expect(missing.status == .noInput && missing.error.contains("there is no cache at"), "\(missing.error)")
        try session.folder.write(String(repeating: "no database ", count: 100), to: "text")
        let foreign = await session.run(["cache"] + arguments + ["--cache", session.folder.path("text")])
        #expect(foreign.status == .noInput && foreign.error.contains("is not a cache of Wharf"), "\(foreign.error)")
        #expect(try session.folder.names() == ["text"])
    }

    @Test func fileIsExaminedWhileItsOwnerHasItOpen() async throws {
        let file = try await filled()
        try await file.owner { store in
            #expect(await file.run("rm", "https://a/new").status == .delivered)
            #expect(await file.run("verify").status == .delivered)
            let left = try await store.entries(usedBefore: nil, limit: 9)
            #expect(left.count == 3)
        }
    }

    @Test(arguments: [
        (["cache"], "expected a subcommand of cache, found none; try wharf cache ls"),
        (["cache", "ls", "--limit", "0"], "--limit: expected a number of answers above 0, found '0'"),
        (["cache", "ls", "--cache", "a/"], "--cache: expected the name of a file, found 'a/'"),
        (["cache", "show", "a/b"], "found 'a/b'; try"),
        (["cache", "show", "file:///a"], "expected an http or https URL, found 'file:///a'"),
        (["cache", "show", "1", "--body", "--json"], "expected --body or --json, found both"),
        (["cache", "rm"], "expected a URL or an id, found none"),
        (["cache", "rm", "1", "--all"], "found more than one of them"),
        (["cache", "prune"], "expected --stale, --older-than or --to-bytes, found none"),
        (["cache", "prune", "--stale", "--to-bytes", "1"], "expected one of --stale"),
        (["cache", "prune", "--older-than", "soon"], "--older-than: expected a number with s, min, h or d"),
        (["cache", "prune", "--to-bytes", "much"], "--to-bytes: expected a number of bytes, found 'much'"),
    ])
    func usageErrorNamesTheExpectation(arguments: [String], expected: String) async throws {
        let result = try await Session().run(arguments)
        #expect(result.status == .usage && result.output.isEmpty)
        #expect(result.error.contains(expected), "\(result.error)")
    }

    @Test(arguments: [
        ("90s", 90), ("5min", 300), ("12h", 43_200), ("30d", 2_592_000), ("2w", 1_209_600),
    ])
    func durationHasAUnit(text: String, seconds: Int) {
        #expect(DurationText.parse(text) == .seconds(seconds))
    }

    @Test(arguments: ["", "d", "5", "-5d", "1.5h", "99999999999999999w", "200000d"])
    func otherDurationsAreRefused(text: String) {
        #expect(DurationText.parse(text) == nil)
    }
}
