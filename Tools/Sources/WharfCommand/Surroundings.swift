import Foundation
public import Wharf

/// Everything of the process and the machine that a run touches. Tests give it their own.
public struct Surroundings: Sendable {
    /// Reads standard input to its end.
    public var readInput: @Sendable () throws -> [UInt8]
    /// Reads a line of standard input without its end; nil at the end of the input.
    public var readLine: @Sendable () throws -> String?
    /// Somebody sits before standard input who can be asked.
    public var inputIsTerminal: Bool
    /// Writes to standard output. What it throws ends the output; nothing more is written then.
    public var writeOutput: @Sendable ([UInt8]) throws -> Void
    /// Writes text to standard error.
    public var writeError: @Sendable (String) -> Void
    /// The width in which help is set.
    public var columns: Int
    /// The width that a progress bar has, asked anew for each one drawn; nil where there is to be
    /// none.
    public var progressColumns: @Sendable () -> Int?
    /// Standard output is a terminal, where a body that scrolls by leaves no place for a bar.
    public var outputIsTerminal: Bool
    /// Tells ages.
    public var clock: any WallClock
    /// Time on a clock that only goes forward, for the progress bar's rate.
    public var ticks: @Sendable () -> Duration
    /// Temporary files of this run.
    public var scratch: Scratch
    /// The variables of the process, which go to programs that it starts.
    public var environment: [String: String]
    /// Shows long output if standard output is a terminal.
    let pager: TerminalPager
    /// The path of this program; what came with it lies beside it.
    public var executable: String?

    public init(
        readInput: @escaping @Sendable () throws -> [UInt8],
        readLine: @escaping @Sendable () throws -> String? = { nil },
        inputIsTerminal: Bool = false,
        writeOutput: @escaping @Sendable ([UInt8]) throws -> Void,
        writeError: @escaping @Sendable (String) -> Void,
        columns: Int = 100,
        progressColumns: @escaping @Sendable () -> Int? = { nil },
        outputIsTerminal: Bool = false,
        clock: any WallClock = .system,
        ticks: @escaping @Sendable () -> Duration,
        scratch: Scratch = Scratch(),
        environment: [String: String] = [:],
        executable: String? = nil
    ) {
        self.readInput = readInput
        self.readLine = readLine
        self.inputIsTerminal = inputIsTerminal
        self.writeOutput = writeOutput
        self.writeError = writeError
        self.columns = columns
        self.progressColumns = progressColumns
        self.outputIsTerminal = outputIsTerminal
        self.clock = clock
        self.ticks = ticks
        self.scratch = scratch
        self.environment = environment
        pager = TerminalPager(environment: environment)
        self.executable = executable
    }
}

extension Surroundings {
    /// This process.
    ///
    /// - Parameter environment: its variables.
    public static func process(environment: [String: String]) -> Surroundings {
        let start = ContinuousClock.now
        let error = Descriptor.standardError
        let hasBar = environment["TERM"] != "dumb"
        let width = environment["COLUMNS"].flatMap { Int($0) } ?? Descriptor.standardOutput.columns ?? 100
        return Surroundings(
            readInput: { try Descriptor.standardInput.readAll() },
            readLine: { Swift.readLine() },
            inputIsTerminal: Descriptor.standardInput.isTerminal,
            writeOutput: { try Descriptor.standardOutput.write($0) },
            writeError: { text in
                do throws(OutputFailure) {
                    try error.write(Array(text.utf8))
                } catch {
                    // Nobody reads the explanations, and there is no other place to say so.
                }
            },
            columns: min(max(width, 60), 110),
            progressColumns: { hasBar ? error.columns : nil },
            outputIsTerminal: Descriptor.standardOutput.isTerminal,
            ticks: { ContinuousClock.now - start },
            environment: environment,
            executable: Bundle.main.executablePath
        )
    }
}
