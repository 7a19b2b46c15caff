public import Comparisons

/// One way to do what is compared.
public struct Way: Sendable {
    public let timing: Timing
    /// How often it is run for one sample.
    let runs: Int
    let run: @Sendable () async throws -> Void

    /// - Parameter isWhole: whether one run does all the operations of a sample.
    public init(_ timing: Timing, isWhole: Bool = false, run: @escaping @Sendable () async throws -> Void) {
        self.timing = timing
        self.runs = isWhole ? 1 : timing.operations
        self.run = run
    }
}
