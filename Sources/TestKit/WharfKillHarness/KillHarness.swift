#if KillHarness
internal import Subprocess

/// Runs a program, kills it with SIGKILL at a moment, and returns its output.
///
/// The program writes a line to standard output for each of its steps, unbuffered. For a kill at an
/// exact place it stops there by itself after the line, and waits to be killed.
///
/// ```swift
/// let harness = KillHarness(executable: try builtExecutable(named: "CacheProbe"), arguments: ["write", path])
/// let run = try await harness.run(killing: .at("at beforeCommit", times: 3))
/// #expect(run.wasKilled)
/// try check(path)                                     // it opens, and nothing in it is torn
/// ```
public struct KillHarness: Sendable {
    /// The moment at which the program is killed.
    public enum KillPoint: Sendable, CustomStringConvertible {
        /// When a line was read this many times.
        case at(_ line: String, times: Int)
        /// This many microseconds after this many lines.
        case after(lines: Int, microseconds: Int)
        /// Never: the program ends by itself.
        case never

        public var description: String {
            switch self {
            case .at(let line, let times): "at \"\(line)\" (\(times))"
            case .after(let lines, let microseconds): "\(microseconds) µs after line \(lines)"
            case .never: "never"
            }
        }
    }

    /// The result of one run of the program.
    public struct Run: Sendable {
        /// The lines of standard output, up to the last complete one.
        public let lines: [String]
        /// Whether the harness's signal ended the program.
        public let wasKilled: Bool
        /// The exit code; nil if a signal ended the program.
        public let exitCode: Int32?
        /// The text of standard error, at most 1 MiB.
        public let standardError: String
    }

    /// The path of the executable.
    public let executable: String
    /// The arguments of each run.
    public let arguments: [String]

    /// Creates a harness for a program.
    public init(executable: String, arguments: [String]) {
        self.executable = executable
        self.arguments = arguments
    }

    /// Runs the program once, to its end.
    ///
    /// - Throws: the error of `Subprocess` if the program can't be started.
    public func run(killing moment: KillPoint) async throws -> Run {
        let slash = executable.lastIndex(of: "/") ?? executable.startIndex
        // By name and PATH, since a path would need a type of swift-system.
        let result = try await Subprocess.run(
            .name(String(executable[slash...].drop { $0 == "/" })),
            arguments: Arguments(arguments),
            environment: .inherit.updating(["PATH": String(executable[..<slash])]),
            input: .none, output: .sequence, error: .string(limit: 1 << 20)
        ) { execution -> [String] in
            var trigger = Trigger(moment)
            var lines: [String] = []
            for try await line in execution.standardOutput.strings() {
                // Lines after the signal are collected too: the pipe keeps all that was written
                // before the death.
                lines.append(line)
                guard let pause = trigger.pause(after: line) else { continue }
                // The test is about a process that dies at an arbitrary moment of real time.
                if pause > 0 { try await Task.sleep(for: .microseconds(pause), tolerance: .zero) }
                do {
                    try execution.send(signal: .kill)
                } catch {
                    // The program has ended by itself; the termination status shows it.
                    continue
                }
            }
            return lines
        }
        let exitCode: Int32?
        let wasKilled: Bool
        switch result.terminationStatus {
        case .exited(let code): (exitCode, wasKilled) = (code, false)
        case .signaled(let signal): (exitCode, wasKilled) = (nil, signal == Signal.kill.rawValue)
        }
        return Run(
            lines: result.takeClosureResult(), wasKilled: wasKilled, exitCode: exitCode,
            standardError: result.standardError
        )
    }

    /// Counts lines until the moment has come, once.
    private struct Trigger {
        private let moment: KillPoint
        private var seen = 0
        private var isDone = false

        init(_ moment: KillPoint) { self.moment = moment }

        /// The microseconds to wait before the kill; nil if it is not time.
        mutating func pause(after line: String) -> Int? {
            if isDone { return nil }
            switch moment {
            case .never: return nil
            case .at(let wanted, let times):
                seen += line == wanted ? 1 : 0
                isDone = seen >= times
                return isDone ? 0 : nil
            case .after(let count, let microseconds):
                seen += 1
                isDone = seen >= count
                return isDone ? microseconds : nil
            }
        }
    }
}

/// The error of a program that could not be found or run.
public struct KillHarnessError: Error, Sendable, CustomStringConvertible {
    /// The failure and its remedy.
    public let message: String
    /// Creates an error.
    public init(_ message: String) { self.message = message }
    public var description: String { message }
}
#endif
