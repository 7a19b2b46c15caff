#if Sendmail
#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif
internal import Subprocess
#if canImport(System)
internal import System
#else
internal import SystemPackage
#endif

extension Sendmail {
    /// Runs the program by swift-subprocess, with the environment of this process. One that hangs is ended when the task is cancelled.
    public init(_ path: String = "/usr/sbin/sendmail", arguments: [String] = Sendmail.usualArguments) {
        self.init(path, arguments: arguments) { path, arguments, input in
            try await Self.holding(input) { file in
                let result = try await Subprocess.run(
                    .path(FilePath(path)), arguments: Arguments(arguments), environment: .inherit,
                    input: .fileDescriptor(file, closeAfterSpawningProcess: false), output: .discarded,
                    error: .string(limit: 1 << 16))
                return switch result.terminationStatus {
                case .exited(let code): Exit(code: code, complaint: result.standardError)
                case .signaled: Exit(code: nil, complaint: result.standardError)
                }
            }
        }
    }

    /// The input as a file without a name. From a pipe a program can go away before it has read all, and SIGPIPE would end this process
    /// (swift-subprocess #367 has the rest).
    private static func holding(
        _ input: [UInt8], _ body: (FileDescriptor) async throws -> Exit
    ) async throws -> Exit {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        let name = "\(folder)/wharf-mail-\(UInt64.random(in: 0...(.max)))"
        let file = try FileDescriptor.open(
            FilePath(name), .readWrite, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .ownerReadWrite
        )
        return try await file.closeAfter {
            guard unlink(name) == 0 else { throw Errno(rawValue: errno) }
            try file.writeAll(input)
            try file.seek(offset: 0, from: .start)
            return try await body(file)
        }
    }
}

extension FileDescriptor {
    /// As System's, for a body that waits.
    fileprivate func closeAfter<Result>(_ body: () async throws -> Result) async throws -> Result {
        let result: Result
        do {
            result = try await body()
        } catch {
            try close()
            throw error
        }
        try close()
        return result
    }
}
#endif
