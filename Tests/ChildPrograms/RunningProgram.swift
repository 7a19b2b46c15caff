internal import Subprocess

/// Runs programs of others for tests, on swift-subprocess. Foundation's `Process` on Linux lets a
/// child inherit the descriptor by which the end of another is seen, and blocks a thread until then
/// (swift-corelibs-foundation#4795): with two at once both may wait for ever.
package final class RunningProgram: Sendable {
    /// What it writes to standard output. Ends with the program; has one reader.
    package let lines: AsyncStream<String>
    private let signals: AsyncStream<Signal>.Continuation
    private let running: Task<Void, any Error>

    /// - Parameter command: a path or a name on the `PATH`, and arguments. Standard input stays
    ///   open, until this process ends too.
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

    /// As a power cut does it. Returns when the program is gone, also when it went by itself.
    package func kill() async throws { try await end(by: .kill) }

    /// Asks the program to end. Returns when it is gone.
    package func terminate() async throws { try await end(by: .terminate) }

    private func end(by signal: Signal) async throws {
        signals.yield(signal)
        signals.finish()
        try await running.value
    }

    /// Runs a program to its end.
    ///
    /// - Returns: its exit code, or the negative number of the signal that ended it; and what it
    ///   wrote to standard output and error.
    package static func output(of command: [String]) async throws -> (status: Int32, text: String) {
        let result = try await Subprocess.run(
            .name("env"), arguments: Arguments(command), output: .string(limit: 1 << 24), error: .combinedWithOutput)
        switch result.terminationStatus {
        case .exited(let code): return (code, result.standardOutput)
        case .signaled(let number): return (-number, result.standardOutput)
        }
    }
}
