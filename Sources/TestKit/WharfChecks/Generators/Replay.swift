internal import Foundation

/// The settings of generated inputs in the environment.
///
/// `WHARF_SEED` reproduces a failure, and `WHARF_RUNS` sets the number of runs.
struct Replay {
    let seed: UInt64?
    let runs: Int?

    /// - Throws: ``GenerationError/Code/invalidEnvironment``.
    init(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws(GenerationError) {
        seed = try Self.number("WHARF_SEED", in: environment)
        runs = try Self.number("WHARF_RUNS", from: 1, in: environment)
    }

    private static func number<Number: FixedWidthInteger>(
        _ name: String, from least: Number = 0, in environment: [String: String]
    ) throws(GenerationError) -> Number? {
        guard let text = environment[name] else { return nil }
        guard let number = Number(text), number >= least else {
            throw GenerationError(
                .invalidEnvironment,
                message:
                    "expected a whole number from \(least) on in \(name), found \(text.debugDescription); set or unset it"
            )
        }
        return number
    }
}
