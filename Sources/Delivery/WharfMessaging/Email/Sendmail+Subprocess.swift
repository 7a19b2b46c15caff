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
    /// Creates a `sendmail` that swift-subprocess runs.
    ///
    /// The program gets the environment of this process. It is terminated if the task is cancelled.
    ///
    /// - Parameters:
    ///   - timeout: the time after which the program is terminated; nil for none. The program may
    ///     have taken the message before, but the channel tries it again.
    ///   - timer: the clock of the timeout.
    public init(
        _ path: String = "/usr/sbin/sendmail", arguments: [String] = Sendmail.usualArguments,
        timeout: Duration? = .seconds(300), timer: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(path, arguments: arguments) { path, arguments, input in
            try await Self.holding(input) { file in
                // Without a timeout there is no second task, and the cancellation of this task ends
                // the program.
                guard let timeout else { return try await Self.exit(of: path, arguments, file) }
                return try await Self.exit(of: path, arguments, file, within: timeout, on: timer)
            }
        }
    }

    private enum End: Sendable {
        case exit(Result<Exit, any Error>)
        case late
        case cancelled
    }

    private static func exit(
        of path: String, _ arguments: [String], _ file: FileDescriptor, within timeout: Duration,
        on timer: any Clock<Duration>
    ) async throws -> Exit {
        try await withTaskGroup(of: End.self, returning: Result<Exit, any Error>.self) { group in
            group.addTask {
                do { return .exit(.success(try await exit(of: path, arguments, file))) } catch {
                    return .exit(.failure(error))
                }
            }
            group.addTask {
                do { try await timer.sleep(for: timeout) } catch { return .cancelled }
                return .late
            }
            var isLate = false
            // After the timeout the loop still waits for the program. It may have exited by itself
            // at the same moment, and then its exit code counts.
            for await end in group {
                switch end {
                case .exit(.success(let exit)) where !isLate || exit.code != nil:
                    group.cancelAll()
                    return .success(exit)
                case .exit(let result):
                    group.cancelAll()
                    return isLate ? .success(Exit(code: nil, complaint: "it took longer than \(timeout)")) : result
                case .late:
                    isLate = true
                    group.cancelAll()
                case .cancelled: break
                }
            }
            return .failure(CancellationError())
        }.get()
    }

    /// The number of bytes of standard error that are kept.
    private static let mostKept = 1 << 16

    private static func exit(
        of path: String, _ arguments: [String], _ file: FileDescriptor
    ) async throws -> Exit {
        let result = try await Subprocess.run(
            .path(FilePath(path)), arguments: Arguments(arguments), environment: .inherit,
            input: .fileDescriptor(file, closeAfterSpawningProcess: false), output: .discarded, error: .sequence
        ) { execution in
            var said: [UInt8] = []
            // Standard error is read to its end even beyond the kept bytes. Otherwise the pipe
            // would fill up and block the program.
            for try await buffer in execution.standardError {
                buffer.withUnsafeBytes { said += $0.prefix(mostKept - said.count) }
            }
            return said
        }
        let complaint = String(decoding: result.closureResult, as: UTF8.self)
        return switch result.terminationStatus {
        case .exited(let code): Exit(code: code, complaint: complaint)
        case .signaled: Exit(code: nil, complaint: complaint)
        }
    }

    /// Passes the input to a body as an unlinked temporary file.
    ///
    /// With a pipe, a program that exits before it has read everything would cause SIGPIPE, which
    /// ends this process (swift-subprocess #367).
    private static func holding(
        _ input: [UInt8], _ body: (FileDescriptor) async throws -> Exit
    ) async throws -> Exit {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        let name = "\(folder)/wharf-mail-\(UInt64.random(in: 0...(.max)))"
        let file = try FileDescriptor.open(
            FilePath(name), .readWrite, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .ownerReadWrite
        )
        return try await file.closeAfter {
            // Unlinked before it is written: after a kill no file with the message stays in the
            // folder.
            guard unlink(name) == 0 else { throw Errno(rawValue: errno) }
            try file.writeAll(input)
            // The program inherits the descriptor with its offset, and would read nothing from the
            // end.
            try file.seek(offset: 0, from: .start)
            return try await body(file)
        }
    }
}

extension FileDescriptor {
    /// Closes the descriptor after an asynchronous body, like `closeAfter` of System.
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
