import ArgumentParser
import WharfFaults

/// The faults of `wharf serve`.
struct ServeFaultOptions: ParsableArguments {
    @Option(
        name: .customLong("fault"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A fault to inject between the cache and the origin; may be repeated. See FAULTS.",
            valueName: "preset|spec"))
    var texts: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Repeat the faults of an earlier run with this seed.", valueName: "number"))
    var seed: String?

    @Flag(
        name: .customLong("no-cache"),
        help: "Inject the faults between the client and the origin, without a cache.")
    var isWithoutCache = false

    /// The faults and their seed; nil if none is given.
    func plan() throws(UsageError) -> InjectedPlan? {
        let seed = try number()
        guard !texts.isEmpty else {
            guard seed == nil else {
                throw UsageError("--seed: expected --fault beside it, found none; try --fault 3g --seed \(seed ?? 0)")
            }
            return nil
        }
        var faults = FaultPlan.none
        for text in texts {
            do throws(FaultPlanError) {
                faults = faults + (try FaultPlan(parsing: text))
            } catch {
                throw UsageError("--fault: \(error.message)")
            }
        }
        return InjectedPlan(faults: faults, seed: seed ?? .random(in: 0...UInt64(UInt32.max)))
    }

    private func number() throws(UsageError) -> UInt64? {
        guard let seed else { return nil }
        guard let number = UInt64(seed) else {
            throw UsageError(
                "--seed: expected a whole number, found '\(seed)'; use the seed that an earlier run printed")
        }
        return number
    }
}

/// The faults to inject.
struct InjectedPlan: Sendable {
    var faults: FaultPlan
    var seed: UInt64

    var text: String { "faults: \(faults); seed: \(seed)" }
}
