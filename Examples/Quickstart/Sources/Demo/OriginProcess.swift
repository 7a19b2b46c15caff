import Subprocess

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// The service as another process: started, read from, killed.
struct OriginProcess {
    let baseURL: String
    let processID: Int32

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Starts the origin, hands it over, and kills it with SIGKILL. On return the process is dead and reaped.
    static func run(
        executable: String, log: String, _ body: @Sendable (OriginProcess) async throws -> Void
    ) async throws -> TerminationStatus {
        let result = try await Subprocess.run(
            .path(FilePath(executable)), arguments: [log], input: .inputWriter, output: .sequence, error: .discarded
        ) { execution in
            var lines = execution.standardOutput.strings().makeAsyncIterator()
            guard let line = try await lines.next(), let address = line.split(separator: " ").last else {
                throw Failure(description: "expected the origin at \(executable) to print its address, but it ended")
            }
            let baseURL = address.trimmingSuffix { $0.isWhitespace }
            try await body(
                OriginProcess(baseURL: String(baseURL), processID: Int32(execution.processIdentifier.value))
            )
            try execution.send(signal: .kill)
        }
        return result.terminationStatus
    }
}

extension Substring {
    fileprivate func trimmingSuffix(_ predicate: (Character) -> Bool) -> Substring {
        var rest = self
        while let last = rest.last, predicate(last) { rest.removeLast() }
        return rest
    }
}
