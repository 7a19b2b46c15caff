import ArgumentParser

/// The options of `wharf serve` as written. ``plan()`` validates them.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve an origin through a cache that answers when the origin does not, or through a bad network.",
        usage: "wharf serve --origin <url> [options]",
        discussion: HelpText.serve
    )

    @OptionGroup var addresses: ServeAddressOptions
    @OptionGroup var caching: ServeCacheOptions
    @OptionGroup var faults: ServeFaultOptions
    @OptionGroup var recording: ServeRecordingOptions

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
        let origin = try addresses.checkedOrigin()
        let injected = try faults.plan()
        guard !faults.isWithoutCache else {
            let others = addresses.givenForGateway + caching.given + recording.given
            if let other = others.first {
                throw UsageError(
                    "--no-cache and \(other) can't be combined, because --no-cache serves the bare bad network; leave "
                        + "one out")
            }
            guard let injected else {
                throw UsageError("--no-cache: expected --fault beside it, found none; try --fault 3g --no-cache")
            }
            return .bareNetwork(
                FaultyPlan(origin: origin, listen: addresses.listen, injected: injected, isVerbose: verbose))
        }
        return .gateway(
            GatewayPlan(
                origin: origin, listen: addresses.listen, certificate: try addresses.certificatePair(),
                admin: addresses.admin, cache: try caching.plan(), injected: injected,
                recording: try recording.plan(), isVerbose: verbose))
    }
}

/// The validated options of one `wharf serve`. Only the addresses to listen on are unchecked.
enum ServePlan: Sendable {
    case gateway(GatewayPlan)
    case bareNetwork(FaultyPlan)
}
