#if os(Linux) && TestServer
import ChildPrograms
import Foundation
import Testing
import WharfCore

/// A child program, `python/peer.py`, that acts as an origin or a proxy.
final class Peer: Sendable {
    let port: Int
    private let program: RunningProgram

    /// Runs the peer while the body runs.
    static func run<Result>(_ arguments: [String], _ body: (Peer) async throws -> Result) async throws -> Result {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../python/peer.py").path
        let program = RunningProgram(["python3", "-u", script] + arguments)
        var lines = program.lines.makeAsyncIterator()
        var port: Int?
        while port == nil, let line = await lines.next() {
            port = line.hasPrefix("port ") ? Int(line.dropFirst(5).filter(\.isNumber)) : nil
        }
        let peer = Peer(
            program, try #require(port, "the peer \(arguments) did not start; run python/peer.py with these arguments"))
        do {
            let result = try await body(peer)
            try await program.kill()
            return result
        } catch {
            try await program.kill()
            throw error
        }
    }

    private init(_ program: RunningProgram, _ port: Int) {
        self.program = program
        self.port = port
    }

    func request(
        _ path: String = "/", scheme: String = "http", host: String = "127.0.0.1", method: HTTPRequest.Method = .get
    ) -> TransportRequest {
        TransportRequest(HTTPRequest(method: method, scheme: scheme, authority: "\(host):\(port)", path: path))
    }

    /// Ends the peer once it has read all that arrived.
    ///
    /// - Returns: the lines that it printed.
    func end() async throws -> [String] {
        try await program.terminate()
        var lines: [String] = []
        for await line in program.lines { lines.append(line.trimmingCharacters(in: .whitespacesAndNewlines)) }
        return lines
    }
}
#endif
