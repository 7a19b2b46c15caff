import Foundation
import Synchronization
import Testing
import Wharf
import WharfChecks
import WharfSQLite
import WharfStorage

@testable import WharfCommand

struct OutboxPagingTests {
    private func filled(_ count: Int) async throws -> OutboxFile {
        let file = try OutboxFile()
        try await file.app { store in
            try await store.commit(Commit(enqueued: (0..<count).map { file.own("\(10_000 + $0)", lane: "one") }))
        }
        return file
    }

    private func run(_ file: OutboxFile, pager: String, _ options: String...) async -> Session.Result {
        await file.session.run(["outbox", "ls", "--db", file.path] + options, pager: pager)
    }

    // MARK: The pager

    @Test func aTerminalShowsTheListInThePager() async throws {
        let file = try await filled(300)
        let expected = await file.run("ls")
        let result = await run(file, pager: "cat > '\(file.session.folder.path("shown"))'")
        #expect(result.status == .delivered && result.output.isEmpty)
        #expect(try file.session.folder.contents("shown") == expected.text)
        // Written to the terminal after the pager has ended.
        #expect(result.error == expected.error)
    }

    @Test func aPagerThatIsLeftEarlyEndsTheListQuietly() async throws {
        let file = try await filled(5_000)
        let result = await run(file, pager: "head -n 1 > '\(file.session.folder.path("shown"))'")
        #expect(result.status == .delivered && result.output.isEmpty && result.error.isEmpty, "\(result.error)")
        #expect(try file.session.folder.contents("shown").hasPrefix("ID "))
    }

    @Test(arguments: [
        ("cat > shown", ["--no-pager"]), ("cat > shown", ["--json"]), ("cat", []), ("", []), (" ", []),
    ])
    func pagerIsSkippedByOptionOrSetting(pager: String, options: [String]) async throws {
        let file = try await filled(1)
        let pager = pager.replacing("shown", with: "'\(file.session.folder.path("shown"))'")
        let result = await file.session.run(["outbox", "ls", "--db", file.path] + options, pager: pager)
        #expect(result.status == .delivered && result.text.contains("10000"), "\(result.text)")
        #expect(!(try file.session.folder.names().contains("shown")))
    }

    @Test func missingPagerIsReported() async throws {
        let file = try await filled(1)
        let result = await run(file, pager: "no-such-pager-of-wharf 2> /dev/null")
        #expect(result.status == .outputFailed)
        #expect(result.error.contains("could not be started; set PAGER, or use --no-pager"), "\(result.error)")
    }

    @Test func lessIsThePagerIfItIsInstalled() throws {
        let folder = try TemporaryFolder()
        #expect(TerminalPager(environment: ["PATH": folder.path("")]).command == nil)
        try folder.write("#!/bin/sh\n", to: "less")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path("less"))
        let path = "/nowhere:" + folder.url.path(percentEncoded: false)
        #expect(TerminalPager(environment: ["PATH": path]).command == "less -FRX")
        #expect(TerminalPager(environment: ["PATH": path, "TERM": "dumb"]).command == nil)
        #expect(TerminalPager(environment: ["PATH": path, "PAGER": "more -s"]).command == "more -s")
    }

    @Test func theFirstLinesAreWrittenBeforeAllIsRead() async throws {
        let file = try await filled(5_000)
        let written = Mutex<[Int]>([])
        let result = await file.session.run(
            ["outbox", "ls", "--db", file.path], "", nil,
            { bytes in
                written.withLock { $0.append(bytes.count { $0 == UInt8(ascii: "\n") }) }
                throw OutputFailure("gone", errno: EPIPE)
            })
        #expect(result.status == .delivered)
        let lines = written.withLock { $0 }
        #expect(lines.count == 1 && lines[0] <= 201, "\(lines)")
    }

    // MARK: Pages for scripts

    private func ids(_ file: OutboxFile, _ options: String...) async throws -> [String] {
        let result = await file.session.run(["outbox", "ls", "--db", file.path, "--json"] + options)
        return try result.text.split(separator: "\n").map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return try #require(object?["id"] as? String)
        }
    }

    @Test func consecutivePagesAreTheWholeList() async throws {
        let file = try await filled(450)
        let all = try await ids(file)
        var found: [String] = []
        while true {
            let page =
                found.isEmpty
                ? try await ids(file, "--limit", "100")
                : try await ids(file, "--limit", "100", "--after", found[found.count - 1])
            if page.isEmpty { break }
            #expect(page.count <= 100)
            found += page
        }
        #expect(found == all && all.count == 450)
    }

    @Test func incompletePageNamesTheNextOne() async throws {
        let file = try await filled(3)
        let first = await file.run("ls", "--limit", "2")
        #expect(first.error.hasSuffix("\nthere are more: --after 10001 lists them\n"), "\(first.error)")
        let last = await file.run("ls", "--limit", "2", "--after", "10001")
        #expect(!last.error.contains("there are more") && last.text.contains("10002"), "\(last.error)")
        let none = await file.run("ls", "--after", "10002")
        #expect(none.status == .delivered && none.line == "nothing waits in \(file.path) after 10002")
    }

    @Test func anEntryWithSeveralDestinationsIsNotDivided() async throws {
        let file = try OutboxFile()
        try await file.enqueue(
            file.request("a", "https://a/1", to: "api"), file.request("b", "https://a/2", to: "mail"),
            file.request("c", "https://a/3", to: "api"))
        try await file.app { store in
            var both = file.own("both")
            both.targets = .all("api", "mail")
            try await store.commit(Commit(enqueued: [both]))
        }
        #expect(try await ids(file, "--limit", "1", "--after", "c") == ["both", "both"])
        // Entries that the options exclude don't count.
        #expect(try await ids(file, "--limit", "2", "--destination", "api") == ["a", "c"])
    }

    @Test func pagingContinuesAcrossAccounts() async throws {
        let file = try OutboxFile()
        try await file.enqueue(
            file.request("a", "https://a/1", of: "anna"), file.request("b", "https://a/2", of: "bob"),
            file.request("n", "https://a/3"), file.request("z", "https://a/4", of: "anna"))
        #expect(try await ids(file) == ["n", "a", "z", "b"])
        #expect(try await ids(file, "--limit", "2") == ["n", "a"])
        #expect(try await ids(file, "--limit", "2", "--after", "a") == ["z", "b"])
        #expect(try await ids(file, "--after", "a", "--account", "anna") == ["z"])
        let gone = await file.run("ls", "--after", "m")
        #expect(gone.status == .notDone && gone.output.isEmpty)
        #expect(gone.error.contains("has no entry with the id 'm'; add --account"), "\(gone.error)")
        // The list continues after the entry with the greatest id below the given one.
        #expect(try await ids(file, "--after", "m", "--account", "anna") == ["z"])
    }
}
