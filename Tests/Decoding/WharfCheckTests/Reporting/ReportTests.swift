import Foundation
import Testing

@testable import WharfCheck

@Suite struct ReportTests {
    static let missing = Finding(
        kind: .missingKey, path: ["posts", 3], location: SourceLocation(offset: 20, line: 12, column: 9),
        message: "expected a value", excerpt: SourceExcerpt("  { }", caret: 2), hides: "Post")
    static let ignored = Finding(
        kind: .ignoredKey, path: ["x"], location: SourceLocation(offset: 1, line: 1, column: 2), message: "no type")

    @Test func textReportHasCompilerFormatAndCountsByKind() throws {
        let documents: [(Int?, CheckedDocument)] = [
            (nil, CheckedDocument(findings: [Self.missing, Self.missing, Self.ignored])), (nil, CheckedDocument()),
        ]
        #expect(
            try written(.text, documents) == """
                feed.json:12:9: posts[3]: expected a value
                      { }
                      ^
                    further errors may be hidden in Post
                feed.json:12:9: posts[3]: expected a value
                      { }
                      ^
                    further errors may be hidden in Post
                feed.json:1:2: x: no type
                2 errors in 1 of 2 documents: 2 missing keys; 1 ignored key

                """)
    }

    @Test func findingsBeyondTheLimitAreCounted() throws {
        let documents: [(Int?, CheckedDocument)] = [(nil, CheckedDocument(findings: [Self.missing, Self.missing]))]
        let text = try written(.text, documents, limit: 1)
        #expect(text.contains("2 errors in 1 of 1 document: 2 missing keys; 1 not shown\n"))
        #expect(text.components(separatedBy: "expected a value").count == 2)
    }

    @Test(.enabled(if: ReportReader.isThere, "takes the packages of Tests/Decoding/WharfCheckTests/reports"))
    func documentsBeyondTheLimitStayJUnitTests() async throws {
        let wrong = CheckedDocument(findings: [Self.missing])
        let text = try written(.junit, [(1, wrong), (2, wrong), (3, CheckedDocument())], limit: 1)
        #expect(try await ReportReader.read("junit", text) == "[[3, 2, 0]]")
    }

    @Test func textReportHasNoControlCharacters() throws {
        let text = try written(
            .text, [(nil, CheckedDocument(findings: everyKind))], input: "a\u{1B}]0;x\u{7}b\n\u{202E}c")
        #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
        #expect(!text.contains("\u{202E}"))
    }

    @Test func jsonHasEveryFindingWithItsPlace() throws {
        let documents: [(Int?, CheckedDocument)] = [
            (4, CheckedDocument(findings: everyKind)), (5, CheckedDocument(printed: "Feed()")),
        ]
        let text = try written(.json, documents, unread: "gone")
        let report = try ReadReport.of(text)
        let findings = report.documents[0].findings
        #expect(findings.map(\.kind) == FindingKind.all.map(\.name))
        #expect(findings[1].hides == "Feed<Post>")
        #expect(findings[0].path == [.key("a b"), .index(0), .key("<x>&\"'")])
        #expect(report.documents.map(\.line) == [4, 5])
        #expect(report.documents[1].value == "Feed()")
        #expect(report.summary.documents == 2)
        #expect(report.summary.unreadInputs.map(\.reason) == ["gone"])
        #expect(report.summary.counts["crash"] == 1)
    }

    @Test(arguments: [
        ("a b/c.json", "a%20b/c.json"), ("/x/ü.json", "file:///x/%C3%BC.json"), ("c:d", "c%3Ad"),
        ("https://x.example/a?b=c d", "https://x.example/a?b=c%20d"), ("100%.json", "100%25.json"),
    ])
    func inputNameBecomesAURIReferenceInSARIF(_ name: String, _ reference: String) {
        #expect(SARIFReport.reference(to: name) == reference)
    }

    @Test(.enabled(if: ReportReader.isThere, "takes the packages of Tests/Decoding/WharfCheckTests/reports"))
    func everyKindIsValidSARIF() async throws {
        let text = try written(.sarif, [(nil, CheckedDocument(findings: everyKind))], input: "a b.json", unread: "gone")
        let expected = FindingKind.all.map { [$0.name, $0.isError ? "error" : "note"] }
        #expect(try await ReportReader.read("sarif", text) == "\(expected)".replacing("'", with: "\""))
        let empty = try written(.sarif, [])
        #expect(try await ReportReader.read("sarif", empty) == "[]")
    }

    @Test(.enabled(if: ReportReader.isThere, "takes the packages of Tests/Decoding/WharfCheckTests/reports"))
    func junitReportCountsItsTestsAndFailures() async throws {
        let wrong = CheckedDocument(findings: everyKind, printed: "Feed(\u{0})")
        let lines: [(Int?, CheckedDocument)] = [
            (1, wrong), (2, CheckedDocument(findings: [Self.ignored])), (3, CheckedDocument()), (9, wrong),
        ]
        #expect(try await ReportReader.read("junit", try written(.junit, lines)) == "[[3, 2, 0]]")
        let unread = try written(.junit, [(nil, wrong)], unread: "gone")
        #expect(try await ReportReader.read("junit", unread) == "[[2, 1, 1]]")
        // Many documents are reported in several suites, so that memory stays bounded.
        let many = Array(repeating: (1 as Int?, wrong), count: 2_000)
        let counts = try await ReportReader.read("junit", try written(.junit, many))
        #expect(counts.components(separatedBy: "]").count > 3)
    }
}
