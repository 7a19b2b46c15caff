#if Sendmail
import ChildPrograms
import Foundation
import Testing
import WharfChecks
import WharfJSON
import WharfMessaging

/// The independent mail server aiosmtpd of PyPI, with Python's email package.
///
/// Messages reach it through Debian's msmtp.
final class MailServer: Sendable {
    let port: Int
    private let program: RunningProgram

    /// The Python named by CI, where a missing package is a failure.
    private static let named = ProcessInfo.processInfo.environment["WHARF_PYTHON"]

    static let whereItIsNot: Comment = """
        it takes msmtp and aiosmtpd; install them by: apt-get install msmtp; export WHARF_PYTHON=$(scripts/python-peers)
        """

    /// Whether the server can run here.
    static let isThere = Task {
        guard msmtp != nil else { return false }
        if named != nil { return true }
        return try await RunningProgram.output(of: ["python3", "-c", "import aiosmtpd"]).status == 0
    }

    private static let msmtp: String? = ["/usr/bin/msmtp", "/usr/local/bin/msmtp", "/opt/homebrew/bin/msmtp"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Passes a running server to `body`, and stops it afterwards.
    static func run(_ body: (MailServer) async throws -> Void) async throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../smtp/server.py")
        let program = RunningProgram([named ?? "python3", "-B", script.standardizedFileURL.path])
        do {
            try await body(MailServer(program))
        } catch {
            try await program.kill()
            throw error
        }
        try await program.kill()
    }

    private init(_ program: RunningProgram) async throws {
        self.program = program
        var first = program.lines.makeAsyncIterator()
        let said = await first.next() ?? "nothing"
        port = try require(Int(said.split(separator: " ").last ?? ""), "expected a port, the server said \(said)")
    }

    /// msmtp, configured for this server by arguments.
    func sendmail(port: Int? = nil) throws -> Sendmail {
        let path = try require(Self.msmtp, "no msmtp")
        let relay = [
            "--host=127.0.0.1", "--port=\(port ?? self.port)", "--from=wharf@example.com", "--auth=off", "--tls=off",
        ]
        return Sendmail(path, arguments: relay + Sendmail.usualArguments)
    }

    /// The next message that the server has accepted.
    func message() async throws -> JSONValue {
        var lines = program.lines.makeAsyncIterator()
        return try JSON.decode(JSONValue.self, from: try require(await lines.next(), "the server has ended"))
    }
}
#endif
