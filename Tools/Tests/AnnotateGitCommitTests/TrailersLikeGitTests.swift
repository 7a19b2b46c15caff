import Foundation
import Testing

@testable import AnnotateGitCommit

/// The place of a trailer, compared with `git interpret-trailers`.
///
/// The hook does not call git for it. git takes `core.commentChar=auto` for `#`, and would then
/// write into the diff of `commit -v`.
struct TrailersLikeGitTests {
    private static let lines = [
        "", "", "", "Some text", "Some more: text", "Key: value", "Ticket: T-1", "ticket:T-1", "Ticket: T-2",
        "  continued", "# comment", "#",
        "Signed-off-by: Ada <ada@example.com>", "(cherry picked from commit 1234567)", "---", "--- a/file", "   ",
        "Key : value",
        "http://example.com/", "-: x", ": x", "Two words: x", "\tTab: x", "Key:", "é: x",
    ]

    private static let beginnings = [
        "Subject\n", "fix: foo\n", "\nSubject\n", "\n\nfix: foo\n", "# note\n\nfix: foo\n", "\n# note\nfix: foo\n\n",
    ]

    private static func messages(seed: UInt64, count: Int) -> [String] {
        var state = seed
        func below(_ bound: Int) -> Int {
            // A linear congruential generator with the constants of Knuth's MMIX.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        return (0..<count).map { _ in
            let body = (0..<below(9)).map { _ in lines[below(lines.count)] }
            return beginnings[below(beginnings.count)] + body.map { $0 + "\n" }.joined()
                + (below(3) == 0 ? "\n# Please enter\n#\n# On branch x\n" : "")
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func aTicketGoesWhereGitPutsIt(seed: UInt64) async throws {
        let sandbox = try await Sandbox(branch: nil)
        for (index, text) in Self.messages(seed: seed, count: 40).enumerated() {
            let bytes = Array(text.utf8)
            let comments = Comments(of: bytes, marker: .fixed([UInt8(ascii: "#")]), cleanup: .standard, isEdited: true)
            let message = CommitMessage(bytes, comments)
            let ticket = Ticket(.trailer(key: "Ticket"), id: Array("T-1".utf8))
            // git itself removes these lines before it looks for trailers in a commit.
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let begun = lines.drop { $0.isEmpty || $0.hasPrefix("#") }
            try sandbox.write(begun.joined(separator: "\n"), to: "message-\(index)")
            let git = try await sandbox.git(
                "interpret-trailers", "--no-divider", "--where", "end", "--if-exists", "addIfDifferent", "--if-missing",
                "add",
                "--trailer", "Ticket: T-1", "message-\(index)", in: "")
            let mine = String(decoding: message.adding(ticket).bytes, as: UTF8.self)
            #expect(normalized(mine) == normalized(git), "of \(text.debugDescription)")
        }
    }

    /// Returns the lines as commits have them.
    ///
    /// git writes trailers in its own format, and moves comments between them.
    private func normalized(_ text: String) -> [String] {
        var lines: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) where !line.hasPrefix("#") {
            let isBlank = line.allSatisfy(\.isWhitespace)
            if isBlank && (lines.last ?? "") == "" { continue }
            if line.hasPrefix(" "), !isBlank, let last = lines.last, last.hasSuffix(": ") {
                lines[lines.count - 1] = last + line.drop { $0 == " " }
                continue
            }
            lines.append(isBlank ? "" : String(line).replacing(/^([A-Za-z-]+)[ ]*:[ ]*/) { "\($0.output.1): " })
        }
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}
