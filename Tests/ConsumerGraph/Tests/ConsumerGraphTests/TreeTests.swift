import ConsumerGraph
import Foundation
import Testing

/// The folder of this checkout of Wharf.
let wharf = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../..").standardizedFileURL

@Suite struct TreeTests {
    @Test func thisTreeKeepsTheTable() throws {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "dump-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { removeScratch(scratch) }
        // A separate scratch folder, as a build may have locked that of the checkout.
        let json = try SwiftCommand.output(of: [
            "package", "--package-path", wharf.path, "--scratch-path", scratch.path, "dump-package",
        ])
        let manifest = try Manifest(json: json)
        #expect(manifest.libraryTargets.contains { $0.name == "WharfCore" })
        let offences = try Table.wharf.offences(of: manifest, at: wharf)
        #expect(offences.isEmpty, "\(offences.map(\.description).joined(separator: "\n"))")
    }

    /// FoundationNetworking contains a second HTTP client, which crashes the process on some
    /// answers.
    @Test func onlyWharfURLSessionMayImportFoundationNetworking() {
        let importers = Table.wharf.rules.filter { ($0.outside.union($0.onApple)).contains("FoundationNetworking") }
        #expect(importers.map(\.target) == ["WharfURLSession"])
    }

    @Test func noFakeImportsATestingLibrary() throws {
        let fakes = Table.wharf.rules.map(\.target).filter { $0.hasSuffix("Fakes") }
        #expect(fakes.count >= 5)
        for target in fakes {
            // The targets that it reaches count too, as an app links them as well.
            #expect(Table.wharf.reach(of: target).isDisjoint(with: ["XCTest", "Testing", "WharfChecks"]), "\(target)")
            for (file, imports) in try Tree.imports(of: target, at: wharf) {
                #expect(!imports.contains { ["XCTest", "Testing"].contains($0.module) }, "\(file)")
            }
        }
    }

    @Test func everyTableRowHasATarget() throws {
        for rule in Table.wharf.rules {
            #expect(Tree.folder(of: rule.target, at: wharf) != nil, "\(rule.target) has a row in \(Table.path)")
        }
    }

    /// `WHARF_WRITE=1 make test/Tests/ConsumerGraph FILTER=architecture` writes the tables.
    @Test func architectureHasTheTableOfTargets() throws {
        let file = wharf.appending(path: "ARCHITECTURE.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let begin = try #require(text.range(of: "<!-- targets: "))
        let head = try #require(text.range(of: "-->\n", range: begin.upperBound..<text.endIndex))
        let end = try #require(text.range(of: "<!-- end of targets -->", range: head.upperBound..<text.endIndex))
        let tables = "\n\(Table.wharf.markdown(at: wharf))\n\n"
        if ProcessInfo.processInfo.environment["WHARF_WRITE"] != nil {
            try text.replacingCharacters(in: head.upperBound..<end.lowerBound, with: tables)
                .write(to: file, atomically: true, encoding: .utf8)
        } else {
            let isSame = text[head.upperBound..<end.lowerBound] == tables
            #expect(
                isSame,
                "ARCHITECTURE.md differs from \(Table.path); write it by WHARF_WRITE=1 make test/Tests/ConsumerGraph FILTER=architecture"
            )
        }
    }
}
