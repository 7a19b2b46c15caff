import Foundation
import Synchronization
import WharfCore
import WharfTestServer

/// The service of the quickstart, as a process of its own, so that SIGKILL can end it.
///
/// It prints its address, and appends a line for each request to the file in its first argument.
/// With a second argument it listens on that port. It ends when its standard input ends, so it does
/// not outlive a killed quickstart.
@main enum Origin {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let log = try RequestLog(path: arguments.first)
        let server = try await TestServer.start(port: arguments.dropFirst().first.flatMap(UInt16.init) ?? 0)
        server.route(.get, "/users/:id") { request in
            log.append("\(request.method) \(request.path)")
            guard let id = request.parameters["id"], let user = users.withLock({ $0[id] }) else {
                return .status(.notFound)
            }
            // `Date` has whole seconds, so the answer may be one second old when it arrives.
            return .json(user.json).maxAge(3).etag("\"\(user.version)\"")
        }
        server.route(.put, "/users/:id") { request in
            log.append("\(request.method) \(request.path)")
            guard let id = request.parameters["id"] else { return .status(.notFound) }
            let version = users.withLock { users in
                let version = (users[id]?.version ?? 0) + 1
                users[id] = (version, request.text)
                return version
            }
            return .json(request.text).etag("\"\(version)\"")
        }
        FileHandle.standardOutput.write(Data("origin \(server.baseURL)\n".utf8))
        while readLine() != nil {}
        await server.stop()
    }

    private static let users = Mutex<[String: (version: Int, json: String)]>([
        "1": (
            1,
            #"{"id": 1, "name": "Leanne Graham", "email": "leanne@example.com", "address": {"city": "Gwenborough"}}"#
        ),
        "2": (
            1,
            #"{"id": 2, "name": "Ervin Howell", "email": "ervin@example.com", "address": {"city": "Wisokyburgh"}}"#
        ),
    ])
}

/// The log of requests. A line is written before its answer is sent, so the log has every answered
/// request even if the process is killed then.
private final class RequestLog: Sendable {
    private let file: FileHandle?

    init(path: String?) throws {
        guard let path else {
            file = nil
            return
        }
        if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(filePath: path)) }
        file = try FileHandle(forWritingTo: URL(filePath: path))
        // Appends to the lines of an earlier origin.
        _ = try file?.seekToEnd()
    }

    func append(_ line: String) {
        file?.write(Data((line + "\n").utf8))
    }
}
