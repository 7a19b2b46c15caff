public import Comparisons

/// One of the compared ways to do the same work.
public struct Way: Sendable {
    /// The work of one run.
    public typealias Run = @Sendable () async throws -> Void

    /// The timing that the way is measured as.
    public let timing: Timing
    /// The number of runs in one sample.
    let runs: Int
    /// Returns the run of the next sample.
    let prepare: @Sendable () async throws -> Run

    /// Creates a way.
    ///
    /// - Parameter isWhole: whether one run does all the operations of a sample.
    public init(_ timing: Timing, isWhole: Bool = false, run: @escaping Run) {
        self.timing = timing
        self.runs = isWhole ? 1 : timing.operations
        self.prepare = { run }
    }

    /// Returns a way that needs a new input for each sample.
    ///
    /// It is no initialiser, because a trailing closure would suit both.
    ///
    /// - Parameter prepare: creates the input before the measurement, and returns a run that does
    ///   all the operations of a sample.
    public static func preparing(_ timing: Timing, _ prepare: @escaping @Sendable () async throws -> Run) -> Way {
        Way(timing, runs: 1, prepare: prepare)
    }

    private init(_ timing: Timing, runs: Int, prepare: @escaping @Sendable () async throws -> Run) {
        (self.timing, self.runs, self.prepare) = (timing, runs, prepare)
    }
}
