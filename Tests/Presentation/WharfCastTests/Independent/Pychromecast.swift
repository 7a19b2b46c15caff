import ChildPrograms
import Foundation
import Testing
import WharfChecks
import WharfFakes
import WharfPlaybackLaws

/// The scripts in the folder pychromecast, run by a Python that has the package of that name.
///
/// `WHARF_PYTHON` names the Python. If it is set, as in CI, a missing package is a failure. The
/// default is `python3`.
struct Pychromecast {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static let named = ProcessInfo.processInfo.environment["WHARF_PYTHON"]

    /// Whether the tests run: if `WHARF_PYTHON` is set, or `python3` has the package.
    static let isThere = Task {
        if named != nil { return true }
        do {
            _ = try await python(["-c", "import pychromecast"])
            return true
        } catch {
            return false
        }
    }

    static let whereItIsNot: Comment = """
        pychromecast is not there: pip install -r Tests/Presentation/WharfCastTests/pychromecast/requirements.txt, in an environment \
        whose python3 is on the PATH or in WHARF_PYTHON
        """

    /// - Returns: the printed lines.
    static func run(_ script: String, _ arguments: String...) async throws -> [String] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../pychromecast")
        return try await python([folder.appending(path: script).standardizedFileURL.path] + arguments)
    }

    private static func python(_ arguments: [String]) async throws -> [String] {
        // `-B` prevents a folder __pycache__ beside the scripts.
        let command = [named ?? "python3", "-B"] + arguments
        let (status, text) = try await RunningProgram.output(of: command)
        guard status == 0 else { throw Failure(description: "\(command[0]) ended with \(status): \(text)") }
        return text.split(separator: "\n").map(String.init)
    }
}
