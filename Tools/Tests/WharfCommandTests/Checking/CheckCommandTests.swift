import Foundation
import Testing

@testable import WharfCommand

/// The output of `wharf check` before it compiles.
struct CheckCommandTests {
    private let session: Session

    init() throws {
        session = try Session()
        try session.folder.write("struct Feed: Decodable {}\n", to: "Feed.swift")
    }

    @Test(arguments: [
        ([], "expected --sources, found none; try wharf check --sources Sources/Models --type Feed feed.json"),
        (["--sources", "."], "expected --type, found none; try"),
        (["--sources", ".", "--type", " "], "expected --type, found none"),
        (["--sources", ".", "--type", "A; exit(0)"], "--type: expected the name of a type"),
        (["--sources", ".", "--type", "A\nimport B"], "--type: expected the name of a type"),
        (
            ["--sources", ".", "--type", "A", "--format", "xml"],
            "expected one of text, json, sarif, junit, found 'xml'"
        ),
        (["--sources", ".", "--type", "A", "--max-errors", "0"], "--max-errors: expected a whole number above 0"),
        (["--sources", ".", "--type", "A", "--max-errors", "-1"], "found '-1'"),
        (["--sources", ".", "--type", "A", "--rules", "rules.json"], "--rules: expected a Swift file"),
        (["--sources", ".", "--type", "A", "--decoder", ""], "--decoder: expected a Swift file"),
        (["--sources", ".", "--type", "A", "-", "-"], "expected - once"),
        (["--sources", ".", "--type", "A", "ftp://a/b"], "found 'ftp://a/b'"),
        (["--sources", ".", "--type", "A", "http:///b"], "found no host"),
        (["--sources", ".", "--type", "A", "file:///b"], "leave out file://"),
        (["--sources", ".", "--type", "A", ""], "found an empty one"),
        (["--sources", ".", "--type", "A", "--quiet"], "Unknown option '--quiet'"),
    ])
    func usageErrorNamesTheExpectation(arguments: [String], expected: String) async {
        let result = await session.run(["check"] + arguments, "{}")
        #expect(result.status == .usage)
        #expect(result.output.isEmpty)
        #expect(result.error.contains(expected), "\(result.error)")
    }

    @Test func missingToolchainIsReportedWithAHint() async {
        let result = await session.run(["check", "--sources", session.folder.path(""), "--type", "Feed"], "{}")
        #expect(result.status == .unavailable)
        #expect(
            result.error
                == "wharf: wharf check needs Swift's toolchain to compile your types, but there is no swiftc on PATH; "
                + "see https://www.swift.org/install\n")
    }

    @Test(arguments: [
        (["--sources", "/nowhere", "--type", "Feed"], "wharf: '/nowhere' could not be read: No such file"),
        (["--sources", "FOLDER/Feed.swift", "--type", "Feed"], "wharf: expected a folder, found the file"),
        (
            ["--sources", "FOLDER", "--type", "Feed", "/nowhere.json"],
            "'/nowhere.json' could not be read: No such file"
        ),
        (["--sources", "FOLDER", "--type", "Feed", "FOLDER"], "expected a file, found the folder"),
        (["--sources", "FOLDER", "--type", "Feed", "--rules", "/nowhere.swift"], "'/nowhere.swift' could not be read"),
    ])
    func missingFileIsReported(arguments: [String], expected: String) async {
        let folder = session.folder.path("")
        let words = arguments.map { $0.replacingOccurrences(of: "FOLDER", with: folder) }
        let result = await session.run(["check"] + words, "{}")
        #expect(result.status == .inputNotRead)
        #expect(result.output.isEmpty)
        #expect(result.error.contains(expected), "\(result.error)")
    }

    @Test func aFolderWithoutTypesIsNoSource() async throws {
        try FileManager.default.removeItem(atPath: session.folder.path("Feed.swift"))
        let empty = await session.run(["check", "--sources", session.folder.path(""), "--type", "Feed"], "{}")
        #expect(empty.status == .notCompiled)
        #expect(empty.error.contains("wharf: expected Swift files, found none in"), "\(empty.error)")
        try session.folder.write("print(1)\n", to: "main.swift")
        let program = await session.run(["check", "--sources", session.folder.path(""), "--type", "Feed"], "{}")
        #expect(program.status == .notCompiled)
        #expect(program.error.contains("/main.swift' is the entry point of a program"), "\(program.error)")
    }

    @Test func helpNamesEveryExitCode() async {
        let result = await session.run(["check", "--help"])
        #expect(result.status == .delivered)
        for code in [0, 1, 2, 3, 64, 69, 70, 74, 130] {
            #expect(result.text.contains("\n  \(code) "), "\(code) in \(result.text)")
        }
    }
}
