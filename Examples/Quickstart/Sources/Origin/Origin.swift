import Foundation
import WharfCore
import WharfTestServer

/// The service that the quickstart reads from, as a process of its own so that it can really die.
///
/// It prints its address, appends a line to the file in its first argument for each request, and ends when its standard input
/// does: no origin outlives a quickstart that was killed.
@main enum Origin {
    static func main() async throws {
        let log = try RequestLog(path: CommandLine.arguments.dropFirst().first)
        let server = try await TestServer.start()
        server.route(.get, "/users/:id") { request in
            log.append("\(request.method) \(request.path)")
            guard let id = request.parameters["id"], let user = users[id] else { return .status(.notFound) }
            return .json(user).maxAge(1).etag("\"\(id)\"")
        }
        FileHandle.standardOutput.write(Data("origin \(server.baseURL)\n".utf8))
        while readLine() != nil {}
        await server.stop()
    }

    private static let users = [
        "1": #"{"id": 1, "name": "Leanne Graham", "email": "leanne@example.com", "address": {"city": "Gwenborough"}}"#,
        "2": #"{"id": 2, "name": "Ervin Howell", "email": "ervin@example.com", "address": {"city": "Wisokyburgh"}}"#,
    ]
}

/// Written before the answer is sent, so what was answered is in it also when the process is killed the moment after.
private final class RequestLog: Sendable {
    private let file: FileHandle?

    init(path: String?) throws {
        guard let path else {
            file = nil
            return
        }
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        file = try FileHandle(forWritingTo: URL(filePath: path))
    }

    func append(_ line: String) {
        file?.write(Data((line + "\n").utf8))
    }
}
