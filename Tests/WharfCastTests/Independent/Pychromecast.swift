#if Cast
import Dispatch
import Foundation

/// The scripts in the folder pychromecast, run by a Python that has the package of that name.
///
/// `WHARF_PYTHON` names the Python, as CI does, which wants a failure where it is not there; otherwise it is `python3`.
struct Pychromecast {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static let named = ProcessInfo.processInfo.environment["WHARF_PYTHON"]

    /// Whether its tests run: where it was asked for or happens to be there.
    static let isThere = named != nil || (try? runSync(["-c", "import pychromecast"])) != nil

    static let whereItIsNot = """
        pychromecast is not there: pip install -r Tests/WharfCastTests/pychromecast/requirements.txt, in an environment \
        whose python3 is on the PATH or in WHARF_PYTHON
        """

    /// - Returns: the lines that it printed.
    static func run(_ script: String, _ arguments: String...) async throws -> [String] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../pychromecast")
        let all = [folder.appending(path: script).standardizedFileURL.path] + arguments
        return try await withCheckedThrowingContinuation { continuation in
            // Waiting blocks, and the threads of tasks are few.
            DispatchQueue.global().async { continuation.resume(with: Result { try runSync(all) }) }
        }
    }

    private static func runSync(_ arguments: [String]) throws -> [String] {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        // No folder __pycache__ beside the scripts.
        process.arguments = [named ?? "python3", "-B"] + arguments
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: "\(named ?? "python3") ended with \(process.terminationStatus): \(output)")
        }
        return output.split(separator: "\n").map(String.init)
    }
}
#endif
