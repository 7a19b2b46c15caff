import ArgumentParser
import WharfCache

/// The cache of `wharf serve`.
struct ServeCacheOptions: ParsableArguments {
    @Flag(
        name: .customLong("private"),
        help: "The cache of one user: it also keeps answers to requests with Authorization or Cookie.")
    var isPrivate = false

    @Flag(name: .customLong("shared"), help: "The cache of several users (RFC 9111); this is the default.")
    var isShared = false

    @Option(
        name: .customLong("cache"),
        help: ArgumentHelp("Keep answers in this file; without it in memory.", valueName: "file"))
    var cacheFile: String?

    @Option(help: ArgumentHelp("The size of the cache (default: 256M).", valueName: "bytes"))
    var maxBytes: String?

    @Flag(help: "Answer from the cache alone, even with stale answers; otherwise 504.")
    var offline = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Serve stale answers for this long when the origin fails. The default is the origin's own rule with "
                + "--shared, and always with --private.", valueName: "seconds|always"))
    var staleIfError: String?

    @Flag(
        help: ArgumentHelp(
            "Keep Set-Cookie in the answers of a shared cache. Each client gets the cookies of the first one, so the "
                + "origin's cookies must not be personal."))
    var storeSetCookie = false

    /// The names of the given options.
    var given: [String] {
        [
            ("--private", isPrivate), ("--shared", isShared), ("--cache", cacheFile != nil),
            ("--max-bytes", maxBytes != nil), ("--offline", offline), ("--stale-if-error", staleIfError != nil),
            ("--store-set-cookie", storeSetCookie),
        ].filter(\.1).map(\.0)
    }

    func plan() throws(UsageError) -> CachePlan {
        guard !isPrivate || !isShared else {
            throw UsageError("--private and --shared contradict each other; leave one out")
        }
        guard !isPrivate || !storeSetCookie else {
            throw UsageError(
                "--store-set-cookie and --private can't be combined, because a private cache keeps the cookies of its "
                    + "user anyway; leave one out")
        }
        return CachePlan(
            isPrivate: isPrivate, staleOnFailure: try staleOnFailure(), storesSetCookie: storeSetCookie,
            file: try location(), maxBytes: try limit(), isOffline: offline)
    }

    private func staleOnFailure() throws(UsageError) -> CacheConfiguration.StaleOnFailure? {
        guard let staleIfError else { return nil }
        if staleIfError == "always" { return .always }
        guard let seconds = Int64(staleIfError), (0...1_000_000_000).contains(seconds) else {
            throw UsageError(
                "--stale-if-error: expected a whole number of seconds or always, found '\(staleIfError)'; try "
                    + "--stale-if-error 3600")
        }
        return .upTo(.seconds(seconds))
    }

    private func location() throws(UsageError) -> String? {
        if offline, cacheFile == nil {
            throw UsageError("--offline: expected --cache beside it, because a cache in memory is empty at the start")
        }
        guard let cacheFile else { return nil }
        guard !cacheFile.isEmpty, !cacheFile.hasSuffix("/") else {
            throw UsageError("--cache: expected the name of a file, found '\(cacheFile)'")
        }
        return cacheFile
    }

    private func limit() throws(UsageError) -> Int {
        guard let maxBytes else { return 256 << 20 }
        guard let bytes = ByteCount.parse(maxBytes), bytes > 0 else {
            throw UsageError("--max-bytes: expected a number of bytes, found '\(maxBytes)'; try --max-bytes 1G")
        }
        return bytes
    }
}

/// The validated options of the cache of a gateway.
struct CachePlan: Sendable {
    var isPrivate: Bool
    /// Nil for the default of a private or shared cache.
    var staleOnFailure: CacheConfiguration.StaleOnFailure?
    var storesSetCookie: Bool
    /// The path of the cache file; nil for a cache in memory.
    var file: String?
    var maxBytes: Int
    var isOffline: Bool

    /// The configuration of the cache.
    var configuration: CacheConfiguration {
        var configuration = isPrivate ? CacheConfiguration.privateClient : .shared
        configuration.storesSetCookie = storesSetCookie
        if let staleOnFailure { configuration.staleOnFailure = staleOnFailure }
        return configuration
    }
}
