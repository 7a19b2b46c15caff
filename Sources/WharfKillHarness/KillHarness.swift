#if KillHarness
internal import Subprocess

/// Starts a program again and again, kills it with SIGKILL at a moment, and hands over what it had
/// said until then.
///
/// The program writes a line to standard output for each thing that it does, unbuffered. For a kill
/// at an exact place it stops there by itself after the line, and waits to be killed.
///
/// ```swift
/// let harness = KillHarness(executable: try builtExecutable(named: "CacheProbe"), arguments: ["write", path])
/// let run = try await harness.run(killing: .at("at beforeCommit", times: 3))
/// #expect(run.wasKilled)
/// try check(path)                                     // it opens, and nothing in it is torn
/// ```
public struct KillHarness: Sendable {
    /// When the program is killed.
    public enum Moment: Sendable, CustomStringConvertible {
        /// As soon as a line was read so many times.
        case at(_ line: String, times: Int)
        /// So many microseconds after so many lines.
        case after(lines: Int, microseconds: Int)
        /// Not at all: it ends by itself.
        case never

        public var description: String {
            switch self {
            case .at(let line, let times): "at \"\(line)\" (\(times))"
            case .after(let lines, let microseconds): "\(microseconds) µs after line \(lines)"
            case .never: "never"
            }
        }
    }

    /// How one run of the program went.
    public struct Run: Sendable {
        /// What it wrote to standard output, to the last line that was complete.
        public let lines: [String]
        /// It ended by the harness's signal.
        public let wasKilled: Bool
        /// How it ended by itself; nil when a signal ended it.
        public let exitCode: Int32?
        public let standardError: String
    }

    public let executable: String
    public let arguments: [String]

    public init(executable: String, arguments: [String]) {
        self.executable = executable
        self.arguments = arguments
    }

    /// Runs the program once, to its end.
    ///
    /// - Throws: ``KillHarnessError`` when it can't be started.
    public func run(killing moment: Moment) async throws -> Run {
        let slash = executable.lastIndex(of: "/") ?? executable.startIndex
        // By name and PATH, since a path would take swift-system's type.
        let result = try await Subprocess.run(
            .name(String(executable[slash...].drop { $0 == "/" })),
            arguments: Arguments(arguments),
            environment: .inherit.updating(["PATH": String(executable[..<slash])]),
            input: .none, output: .sequence, error: .string(limit: 1 << 20)
        ) { execution -> [String] in
            var trigger = Trigger(moment)
            var lines: [String] = []
            for try await line in execution.standardOutput.strings() {
                lines.append(line)
                guard let pause = trigger.pause(after: line) else { continue }
                // The very thing under test is a process that dies at an arbitrary moment of real
                // time.
                if pause > 0 { try await Task.sleep(for: .microseconds(pause), tolerance: .zero) }
                do {
                    try execution.send(signal: .kill)
                } catch {
                    // It ended by itself before; the status says how.
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
        private let moment: Moment
        private var seen = 0
        private var isDone = false

        init(_ moment: Moment) { self.moment = moment }

        /// Microseconds to wait before the kill; nil when it is not time.
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

/// Why a program could not be run and killed.
public struct KillHarnessError: Error, Sendable, CustomStringConvertible {
    public let message: String
    public init(_ message: String) { self.message = message }
    public var description: String { message }
}
#endif
