import Foundation

/// Runs a script in the system's shell.
enum Shell {
    struct Failed: Error {
        let status: Int32
    }

    /// Returns the standard output. The script is in a file, as a command line pasted into a shell
    /// has no limit.
    static func output(of script: String) async throws -> [UInt8] {
        let path = NSTemporaryDirectory() + "/wharf-shell-\(UUID().uuidString)"
        try Data(script.utf8).write(to: URL(filePath: path))
        defer { unlink(path) }
        return try await withCheckedThrowingContinuation { continuation in
            // A blocked thread of the pool would keep this process's server from answering, so a
            // separate thread is used.
            Thread.detachNewThread { continuation.resume(with: Result { try read(from: "exec /bin/sh '\(path)'") }) }
        }
    }

    private static func read(from command: String) throws -> [UInt8] {
        guard let pipe = popen(command, "r") else { throw Failed(status: errno) }
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 { output += buffer[..<count] }
        let status = pclose(pipe)
        guard status == 0 else { throw Failed(status: status) }
        return output
    }

    /// Returns the arguments and the input of curl in a command line, as a shell function of that
    /// name receives them.
    static func curlArguments(of command: String) async throws -> (arguments: [String], input: [UInt8]) {
        let script = """
            curl() {
                for argument do printf '%s\\000' "$argument"; done
                case "$*" in *'--data-binary @-') printf '\\001'; cat ;; esac
            }
            \(command)
            """
        let output = try await Self.output(of: script)
        var arguments: [String] = []
        var rest = output[...]
        while rest.first != 1, let end = rest.firstIndex(of: 0) {
            arguments.append(String(decoding: rest[..<end], as: UTF8.self))
            rest = rest[(end + 1)...]
        }
        return (arguments, Array(rest.dropFirst()))
    }

    static func finds(_ command: String) async -> Bool {
        do { return try await !output(of: "command -v \(command)").isEmpty } catch { return false }
    }
}
