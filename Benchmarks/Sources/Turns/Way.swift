public import Comparisons

/// One of the compared ways to do the same work.
public struct Way: Sendable {
    /// The timing that the way is measured as.
    public let timing: Timing
    /// The number of runs in one sample.
    let runs: Int
    let run: @Sendable () async throws -> Void

    /// Creates a way.
    ///
    /// - Parameter isWhole: whether one run does all the operations of a sample.
    public init(_ timing: Timing, isWhole: Bool = false, run: @escaping @Sendable () async throws -> Void) {
        self.timing = timing
        self.runs = isWhole ? 1 : timing.operations
        self.run = run
    }
}
