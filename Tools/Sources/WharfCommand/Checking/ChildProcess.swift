import Dispatch
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A child process, which shares this process's standard input and output.
struct ChildProcess: Sendable {
    enum End: Sendable, Equatable {
        case exited(Int32)
        /// Ended by the signal of this number.
        case signalled(Int32)
    }

    /// The effect of cancelling the task that waits for the process.
    enum Cancellation: Sendable {
        /// The process gets SIGINT, so that it can clean up.
        case interrupt
        /// The process and its children are killed. It has a process group of its own, which Ctrl-C
        /// does not reach.
        case kill
    }

    var path: String
    /// The name that it shows in its messages; nil for its path.
    var name: String?
    /// The arguments without the name of the program.
    var arguments: [String]
    var environment: [String: String]
    /// Its standard input; nil for this process's own.
    var input: Descriptor?
    /// The file for its standard output and standard error; nil for this process's own.
    var log: String?
    var cancellation: Cancellation

    /// Starts the process and waits for its end.
    ///
    /// - Throws: ``OutputFailure`` if it can't be started.
    func run() async throws(OutputFailure) -> End { try await start().end() }

    /// Starts the process.
    ///
    /// - Throws: ``OutputFailure`` if it can't be started.
    func start() throws(OutputFailure) -> StartedProcess {
        StartedProcess(number: try spawn(), cancellation: cancellation)
    }

    private func spawn() throws(OutputFailure) -> pid_t {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        if let input { posix_spawn_file_actions_adddup2(&actions, input.number, STDIN_FILENO) }
        if let log {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        }
        // This process ignores these signals, and its threads block others. A child would inherit
        // both.
        var (defaults, mask) = (sigset_t(), sigset_t())
        sigemptyset(&defaults)
        sigemptyset(&mask)
        for number in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&defaults, number) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setsigmask(&attributes, &mask)
        var flags = Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK)
        if cancellation == .kill {
            flags |= Int32(POSIX_SPAWN_SETPGROUP)
            posix_spawnattr_setpgroup(&attributes, 0)
        }
        posix_spawnattr_setflags(&attributes, Int16(flags))

        var words = ([name ?? path] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in words + variables { free(pointer) } }
        var number: pid_t = 0
        let failure = posix_spawn(&number, path, &actions, &attributes, &words, &variables)
        guard failure == 0 else { throw OutputFailure("'\(path)' could not be started", errno: failure) }
        return number
    }
}

/// A running child process, until it has been waited for.
final class StartedProcess: Sendable {
    private let number: pid_t
    private let cancellation: ChildProcess.Cancellation
    /// After that, another process may have its number.
    private let hasEnded = Mutex(false)

    fileprivate init(number: pid_t, cancellation: ChildProcess.Cancellation) {
        self.number = number
        self.cancellation = cancellation
    }

    /// Waits for the end of the process.
    func end() async -> ChildProcess.End {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async { continuation.resume(returning: self.wait()) }
            }
        } onCancel: {
            cancel()
        }
    }

    private func cancel() {
        hasEnded.withLock { hasEnded in
            guard !hasEnded else { return }
            switch cancellation {
            case .interrupt: kill(number, SIGINT)
            case .kill: kill(-number, SIGKILL)
            }
        }
    }

    private func wait() -> ChildProcess.End {
        // The number stays reserved until the second wait.
        var information = siginfo_t()
        while waitid(P_PID, id_t(number), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return hasEnded.withLock { hasEnded in
            var status: Int32 = 0
            while waitpid(number, &status, 0) < 0, errno == EINTR {}
            hasEnded = true
            return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
        }
    }
}
