import ArgumentParser
import WharfGateway

/// The origin of `wharf serve`, and the addresses where it is served.
struct ServeAddressOptions: ParsableArguments {
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
        help: ArgumentHelp(
            "Serve https and HTTP/2 with the certificates in this PEM file, that of the server first.",
            valueName: "file"))
    var certificate: String?

    @Option(help: ArgumentHelp("The PEM file with the private key of --certificate.", valueName: "file"))
    var key: String?

    @Option(
        help: ArgumentHelp(
            "Serve a page with switches, metrics and the kept answers at this address. It has no password.",
            valueName: "host:port"))
    var admin: String?

    /// The names of the given options that need a gateway.
    var givenForGateway: [String] {
        [("--certificate", certificate), ("--key", key), ("--admin", admin)].filter { $0.1 != nil }.map(\.0)
    }

    func checkedOrigin() throws(UsageError) -> ServeOrigin {
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
        return ServeOrigin(scheme: target.scheme, authority: authority)
    }

    func certificatePair() throws(UsageError) -> GatewayCertificate? {
        switch (certificate, key) {
        case (nil, nil): return nil
        case (let chain?, let key?): return GatewayCertificate(chain: chain, key: key)
        case (nil, _?): throw UsageError("--key: expected --certificate beside it, found none")
        case (_?, nil): throw UsageError("--certificate: expected --key beside it, found none")
        }
    }
}

/// The origin of `wharf serve`.
struct ServeOrigin: Sendable {
    var scheme: String
    /// The host and port.
    var authority: String

    /// The URL without a path.
    var url: String { "\(scheme)://\(authority)" }
}
