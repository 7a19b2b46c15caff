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

    /// Creates a way that needs a new input for each sample.
    ///
    /// - Parameter prepare: creates the input before the measurement, and returns a run that does
    ///   all the operations of a sample.
    public init(_ timing: Timing, preparing prepare: @escaping @Sendable () async throws -> Run) {
        self.timing = timing
        self.runs = 1
        self.prepare = prepare
    }
}
