import ChildPrograms
import Foundation
import Testing

/// Python programs that read the formats of reports. `WHARF_PYTHON` names the Python that has them,
/// as in CI.
enum ReportReader {
    private static let python = ProcessInfo.processInfo.environment["WHARF_PYTHON"]

    static var isThere: Bool { python != nil }

    static func read(_ format: String, _ report: String) async throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "wharf-report-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(report.utf8).write(to: file)
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "reports/read.py").path
        let (status, text) = try await RunningProgram.output(
            of: [try #require(python), script, format, file.path])
        #expect(status == 0, "\(text)")
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
