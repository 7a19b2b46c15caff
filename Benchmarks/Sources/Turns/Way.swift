public import Comparisons

/// One way to do what is compared.
public struct Way: Sendable {
    public let timing: Timing
    let run: @Sendable () throws -> Void

    public init(_ timing: Timing, run: @escaping @Sendable () throws -> Void) {
        self.timing = timing
        self.run = run
    }
}
