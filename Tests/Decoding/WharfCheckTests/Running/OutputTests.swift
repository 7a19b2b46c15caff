import Foundation
import Testing

@testable import WharfCheck

@Suite struct OutputTests {
    /// The terminal output of a run with the expected size, whose clock reads these times.
    private func shown(_ times: [Duration], expected: Int?) throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "wharf-progress-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try #require(FileManager.default.createFile(atPath: file.path, contents: nil))
        let terminal = try FileHandle(forWritingTo: file)
        let report = try Descriptor.null()
        defer { report.close() }
        var now = Duration.zero
        let output = Output(report, progress: Descriptor(number: terminal.fileDescriptor), now: { now })
        output.beginProgress(of: expected)
        for time in times {
            now = time
            output.advance(by: 30_000_000, Totals(limit: .max))
        }
        try output.write("a finding\n")
        try output.flush()
        try terminal.close()
        return try String(contentsOf: file, encoding: .utf8)
    }

    @Test func shortRunShowsNoProgress() throws {
        #expect(try shown([.milliseconds(100), .milliseconds(300)], expected: 60_000_000) == "")
    }

    @Test func longRunDrawsProgressAndClearsItBeforeTheReport() throws {
        let text = try shown([.milliseconds(310), .milliseconds(350), .milliseconds(500)], expected: 120_000_000)
        #expect(
            text == "\r\u{1B}[K25%, 30 MB, 0 documents, 0 errors\r\u{1B}[K75%, 90 MB, 0 documents, 0 errors\r\u{1B}[K")
    }

    @Test func progressWithoutLengthHasNoPercentage() throws {
        #expect(try shown([.seconds(1)], expected: nil) == "\r\u{1B}[K30 MB, 0 documents, 0 errors\r\u{1B}[K")
    }
}
