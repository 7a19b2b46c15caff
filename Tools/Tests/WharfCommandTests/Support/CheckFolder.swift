import Foundation
import Testing

/// The article's app with its types, and `wharf check` on it, as a child process in its folder.
final class CheckFolder: Sendable {
    let folder: TemporaryFolder
    private let builds: String

    /// - Parameter builds: the folder for builds; nil for one that outlives the tests, so that the
    ///   modules that all programs share are built once.
    init(builds: String? = nil) throws {
        folder = try TemporaryFolder()
        self.builds = builds ?? Self.shared("check-builds")
        try FileManager.default.createDirectory(
            atPath: folder.path("WebService/Types"), withIntermediateDirectories: true)
        try folder.write(
            """
            import Foundation

            struct BlogPost {
                let title: String
                let tags: [String]
            }

            extension BlogPost: Decodable {
                init(from decoder: Decoder) throws {
                    let container = try decoder.container(keyedBy: CodingKeys.self)
                    title = try container.decode(String.self, forKey: .title)
                    tags = try container.decode([Tag].self, forKey: .tags).map { $0.value }
                }

                private enum CodingKeys: String, CodingKey { case title, tags }
                private struct Tag: Decodable { let value: String }
            }

            """, to: "WebService/Types/BlogPost.swift")
        try folder.write(
            "struct BlogPostsRequest: Decodable {\n    let posts: [BlogPost]\n}\n",
            to: "WebService/Types/BlogPostsRequest.swift")
    }

    /// Runs `wharf check` with a command line in shell syntax.
    ///
    /// - Parameter payload: the text on standard input.
    func check(
        _ words: String, payload: String = "", environment: [String: String] = [:]
    ) async throws -> Child.Result {
        try await Child.shell(
            #"cd "$FOLDER" && printf '%s' "$PAYLOAD" | "$WHARF" check "# + words,
            environment: try self.environment(payload, environment))
    }

    /// Returns the environment of the shell and the program.
    func environment(_ payload: String = "", _ others: [String: String] = [:]) throws -> [String: String] {
        let path = [try Self.recorder(), ProcessInfo.processInfo.environment["PATH"] ?? ""].joined(separator: ":")
        return [
            "FOLDER": folder.path(""), "PAYLOAD": payload, "WHARF_CHECK_BUILDS": builds, "PATH": path,
            "COMPILATIONS": folder.path("compilations"),
        ].merging(others) { _, theirs in theirs }
    }

    /// Returns the number of times that the compiler was started to compile.
    func compilations() throws -> Int {
        guard FileManager.default.fileExists(atPath: folder.path("compilations")) else { return 0 }
        return try folder.contents("compilations").split(separator: "\n").count { $0 != "--version" }
    }

    /// Returns a folder with a `swiftc` that records its calls and forwards them to the real one.
    ///
    /// The folder is kept, since another compiler means another build.
    private static func recorder() throws -> String {
        let folder = shared("check-compiler")
        let path = folder + "/swiftc"
        if FileManager.default.fileExists(atPath: path) { return folder }
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let real = try #require(
            folders.map { "\($0)/swiftc" }.first { FileManager.default.isExecutableFile(atPath: $0) })
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let script = "#!/bin/sh\nprintf '%s\\n' \"$1\" >>\"$COMPILATIONS\"\nexec \(real) \"$@\"\n"
        // Concurrent tests write the same content. The link makes the file appear whole.
        let temporary = "\(path)-\(UUID().uuidString)"
        try script.write(toFile: temporary, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: temporary)
        if link(temporary, path) != 0, errno != EEXIST { Issue.record("\(path): \(String(cString: strerror(errno)))") }
        try FileManager.default.removeItem(atPath: temporary)
        return folder
    }

    /// Returns a path in the build folder of this package.
    private static func shared(_ name: String) -> String {
        let package = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        return package.appending(path: ".build/\(name)").path(percentEncoded: false)
    }
}

extension Child.Result {
    var text: String { String(decoding: output, as: UTF8.self) }
}
