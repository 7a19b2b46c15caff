#if KillHarness
import ChildPrograms
import Foundation
import Testing
import WharfKillHarness

@testable import WharfCheck

/// A user's own executable, run as a process.
@Suite struct ProgramTests {
    private func run(
        _ arguments: [String], files: [String: String] = [:], input: String? = nil, errors: String = "&2"
    ) async throws -> (status: Int32, lines: [String]) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "wharf-program-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
        let probe = try builtExecutable(named: "CheckProbe")
        let source = input.map { "cat '\($0)' |" } ?? "exec"
        let command = ["sh", "-c", "cd \"$1\" && shift && \(source) \"$@\" 2>\(errors)", "sh", folder.path, probe]
        let (status, text) = try await RunningProgram.output(of: command + arguments)
        return (status, text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init))
    }

    /// The command lines of the article, with its payloads.
    @Test(arguments: [
        (#"{ "posts" : [] }"#, 0, [#"BlogPostsRequest(posts: [])"#]),
        (
            #"{ "posts" : [ { "title" : "Some post", "tags" : [] } ] }"#, 0,
            [#"BlogPostsRequest(posts: [CheckProbe.BlogPost(title: "Some post", tags: [])])"#]
        ),
        (
            #"{ "posts" : [ { "title" : "Some post", "tags" : [ { "value" : "cool" } ] } ] }"#, 0,
            [#"BlogPostsRequest(posts: [CheckProbe.BlogPost(title: "Some post", tags: ["cool"])])"#]
        ),
        (
            "{}", 1,
            [
                #"feed.json:1:1: posts: expected a value for the key "posts", found an object without it"#,
                "    {}", "    ^", "1 error in 1 of 1 document: 1 missing key",
            ]
        ),
        (
            #"{ "posts" : [ { } ] }"#, 1,
            [
                #"feed.json:1:15: posts[0].title: expected a value for the key "title", found an object without it"#,
                #"    { "posts" : [ { } ] }"#, "                  ^",
                #"feed.json:1:15: posts[0].tags: expected a value for the key "tags", found an object without it"#,
                #"    { "posts" : [ { } ] }"#, "                  ^", "2 errors in 1 of 1 document: 2 missing keys",
            ]
        ),
        (
            #"{ "posts" : [ { "title" : "Some post" } ] }"#, 1,
            [
                #"feed.json:1:15: posts[0].tags: expected a value for the key "tags", found an object without it"#,
                #"    { "posts" : [ { "title" : "Some post" } ] }"#, "                  ^",
                "1 error in 1 of 1 document: 1 missing key",
            ]
        ),
    ])
    func articlePayloadsGiveTheDocumentedOutput(_ json: String, _ status: Int32, _ lines: [String]) async throws {
        let result = try await run(["--print", "feed.json"], files: ["feed.json": json])
        #expect(result.status == status)
        #expect(result.lines == lines)
    }

    @Test func crashingTypeFailsOnlyItsDocument() async throws {
        let lines = [
            #"{"posts": [{"title": "talk", "tags": []}]}"#,
            #"{"posts": [{"title": "crash", "tags": []}]}"#,
            "",
            #"{"posts": [{"title": 7, "tags": []}]}"#,
            #"{"posts": [{"title": "crash where something stands in", "tags": [{"value": null}]}]}"#,
        ]
        let result = try await run(
            ["--lines", "--format", "json", "feed.ndjson"], files: ["feed.ndjson": lines.joined(separator: "\n")])
        #expect(result.status == 1)
        let json = result.lines.drop { !$0.hasPrefix("{\"type\"") }.joined(separator: "\n")
        let report = try ReadReport.of(json)
        #expect(report.documents.map(\.line) == [2, 4, 5])
        let findings = report.documents.compactMap(\.findings.first)
        #expect(findings.map(\.kind) == ["crash", "wrongType", "null"])
        #expect(findings.first?.message.hasSuffix(": a title that this type can't bear") == true)
        #expect(findings.first?.line == 2)
        #expect(findings.last?.hides == "BlogPostsRequest")
        #expect(report.summary.documents == 4)
    }

    #if os(Linux)
    @Test func memoryLimitStopsOnlyRunsWithStandIns() async throws {
        let lines = [
            #"{"posts": [{"title": "grow where something stands in", "tags": [{"value": null}]}]}"#,
            #"{"posts": [{"title": 7, "tags": []}]}"#,
            #"{"posts": [{"title": "grow", "tags": []}]}"#,
        ]
        let result = try await run(
            ["--lines", "--format", "json", "feed.ndjson"], files: ["feed.ndjson": lines.joined(separator: "\n")],
            errors: "/dev/null")
        let report = try ReadReport.of(result.lines.joined(separator: "\n"))
        #expect(report.documents.map(\.line) == [1, 2])
        #expect(report.documents.map { $0.findings.map(\.kind) } == [["null"], ["wrongType"]])
        #expect(report.documents.first?.findings.first?.hides == "BlogPostsRequest")
        #expect(report.summary.documents == 3)
    }
    #endif

    @Test(arguments: [[], ["--lines"]])
    func crashingDocumentIsNotRetriedWithStandIns(_ options: [String]) async throws {
        let notes = FileManager.default.temporaryDirectory.appending(path: "wharf-crashes-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: notes) }
        let json = #"{"posts": [{"title": "\#(notes.path)", "tags": [{"value": null}]}]}"#
        let result = try await run(options + ["feed"], files: ["feed": json], errors: "/dev/null")
        #expect(result.lines.last == "1 error in 1 of 1 document: 1 null")
        #expect(try String(contentsOf: notes, encoding: .utf8) == "crash\n")
    }

    @Test func standInLimitsGrowWithTheDocumentAndThePlainRun() {
        let short = StandInLimits(size: 100, plain: .zero)
        #expect(short.seconds <= 10)
        #expect(StandInLimits(size: 100, plain: .seconds(10)).seconds > 100)
        #expect(StandInLimits(size: 100_000_000, plain: .zero).seconds > 1_000)
        #expect(StandInLimits(size: 100_000_000, plain: .zero).bytes > 100 * 100_000_000 + short.bytes)
    }

    @Test func rulesAreCheckedOnDecodedValues() async throws {
        let json = #"{"posts": [{"title": "a", "tags": []}, {"title": "", "tags": []}]}"#
        let result = try await run(["feed.json"], files: ["feed.json": json])
        #expect(result.status == 1)
        #expect(result.lines.first == "feed.json:1:50: posts[1].title: every post has a title: an empty title")
        #expect(result.lines.last == "1 error in 1 of 1 document: 1 broken rule")
    }

    @Test func missingInputDoesNotStopTheOthers() async throws {
        let result = try await run(["gone.json", "feed.json"], files: ["feed.json": "{}"])
        #expect(result.status == 3)
        #expect(result.lines.contains("CheckProbe: 'gone.json' could not be read: No such file or directory"))
        #expect(result.lines.last == "1 error in 1 of 1 document: 1 missing key; 1 input could not be read")
    }

    @Test func aWrongArgumentIsAnErrorOfUsage() async throws {
        let result = try await run(["--format", "xml"])
        #expect(result.status == 64)
        #expect(result.lines == ["CheckProbe: --format: expected one of text, json, sarif, junit, found 'xml'"])
    }

    @Test func standardInputIsReadAndNamed() async throws {
        let probe = try builtExecutable(named: "CheckProbe")
        let script = "printf '{\"posts\": 1}\\n{\"posts\": []}' | \"$1\" --lines --name feed -; exit $?"
        let (status, text) = try await RunningProgram.output(of: ["sh", "-c", script, "sh", probe])
        #expect(status == 1)
        #expect(text.hasPrefix("feed:1:11: posts: expected an array, found the number 1\n"))
    }

    @Test func closedOutputPipeEndsTheRunQuietly() async throws {
        let probe = try builtExecutable(named: "CheckProbe")
        let script = "yes '{}' | head -n 2000 | { \"$1\" --lines -; echo \"status $?\" >&2; } | head -n 1"
        let (_, text) = try await RunningProgram.output(of: ["sh", "-c", script, "sh", probe])
        #expect(text.split(separator: "\n").last == "status 1")
        #expect(text.split(separator: "\n").count == 2)
    }

    @Test func blocksAreReportedInInputOrder() async throws {
        let filler = String(repeating: "x", count: 300)
        let lines = (0..<4_000).map { $0 % 97 == 0 ? "{\"posts\": \($0)}" : #"{"posts": [], "more": "\#(filler)"}"# }
        let result = try await run(
            ["--lines", "--format", "json", "feed.ndjson"], files: ["feed.ndjson": lines.joined(separator: "\n")])
        let report = try ReadReport.of(result.lines.joined(separator: "\n"))
        let expected = (0..<4_000).filter { $0 % 97 == 0 }.map { $0 + 1 }
        #expect(report.documents.compactMap(\.line) == expected)
        #expect(report.summary.documents == 4_000)
    }

    @Test func fileAndPipeGiveTheSameReport() async throws {
        let filler = String(repeating: "x", count: 300)
        let lines = (0..<9_000).map { number in
            switch number {
            case 4_321: #"{"posts": [{"title": "crash", "tags": []}]}"#
            case let number where number % 997 == 0: "{\"posts\": \(number)}"
            case let number where number % 89 == 0: ""
            default: #"{"posts": [], "more": "\#(filler)"}"#
            }
        }
        let files = ["feed": lines.joined(separator: "\n")]
        let command = ["--lines", "--format", "json", "--name", "feed"]
        let file = try await run(command + ["feed"], files: files, errors: "/dev/null")
        let pipe = try await run(command + ["-"], files: files, input: "feed", errors: "/dev/null")
        #expect(file.status == 1)
        #expect(file.lines == pipe.lines)
        #expect(file.lines.count > 10)
    }

    @Test func unlinkedFileIsReadToItsEnd() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "wharf-gone-\(UUID().uuidString)")
        try Data("{\"posts\": []}\n\n{\"posts\": 1}\n".utf8).write(to: file)
        var blocks = try InputBlocks(file.path, isLines: true)
        let block = try #require(try blocks.next())
        try FileManager.default.removeItem(at: file)
        let worker = WorkerProcess(try builtExecutable(named: "CheckProbe"), ["CheckProbe"])
        var pool = WorkerPool([worker], typeName: "BlogPostsRequest", options: CheckOptions())
        #expect(try pool.check(block) == nil)
        let checked = try #require(try pool.settle())
        #expect(checked.count == 2)
        #expect(checked.documents.map(\.line) == [3])
        #expect(checked.documents.first?.checked.findings.first?.location.offset == 25)
        #expect(try pool.settle() == nil)
    }
}
#endif
