import ArgumentParser
import WharfFaults

/// The options of `wharf serve` as written. ``plan()`` validates them.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Stand before an origin as a bad network: slow, lossy, cut off.",
        usage: "wharf serve --origin <url> [options]",
        discussion: HelpText.serve
    )

    @Option(
        help: ArgumentHelp(
            "Whose answers are served: an http or https URL without a path, since the paths are the client's.",
            valueName: "url"))
    var origin: String?

    @Option(
        help: ArgumentHelp(
            "Where to listen: localhost or an IPv4 address, and a port, 0 for a free one.", valueName: "host:port"))
    var listen = "127.0.0.1:8080"

    @Option(
        name: .customLong("fault"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("What goes wrong; may be repeated. See FAULTS.", valueName: "preset|spec"))
    var faults: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Brings back what an earlier run with this seed did.", valueName: "number"))
    var seed: String?

    @Flag(
        name: [.customShort("v"), .long],
        help: "A line for each request on standard error, also when that is no terminal.")
    var verbose = false

    func validate() throws {
        // Checked here, because the parser then shows the right command's usage.
        do throws(UsageError) {
            _ = try plan()
        } catch {
            throw ValidationError(error.message)
        }
    }

    func plan() throws(UsageError) -> ServePlan {
        guard let origin else {
            throw UsageError("expected --origin, found none; try wharf serve --origin https://api.example.com")
        }
        let target = try Target(origin)
        guard let authority = target.authority else {
            throw UsageError("--origin: expected an http or https URL, found '\(Target.shown(origin))'")
        }
        guard target.pathAndQuery == "/" else {
            throw UsageError(
                "--origin: expected a URL without a path, found '\(target.shownPathAndQuery)' behind \(authority); ask for it "
                    + "behind the address that wharf serve prints")
        }
        var plan = FaultPlan.none
        for text in faults {
            do throws(FaultPlanError) {
                plan = plan + (try FaultPlan(parsing: text))
            } catch {
                throw UsageError("--fault: \(error.message)")
            }
        }
        return ServePlan(
            scheme: target.scheme, authority: authority, listen: listen, faults: plan, seed: try number(),
            isVerbose: verbose)
    }

    private func number() throws(UsageError) -> UInt64 {
        // A random seed is short, so that it can be typed again.
        guard let seed else { return .random(in: 0...UInt64(UInt32.max)) }
        guard let number = UInt64(seed) else {
            throw UsageError(
                "--seed: expected a whole number, found '\(seed)'; take the one that an earlier run printed")
        }
        return number
    }
}

/// The validated options of one `wharf serve`. Only the address to listen on is unchecked.
struct ServePlan: Sendable {
    var scheme: String
    /// The host and port of the origin.
    var authority: String
    var listen: String
    var faults: FaultPlan
    var seed: UInt64
    var isVerbose: Bool
}
