internal import Subprocess

/// Runs other programs for tests, with swift-subprocess.
///
/// Foundation's `Process` is not used, because of a bug on Linux (swift-corelibs-foundation#4795).
/// A child inherits the descriptor that signals the end of another one, and a thread blocks until
/// then. Two running processes may then deadlock.
package final class RunningProgram: Sendable {
    /// The lines of standard output. The stream ends with the program, and has one reader.
    package let lines: AsyncStream<String>
    private let signals: AsyncStream<Signal>.Continuation
    private let running: Task<Void, any Error>

    /// - Parameter command: a path or a name on the `PATH`, and arguments. Standard input stays
    ///   open until this process ends.
    package init(_ command: [String]) {
        let (lines, line) = AsyncStream.makeStream(of: String.self)
        let (orders, signals) = AsyncStream.makeStream(of: Signal.self)
        self.lines = lines
        self.signals = signals
        running = Task {
            defer { line.finish() }
            _ = try await Subprocess.run(
                .name("env"), arguments: Arguments(command), input: .inputWriter, output: .sequence, error: .discarded
            ) { execution in
                async let reading: Void = {
                    for try await text in execution.standardOutput.strings() { line.yield(text) }
                    line.finish()
                    signals.finish()
                }()
                for await signal in orders { try execution.send(signal: signal) }
                try await reading
            }
        }
    }

    /// Kills the program with SIGKILL. Returns once it has ended, even if it ended by itself.
    package func kill() async throws { try await end(by: .kill) }

    /// Sends SIGTERM, and returns once the program has ended.
    package func terminate() async throws { try await end(by: .terminate) }

    private func end(by signal: Signal) async throws {
        signals.yield(signal)
        signals.finish()
        try await running.value
    }

    /// Runs a program to its end.
    ///
    /// - Returns: the exit code, or the negative number of the signal that ended it, and the output
    ///   on standard output and error.
    package static func output(of command: [String]) async throws -> (status: Int32, text: String) {
        let result = try await Subprocess.run(
            .name("env"), arguments: Arguments(command), output: .string(limit: 1 << 24), error: .combinedWithOutput)
        switch result.terminationStatus {
        case .exited(let code): return (code, result.standardOutput)
        case .signaled(let number): return (-number, result.standardOutput)
        }
    }
}
