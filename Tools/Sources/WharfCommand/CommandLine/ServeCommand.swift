import ArgumentParser
import WharfFaults

/// The options of `wharf serve` as written. ``plan()`` validates them.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Simulate a bad network in front of an origin: slow, lossy, cut off.",
        usage: "wharf serve --origin <url> [options]",
        discussion: HelpText.serve
    )

    @Option(
        help: ArgumentHelp(
            "The origin to serve: an http or https URL without a path, because the client sends the paths.",
            valueName: "url"))
    var origin: String?

    @Option(
        help: ArgumentHelp(
            "The address to listen on: localhost or an IPv4 address, and a port, 0 for a free one.",
            valueName: "host:port"))
    var listen = "127.0.0.1:8080"

    @Option(
        name: .customLong("fault"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A fault to inject; may be repeated. See FAULTS.", valueName: "preset|spec"))
    var faults: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Repeat the faults of an earlier run with this seed.", valueName: "number"))
    var seed: String?

    @Flag(
        name: [.customShort("v"), .long],
        help: "Print a line for each request on standard error, even if that is not a terminal.")
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
                "--origin: expected a URL without a path, found '\(target.shownPathAndQuery)' after \(authority); "
                    + "request it below the address that wharf serve prints")
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
                "--seed: expected a whole number, found '\(seed)'; use the seed that an earlier run printed")
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
