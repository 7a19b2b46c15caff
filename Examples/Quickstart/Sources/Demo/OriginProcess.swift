import Subprocess

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// The service as a process of its own, which can be killed.
struct OriginProcess {
    let baseURL: String
    let processID: Int32

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Starts the origin, runs the closure with it, and kills it with SIGKILL.
    ///
    /// On return the process is dead and reaped.
    ///
    /// - Parameter address: the address of an earlier origin; nil for a free port.
    static func run<Result: Sendable>(
        executable: String, log: String, at address: String? = nil,
        _ body: @Sendable (OriginProcess) async throws -> Result
    ) async throws -> Result {
        let port = address?.split(separator: ":").last.map(String.init)
        let result = try await Subprocess.run(
            .path(FilePath(executable)), arguments: Arguments([log] + (port.map { [$0] } ?? [])), input: .inputWriter,
            output: .sequence, error: .discarded
        ) { execution in
            var lines = execution.standardOutput.strings().makeAsyncIterator()
            guard let line = try await lines.next(), let address = line.split(separator: " ").last else {
                throw Failure(description: "expected the origin at \(executable) to print its address, but it ended")
            }
            let baseURL = address.trimmingSuffix { $0.isWhitespace }
            let shown = try await body(
                OriginProcess(baseURL: String(baseURL), processID: Int32(execution.processIdentifier.value))
            )
            try execution.send(signal: .kill)
            return shown
        }
        return result.takeClosureResult()
    }
}

extension Substring {
    fileprivate func trimmingSuffix(_ predicate: (Character) -> Bool) -> Substring {
        var rest = self
        while let last = rest.last, predicate(last) { rest.removeLast() }
        return rest
    }
}
