import ArgumentParser
import Wharf
import WharfCache
import WharfSQLite

struct CacheCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Show the kept answers of a cache file, and remove or verify them.",
        discussion: CacheHelp.cache,
        subcommands: [
            CacheListCommand.self, CacheShowCommand.self, CacheRemoveCommand.self, CachePruneCommand.self,
            CacheStatisticsCommand.self, CacheVerifyCommand.self,
        ]
    )
}

/// A subcommand of `wharf cache`.
protocol CacheAction: ParsableCommand {
    var file: CacheFileOptions { get }
    var access: SQLiteDataFile.Access { get }

    /// Runs the subcommand.
    ///
    /// - Throws: ``StoreError``, ``OutputFailure``, ``UsageError``.
    func run(on cache: OpenCache) async throws -> ProcessStatus
}

/// The options of each subcommand of `wharf cache`.
struct CacheFileOptions: ParsableArguments {
    @Option(
        name: .customLong("cache"),
        help: ArgumentHelp(
            "The cache file, which must exist; by default that of wharf get.", valueName: "file"))
    var named: String?

    @Flag(help: "Print JSON, one object per line.")
    var json = false

    func validate() throws {
        guard let named else { return }
        guard !named.isEmpty, !named.hasSuffix("/") else {
            throw ValidationError("--cache: expected the name of a file, found '\(named)'")
        }
    }

    /// The path of the file.
    var path: String { named ?? CacheLocation.caches(name: "wharf").path ?? "" }
}

/// The option that selects the rules of freshness.
struct CacheRuleOptions: ParsableArguments {
    @Flag(help: "Judge as a shared cache does, such as that of wharf serve without --private.")
    var shared = false

    var configuration: CacheConfiguration { shared ? .shared : .privateClient }
}

/// A stored answer on the command line: by its id, or all answers of a URL.
enum CacheSelector: Hashable, Sendable {
    case id(Int64)
    case target(String)

    init(_ text: String) throws(UsageError) {
        if let id = Int64(text) {
            self = .id(id)
            return
        }
        let target = try Target(text)
        guard let authority = target.authority else {
            throw UsageError("expected an http or https URL, found '\(Target.shown(text))'; files are not kept")
        }
        // The normal form of a stored target (RFC 9110 §4.2.3).
        var host = authority.lowercased()
        let suffix = target.scheme == "https" ? ":443" : ":80"
        if host.hasSuffix(suffix) { host.removeLast(suffix.count) }
        self = .target("\(target.scheme)://\(host)\(target.pathAndQuery)")
    }

    /// The selector in messages, without the values of a query.
    var shown: String {
        switch self {
        case .id(let id): "the id \(id)"
        case .target(let target): Target.shown(stored: target)
        }
    }
}
