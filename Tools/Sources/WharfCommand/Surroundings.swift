import Foundation
public import Wharf

/// The process and the machine as seen by a run. Tests substitute their own.
public struct Surroundings: Sendable {
    /// Reads standard input to its end.
    public var readInput: @Sendable () throws -> [UInt8]
    /// Reads a line of standard input without its end; nil at the end of the input.
    public var readLine: @Sendable () throws -> String? = { nil }
    /// Whether standard input is a terminal, so that the user can be asked.
    public var inputIsTerminal = false
    /// Writes to standard output.
    ///
    /// If it throws, nothing more is written.
    public var writeOutput: @Sendable ([UInt8]) throws -> Void
    /// Writes text to standard error.
    public var writeError: @Sendable (String) -> Void
    /// The width of help texts in columns.
    public var columns = 100
    /// The width for a progress bar, queried for each one drawn; nil for no bar.
    public var progressColumns: @Sendable () -> Int? = { nil }
    /// Whether standard output is a terminal, so that a body leaves no room for a bar.
    public var outputIsTerminal = false
    /// The clock for the ages of answers.
    public var clock: any WallClock = .system
    /// The time of a monotonic clock, for the progress bar's rate.
    public var ticks: @Sendable () -> Duration
    /// The temporary files of this run.
    public var scratch = Scratch()
    /// The environment variables, which child processes inherit.
    public var environment: [String: String]
    /// The action for SIGHUP, which `Interrupts` calls.
    let hangup = Hangup()
    /// Shows long output if standard output is a terminal.
    let pager: TerminalPager
    /// The path of this program; its sources are installed beside it.
    public var executable: String?

    /// Creates surroundings without a terminal.
    public init(
        readInput: @escaping @Sendable () throws -> [UInt8],
        writeOutput: @escaping @Sendable ([UInt8]) throws -> Void,
        writeError: @escaping @Sendable (String) -> Void,
        ticks: @escaping @Sendable () -> Duration,
        environment: [String: String] = [:]
    ) {
        self.readInput = readInput
        self.writeOutput = writeOutput
        self.writeError = writeError
        self.ticks = ticks
        self.environment = environment
        pager = TerminalPager(environment: environment)
    }
}

extension Surroundings {
    /// Returns the surroundings of this process.
    ///
    /// - Parameter environment: the variables of the process.
    public static func process(environment: [String: String]) -> Surroundings {
        let start = ContinuousClock.now
        let error = Descriptor.standardError
        let hasBar = environment["TERM"] != "dumb"
        let width = environment["COLUMNS"].flatMap { Int($0) } ?? Descriptor.standardOutput.columns ?? 100
        var surroundings = Surroundings(
            readInput: { try Descriptor.standardInput.readAll() },
            writeOutput: { try Descriptor.standardOutput.write($0) },
            writeError: { text in
                do throws(OutputFailure) {
                    try error.write(Array(text.utf8))
                } catch {
                    // Ignored: if standard error fails, no other channel is left.
                }
            },
            ticks: { ContinuousClock.now - start },
            environment: environment
        )
        surroundings.readLine = { Swift.readLine() }
        surroundings.inputIsTerminal = Descriptor.standardInput.isTerminal
        surroundings.columns = min(max(width, 60), 110)
        surroundings.progressColumns = { hasBar ? error.columns : nil }
        surroundings.outputIsTerminal = Descriptor.standardOutput.isTerminal
        surroundings.executable = Bundle.main.executablePath
        return surroundings
    }
}
