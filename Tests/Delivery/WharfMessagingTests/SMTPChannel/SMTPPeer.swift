#if os(Linux)
import ChildPrograms
import Foundation
import Testing
import WharfChecks
import WharfJSON
import WharfMessaging
import WharfSMTP

/// aiosmtpd of PyPI (`smtp/server.py`), and channels that send to it.
final class SMTPPeer: Sendable {
    let port: Int
    private let program: RunningProgram
    private let identity: TestIdentity

    private static let python = ProcessInfo.processInfo.environment["WHARF_PYTHON"]

    static let whereItIsNot: Comment = "it takes aiosmtpd; install it by: export WHARF_PYTHON=$(scripts/python-peers)"

    /// CI names a Python, and a package that is missing from it is a failure.
    static let isThere = Task {
        if python != nil { return true }
        return try await RunningProgram.output(of: ["python3", "-c", "import aiosmtpd"]).status == 0
    }

    enum Encryption: String { case none, starttls, tls }

    /// - Parameter options: the options of `smtp/server.py`.
    static func run(
        _ encryption: Encryption = .none, _ options: String..., body: (SMTPPeer) async throws -> Void
    ) async throws {
        try await TestIdentity.run { identity in
            let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../smtp/server.py")
            let files = "\(encryption)=\(identity.certificate),\(identity.key)"
            let program = RunningProgram(
                [python ?? "python3", "-B", script.standardizedFileURL.path] + options
                    + (encryption == .none ? [] : [files]))
            do {
                try await body(SMTPPeer(program, identity))
            } catch {
                try await program.kill()
                throw error
            }
            try await program.kill()
        }
    }

    private init(_ program: RunningProgram, _ identity: TestIdentity) async throws {
        self.program = program
        self.identity = identity
        var first = program.lines.makeAsyncIterator()
        let said = await first.next() ?? "nothing"
        port = try require(Int(said.split(separator: " ").last ?? ""), "expected a port, the server said \(said)")
    }

    /// A server for `localhost` that trusts the peer's certificate.
    func server(
        _ security: SMTPServer.Security = .startTLS, _ credentials: SMTPCredentials? = nil
    ) throws -> SMTPServer {
        try SMTPServer(
            "localhost", port: port, security: security, credentials: credentials, authorities: identity.certificate)
    }

    func channel(
        _ server: SMTPServer? = nil, from sender: String = "wharf@example.com",
        timer: any Clock<Duration> = ContinuousClock()
    ) throws -> SMTPChannel {
        SMTPChannel(
            from: Mailbox(try EmailAddress(sender), name: "Wharf"),
            server: try server ?? SMTPServer.unencrypted("127.0.0.1", port: port), configuration: .init(timer: timer))
    }

    /// The next message that the peer has accepted.
    func message() async throws -> JSONValue {
        var lines = program.lines.makeAsyncIterator()
        return try JSON.decode(JSONValue.self, from: try require(await lines.next(), "the server has ended"))
    }
}
#endif
