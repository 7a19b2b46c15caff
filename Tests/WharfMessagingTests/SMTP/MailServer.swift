#if Sendmail
import Foundation
import Synchronization
import WharfJSON
import WharfMessaging
import WharfTesting

/// aiosmtpd of PyPI, which others have written, with Python's email package behind it, and Debian's msmtp before it.
final class MailServer: Sendable {
    let port: Int
    private let process: Process
    private let input: Pipe
    private let lines: AsyncStream<String>

    /// CI names it, and wants a failure then where the package is not there.
    private static let named = ProcessInfo.processInfo.environment["WHARF_PYTHON"]

    /// Why there can be none here; nil where there can.
    static let obstacle: String? = {
        guard msmtp != nil else { return "msmtp is missing; install it by: apt-get install msmtp" }
        if named != nil { return nil }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", "import aiosmtpd"]
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { return "python3 can't be started: \(error)" }
        process.waitUntilExit()
        if process.terminationStatus == 0 { return nil }
        return "aiosmtpd is missing; install it by: export WHARF_PYTHON=$(scripts/python-peers)"
    }()

    private static let msmtp: String? = ["/usr/bin/msmtp", "/usr/local/bin/msmtp", "/opt/homebrew/bin/msmtp"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Gives a running server to `body`, and ends it.
    static func run(_ body: (MailServer) async throws -> Void) async throws {
        let server = try await MailServer()
        defer { server.end() }
        try await body(server)
    }

    private init() async throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../smtp/server.py")
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [Self.named ?? "python3", "-B", script.standardizedFileURL.path]
        input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        let rest = Mutex("")
        output.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            guard !data.isEmpty else {
                handle.readabilityHandler = nil
                return continuation.finish()
            }
            let whole = rest.withLock { rest in
                var lines = (rest + String(decoding: data, as: UTF8.self)).components(separatedBy: "\n")
                rest = lines.removeLast()
                return lines
            }
            for line in whole { continuation.yield(line) }
        }
        try process.run()
        var first = lines.makeAsyncIterator()
        let said = await first.next() ?? "nothing"
        port = try require(Int(said.split(separator: " ").last ?? ""), "expected a port, the server said \(said)")
    }

    private func end() {
        // Another test's server may have inherited its input, which does not end then; and it blocks the signals that this thread blocks.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// msmtp, which takes what this server needs as arguments.
    func sendmail(port: Int? = nil) throws -> Sendmail {
        let path = try require(Self.msmtp, "no msmtp")
        let relay = [
            "--host=127.0.0.1", "--port=\(port ?? self.port)", "--from=wharf@example.com", "--auth=off", "--tls=off",
        ]
        return Sendmail(path, arguments: relay + Sendmail.usualArguments)
    }

    /// The next message that it has taken.
    func message() async throws -> JSONValue {
        var lines = lines.makeAsyncIterator()
        return try JSON.decode(JSONValue.self, from: try require(await lines.next(), "the server has ended"))
    }
}
#endif
