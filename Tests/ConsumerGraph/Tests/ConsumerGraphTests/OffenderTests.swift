import ConsumerGraph
import Foundation
import Testing

/// Deliberate violations: each must be found at its location, with the allowed imports.
@Suite struct OffenderTests {
    private static let allowedEverywhere = "Darwin, Glibc, Musl, Swift, Synchronization"
    private static let allowedInCore = "WharfErrors, WharfPrimitives, HTTPTypes, Observation, " + allowedEverywhere
    private static let allowedInCache = "WharfCore, WharfPrimitives, WharfStorage, HTTPTypes, " + allowedEverywhere

    @Test(arguments: [
        "import Foundation", "public import Foundation", "@preconcurrency import Foundation",
        "@_spi(Experimental) internal import Foundation", "import struct Foundation.Date", "import Foundation.NSDate",
        "#if canImport(Foundation)\nimport Foundation\n#endif", "import HTTPTypes; import Foundation",
        "/* a /* nested */ comment */ import Foundation", "let text = \"/*\"\nimport Foundation",
    ])
    func coreThatImportsFoundationIsFound(source: String) throws {
        let tree = try Tree(["Sources/WharfCore/Account.swift": source])
        defer { tree.remove() }
        let line = source.split(separator: "\n").firstIndex { $0.contains("import Foundation") || $0.contains("Date") }
        let expected =
            "Sources/WharfCore/Account.swift:\(try #require(line) + 1): WharfCore imports Foundation; "
            + "it may import \(Self.allowedInCore) (the table: \(Table.path))"
        #expect(try tree.offences(targets: [("WharfCore", ["HTTPTypes"])]) == [expected])
    }

    @Test(arguments: [
        "// import Foundation", "/* \n import Foundation\n */", "let text = \"\"\"\n    import Foundation\n    \"\"\"",
        "let text = #\"\nimport\"#", "#if canImport(Foundation)\n#endif", "let important = 1", "important.Foundation()",
    ])
    func textThatResemblesAnImportIsIgnored(source: String) throws {
        #expect(Import.scan(source).isEmpty)
    }

    @Test(arguments: [
        "CheckedContinuation", "UnsafeContinuation", "withCheckedContinuation", "withCheckedThrowingContinuation",
        "withUnsafeContinuation", "withUnsafeThrowingContinuation",
    ])
    func handWrittenContinuationIsFound(name: String) throws {
        let tree = try Tree(["Sources/WharfCache/Wait+Apple.swift": "#if os(iOS)\nlet it = \(name)\n#endif\n"])
        defer { tree.remove() }
        #expect(
            try tree.offences(targets: [("WharfCache", ["WharfCore"])]) == [
                "Sources/WharfCache/Wait+Apple.swift:2: WharfCache uses \(name); "
                    + "build it on WharfPrimitives, which alone may (the table: \(Table.path))"
            ]
        )
    }

    @Test(arguments: [
        "// CheckedContinuation", "let text = \"withCheckedContinuation\"", "AsyncStream<Int>.Continuation",
        "func isContinuation() {}", "withUnsafeCurrentTask { $0 }",
    ])
    func otherContinuationsAreNoOffence(source: String) {
        #expect(ContinuationUse.scan(source).isEmpty)
    }

    @Test func continuationsInThePrimitivesAreNoOffence() throws {
        let tree = try Tree(["Sources/WharfPrimitives/Monitor.swift": "let it = UnsafeContinuation.self"])
        defer { tree.remove() }
        #expect(try tree.offences(targets: [("WharfPrimitives", [])]).isEmpty)
    }

    @Test func forbiddenSiblingImportIsFound() throws {
        let tree = try Tree(["Sources/WharfCache/Deep/Policy.swift": "import WharfCore\n\ninternal import WharfHTTP\n"])
        defer { tree.remove() }
        #expect(
            try tree.offences(targets: [("WharfCache", ["WharfCore"])]) == [
                "Sources/WharfCache/Deep/Policy.swift:3: WharfCache imports WharfHTTP; "
                    + "it may import \(Self.allowedInCache) (the table: \(Table.path))"
            ]
        )
    }

    @Test(arguments: [("File+Apple.swift", 0), ("File.swift", 1), ("Apple.swift", 1)])
    func appleModulesAreAllowedInAppleFilesOnly(name: String, count: Int) throws {
        let tree = try Tree(["Sources/WharfSQLite/\(name)": "#if os(iOS)\ninternal import Foundation\n#endif\n"])
        defer { tree.remove() }
        #expect(try tree.offences(targets: [("WharfSQLite", ["WharfCore"])]).count == count)
    }

    @Test func forbiddenManifestDependencyIsFound() throws {
        let tree = try Tree(["Sources/WharfCache/Policy.swift": "import WharfCore\n"])
        defer { tree.remove() }
        #expect(
            try tree.offences(targets: [("WharfCache", ["WharfCore", "WharfHTTP"])]) == [
                "Package.swift: target WharfCache depends on WharfHTTP; "
                    + "it may import \(Self.allowedInCache) (the table: \(Table.path))"
            ]
        )
    }

    @Test func aTargetWithoutARowIsFound() throws {
        let tree = try Tree(["Sources/WharfNew/New.swift": ""])
        defer { tree.remove() }
        #expect(
            try tree.offences(targets: [("WharfNew", [])]) == [
                "Package.swift: target WharfNew has no row; say what it may import (the table: \(Table.path))"
            ]
        )
    }

    @Test(arguments: ["@_exported import WharfCore", "@_exported\npublic import WharfCore"])
    func forbiddenReexportIsFound(source: String) throws {
        let tree = try Tree(["Sources/WharfCache/Exports.swift": source])
        defer { tree.remove() }
        let line = source.contains("\n") ? 2 : 1
        #expect(
            try tree.offences(targets: [("WharfCache", ["WharfCore"])]) == [
                "Sources/WharfCache/Exports.swift:\(line): WharfCache re-exports WharfCore; "
                    + "it may re-export nothing (the table: \(Table.path))"
            ]
        )
    }
}

/// A package in a scratch folder, with sources that are not compiled.
private struct Tree {
    private let root = FileManager.default.temporaryDirectory.appending(path: "tree-\(UUID().uuidString)")

    init(_ files: [String: String]) throws {
        for (path, source) in files {
            let file = root.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true
            )
            try Data(source.utf8).write(to: file)
        }
    }

    func remove() { removeScratch(root) }

    func offences(targets: [(name: String, dependencies: [String])]) throws -> [String] {
        let list = targets.map { target in
            let dependencies = target.dependencies.map { #"{"byName": ["\#($0)", null]}"# }.joined(separator: ", ")
            return #"{"name": "\#(target.name)", "type": "regular", "dependencies": [\#(dependencies)]}"#
        }
        let json = #"{"products": [], "targets": [\#(list.joined(separator: ", "))]}"#
        return try Table.wharf.offences(of: Manifest(json: Data(json.utf8)), at: root).map(\.description)
    }
}
