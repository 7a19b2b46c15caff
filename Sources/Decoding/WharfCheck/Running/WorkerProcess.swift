// Other systems can't start processes.
#if os(macOS) || os(Linux) || os(Android)
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A worker in a process of its own, started for the first request and again after a crash.
final class WorkerProcess {
    /// The end of a worker that should have answered.
    struct WorkerEnded: Error, Hashable {
        let status: Int32
        /// The last message on standard error, if it was captured.
        let errorOutput: String?

        /// A description, as in `signal 4 (Illegal instruction)`.
        var text: String {
            let signal = status & 0x7F
            let end =
                signal == 0
                ? "exit code \(status >> 8 & 0xFF)" : "signal \(signal) (\(String(cString: strsignal(signal))))"
            return end + (errorOutput.map { ": \($0)" } ?? "")
        }
    }

    /// The process could not be started.
    struct NotStarted: Error, Hashable {
        let reason: Descriptor.Failure
    }

    private struct Running {
        let id: pid_t
        let requests: Descriptor
        let answers: Descriptor
    }

    private let program: String
    private let arguments: [String]
    // Nil before the first request and after the end of a worker. Its two descriptors are open
    // exactly while it is set.
    private var running: Running?
    /// The file that captures standard error, if asked for.
    private var errorFile: UnsafeMutablePointer<FILE>?

    /// - Parameter arguments: the program's own, including its name.
    init(_ program: String, _ arguments: [String]) {
        self.program = program
        self.arguments = arguments
    }

    /// Sends a request. The caller must receive the answer before the next request.
    func send(_ request: WorkerRequest) throws {
        do {
            if running == nil { running = try start() }
            guard let running else { return }
            try request.write(to: running.requests)
        } catch let failure as Descriptor.Failure {
            // If the worker has ended, `receive` reports how.
            guard running != nil, failure.isBrokenPipe else { throw NotStarted(reason: failure) }
        }
    }

    /// - Returns: nil if the worker can't read the file part in the request.
    func receive() throws(WorkerEnded) -> WorkerAnswer? {
        guard let running else { preconditionFailure("a request must precede its answer") }
        do {
            let answer = try WorkerAnswer.receive(from: running.answers)
            // Output of requests that went well is not part of later last words.
            if let errorFile { ftruncate(fileno(errorFile), 0) }
            return answer
        } catch {
            let status = end(running)
            throw WorkerEnded(status: status, errorOutput: errorFile.flatMap(Self.errorOutput))
        }
    }

    /// Captures standard error while `body` runs, as part of ``WorkerEnded``.
    func listening<Result>(_ body: () throws -> Result) rethrows -> Result {
        stop()
        errorFile = tmpfile()
        // With `O_APPEND` writing begins at the start again after the file is truncated.
        if let errorFile { _ = fcntl(fileno(errorFile), F_SETFL, O_APPEND) }
        defer {
            stop()
            if let errorFile { fclose(errorFile) }
            errorFile = nil
        }
        return try body()
    }

    private func stop() {
        if let running { _ = end(running) }
    }

    deinit { stop() }

    /// Returns the message of a fatal error, or else the last line.
    private static func errorOutput(_ errorFile: UnsafeMutablePointer<FILE>) -> String? {
        let limit = 1 << 16
        let file = Descriptor(number: fileno(errorFile))
        lseek(file.number, max(0, off_t(file.size ?? 0) - off_t(limit)), SEEK_SET)
        var bytes: [UInt8] = []
        while bytes.count < limit, let more = try? file.read(into: &bytes, upTo: 4096), more > 0 {}
        ftruncate(file.number, 0)
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        let mark = "Fatal error: "
        for line in lines.reversed() {
            if let range = line.range(of: mark) { return String(line[range.upperBound...].prefix(500)) }
        }
        return lines.last.map { String($0.prefix(500)) }
    }

    private func end(_ worker: Running) -> Int32 {
        worker.requests.close()
        worker.answers.close()
        running = nil
        var status: Int32 = 0
        // Its pipes are closed, so the worker ends by itself. The wait also frees its entry in the
        // process table.
        while waitpid(worker.id, &status, 0) < 0, errno == EINTR {}
        return status
    }

    private func start() throws(Descriptor.Failure) -> Running {
        let (requestsOut, requestsIn) = try Descriptor.pipe()
        let (answersOut, answersIn) = try Descriptor.pipe()
        defer {
            requestsOut.close()
            answersIn.close()
        }
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, requestsOut.number, 0)
        posix_spawn_file_actions_adddup2(&actions, answersIn.number, 1)
        if let errorFile { posix_spawn_file_actions_adddup2(&actions, fileno(errorFile), 2) }
        var environment = ProcessInfo.processInfo.environment
        environment[Worker.mark] = "1"
        // The message suffices; most frames would be of this module.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        var words = arguments.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var id: pid_t = 0
        let code = posix_spawn(&id, program, &actions, nil, &words, &variables)
        guard code == 0 else {
            requestsIn.close()
            answersOut.close()
            throw Descriptor.Failure(code: code)
        }
        return Running(id: id, requests: requestsIn, answers: answersOut)
    }

    /// The executable of this process.
    static var thisProgram: String {
        #if os(Linux) || os(Android)
        "/proc/self/exe"
        #else
        Bundle.main.executablePath ?? CommandLine.arguments[0]
        #endif
    }
}

extension Descriptor {
    /// Creates a pipe that child processes do not inherit, unless it is passed to them.
    static func pipe() throws(Failure) -> (out: Descriptor, in: Descriptor) {
        var numbers: [Int32] = [0, 0]
        guard systemPipe(&numbers) == 0 else { throw Failure(code: errno) }
        for number in numbers { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        return (Descriptor(number: numbers[0]), Descriptor(number: numbers[1]))
    }
}

private func systemPipe(_ numbers: UnsafeMutablePointer<Int32>) -> Int32 { pipe(numbers) }
#endif
