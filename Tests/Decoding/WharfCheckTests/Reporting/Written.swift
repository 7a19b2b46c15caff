import Foundation
import Testing

@testable import WharfCheck

/// A report of the given documents.
func written(
    _ format: CheckArguments.Format, _ documents: [(line: Int?, document: CheckedDocument)],
    input: String = "feed.json",
    unread: String? = nil, limit: Int = .max
) throws -> String {
    let file = FileManager.default.temporaryDirectory.appending(path: "wharf-check-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    let handle = try FileHandle(forWritingTo: file)
    let output = Output(Descriptor(number: handle.fileDescriptor), progress: nil, now: { .zero })
    var report = format.report("Feed", try CheckArguments([]))
    var totals = Totals(limit: limit)
    try report.begin(output)
    try report.begin(input, output)
    for (line, document) in documents {
        totals.documents += 1
        try report.document(document, shown: totals.take(document.findings), line: line, output)
        try report.good(document.hasErrors ? 0 : 1, output)
    }
    if let unread {
        totals.unreadInputs += 1
        try report.unread(unread, output)
    }
    try report.end(output)
    try report.finish(totals, output)
    try output.flush()
    try handle.close()
    return try String(contentsOf: file, encoding: .utf8)
}

/// One finding of each kind, with texts that a format might mistake for its own syntax.
let everyKind = FindingKind.all.enumerated().map { index, kind in
    Finding(
        kind: kind, path: ["a b", .index(index), "<x>&\"'"], location: SourceLocation(offset: 9, line: 2, column: 3),
        message: "expected \u{1}\u{1B}[31m <&> \"\\\", found \u{2028}\n\t]]>",
        excerpt: SourceExcerpt("{\"\u{301}a\": 1}", caret: 2), hides: index == 1 ? "Feed<Post>" : nil)
}
