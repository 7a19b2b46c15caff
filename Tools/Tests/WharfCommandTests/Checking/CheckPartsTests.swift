import Foundation
import Testing

@testable import WharfCommand

/// The parts of `wharf check`, without a compiler.
struct CheckPartsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ names: String..., text: String = "") throws {
        for name in names {
            let path = folder.path(name)
            try FileManager.default.createDirectory(
                at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(toFile: path, atomically: false, encoding: .utf8)
        }
    }

    private func found(_ root: String = "App", besides others: String...) throws -> [String] {
        let path = folder.path(root)
        return try SwiftFolder.files(in: path, besides: others.map { folder.path($0) })
            .map { String($0.path.dropFirst(path.count + 1)) }
    }

    @Test func filesAreFoundInTheFolderAndBelow() throws {
        try write(
            "App/B.swift", "App/A/C.swift", "App/.build/D.swift", "App/.E.swift", "App/notes.txt", "App/Package.swift")
        try write("App/A/Package@swift-6.swift", text: "//swift-tools-version: 6.2\n")
        #expect(try found() == ["A/C.swift", "B.swift", "Package.swift"])
        #expect(try found(besides: "App/B.swift") == ["A/C.swift", "Package.swift"])
    }

    @Test func linksAreFollowedOnce() throws {
        try write("App/A/C.swift", "Other/D.swift")
        for (link, target) in [("App/A/up", ".."), ("App/0", "A"), ("App/other", "../Other"), ("App/gone", "nowhere")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(link), withDestinationPath: target)
        }
        #expect(try found() == ["A/C.swift", "other/D.swift"])
    }

    @Test(arguments: [
        ("prefix/bin/wharf", "prefix/share/wharf/Sources"),
        ("checkout/Tools/.build/debug/wharf", "checkout/Sources/Decoding"),
    ])
    func bundledSourcesAreFoundBesideTheProgram(program: String, sources: String) throws {
        try write(program, "checkout/Package.swift")
        for module in WharfSources.modules {
            try write("prefix/share/wharf/Sources/\(module)/A.swift", "checkout/Sources/Decoding/\(module)/A.swift")
        }
        // Through a symbolic link, as package managers create.
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link"), withDestinationPath: folder.path(program))
        let found = try WharfSources(beside: folder.path("link"), environment: [:])
        #expect(found.folder == FilePath.real(folder.path(sources)))
        #expect(found.files.map(\.count) == [1, 1, 1, 1])
        let named = try WharfSources(
            beside: nil, environment: ["WHARF_SOURCES": folder.path("checkout/Sources/Decoding")])
        #expect(named.folder == folder.path("checkout/Sources/Decoding"))
    }

    @Test(arguments: [[:], ["WHARF_SOURCES": "/nowhere"]])
    func missingBundledSourcesAreAnInstallationFault(environment: [String: String]) throws {
        try write("bin/wharf")
        let failure = try #require(throws: CheckFailure.self) {
            try WharfSources(beside: folder.path("bin/wharf"), environment: environment)
        }
        #expect(failure.status == .internalError)
        #expect(failure.message.contains("the sources that come with wharf"), "\(failure.message)")
    }

    @Test(arguments: [
        ("WebService", "WebService"), ("a/Blog Models/", "Blog_Models"), ("2026", "_2026"),
        ("Foundation", "Foundation_"),
        ("WharfCheck", "WharfCheck_"), ("class", "class_"), ("-", "__"), ("Käse", "K_se"),
    ])
    func aModuleIsCalledAsItsFolder(path: String, name: String) {
        #expect(CheckedModule(folder: path, type: "A", hasRules: false, hasDecoder: false, constants: []).name == name)
    }

    @Test func constantsBesideComparisonsComeFirst() throws {
        try write(
            "App/A.swift",
            text: """
                // "a comment"
                let title = "Title", size = 12
                enum Kind: String { case film = "movie" }
                if kind == "video" || version >= 3 { path = "a\\(b)" }
                case "image", "gif": break
                if kind == "video" {}
                """)
        let sources = try SwiftFolder.files(in: folder.path("App"), besides: [])
        #expect(SourceConstants.found(in: sources) == ["video", "3", "image", "gif", "Title", "12", "movie"])
        try write("App/B.swift", text: (0..<100).map { "let a = \"\($0)\"\n" }.joined())
        #expect(
            SourceConstants.found(in: try SwiftFolder.files(in: folder.path("App"), besides: [])).count
                == SourceConstants.limit)
    }

    @Test func messagesAboutTheUsersFilesStayAsTheyAre() {
        let log = """
            Models/A.swift:1:2: error: no
             1 | struct A
               |  `- error: no

            """
        let messages = CompilerMessages(log, type: "A", hiding: ["/builds"])
        #expect(messages.ofSources == log.split(separator: "\n").map(String.init))
        #expect(messages.ofOptions == [])
    }

    @Test func messagesAboutGeneratedCodeNameTheOption() {
        let log = """
            --type:1:30: error: cannot find type 'Nope' in scope
             2 | typealias WharfCheckType__ = Nope
               |                              `- error: cannot find type 'Nope' in scope
            --check:3:15: error: generic parameter 'T' could not be inferred
            /wharf/WharfCheck/PayloadCheck.swift:18:12: note: where
            18 | public init

            [#Footnote]: <https://example.com>
            """
        let messages = CompilerMessages(log, type: "Nope", hiding: ["/wharf"])
        #expect(messages.ofSources == [])
        #expect(messages.ofOptions == ["--type: cannot find type 'Nope' in scope"])
    }

    @Test(arguments: [
        (
            "--check:1:1: error: initializer requires that 'WharfCheckType__' (aka 'A') conform to 'Decodable'",
            "--type: expected a type that is Decodable, or WharfJSON's JSONDecodable, found 'A'"
        ),
        (
            "--decoder:1:1: error: cannot find 'decoder' in scope",
            "--decoder: expected let decoder: JSONDecoder in the file, found no decoder"
        ),
        (
            "--rules:1:1: error: cannot convert '[Rule<B>]' to '[Rule<WharfCheckType__>]'",
            "--rules: cannot convert '[Rule<B>]' to '[Rule<A>]'"
        ),
    ])
    func messagesNameTheTypesOfTheUser(message: String, expected: String) {
        #expect(CompilerMessages(message, type: "A", hiding: []).ofOptions == [expected])
    }
}
