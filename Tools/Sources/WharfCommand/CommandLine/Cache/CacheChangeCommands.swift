import ArgumentParser
import Wharf
import WharfSQLite

struct CacheRemoveCommand: CacheAction {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Remove the kept answers of URLs, of an account, or all.",
        usage: "wharf cache rm (<url|id>... | --all | --account <name>) [options]",
        discussion: CacheHelp.remove
    )

    @Argument(help: ArgumentHelp("URLs, or ids of answers, as ls prints them.", valueName: "url|id"))
    var names: [String] = []

    @OptionGroup var file: CacheFileOptions

    @Flag(help: "All answers of all accounts.")
    var all = false

    @Option(help: ArgumentHelp("All answers of this account.", valueName: "name"))
    var account: String?

    var access: SQLiteDataFile.Access { .writing }

    func validate() throws {
        do throws(UsageError) { _ = try choice() } catch { throw ValidationError(error.message) }
    }

    func run(on cache: OpenCache) async throws -> ProcessStatus {
        try await CacheRemoveRun(cache: cache, choice: try choice(), isJSON: file.json).run()
    }

    private func choice() throws(UsageError) -> CacheRemoveRun.Choice {
        let given = [!names.isEmpty, all, account != nil].count { $0 }
        guard given == 1 else {
            throw UsageError(
                given == 0
                    ? "expected a URL or an id, found none; see wharf cache ls, or give --all or --account"
                    : "expected URLs, --all or --account, found more than one of them; leave out the others")
        }
        if all { return .all }
        if let account { return .account(Account(account)) }
        var selectors: [CacheSelector] = []
        for name in names { selectors.append(try CacheSelector(name)) }
        return .selected(selectors)
    }
}

struct CachePruneCommand: CacheAction {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Remove stale, old or the least recently used answers.",
        usage: "wharf cache prune (--stale | --older-than <duration> | --to-bytes <bytes>) [options]",
        discussion: CacheHelp.prune
    )

    @OptionGroup var file: CacheFileOptions
    @OptionGroup var rules: CacheRuleOptions

    @Flag(help: "Remove the stale answers. Without a network they can't be used then.")
    var stale = false

    @Option(help: ArgumentHelp("Remove answers that arrived longer ago, such as 30d or 12h.", valueName: "duration"))
    var olderThan: String?

    @Option(
        help: ArgumentHelp(
            "Remove the least recently used answers until at most this size is kept, such as 100M.",
            valueName: "bytes"))
    var toBytes: String?

    @Flag(help: "Only say what would be removed.")
    var dryRun = false

    var access: SQLiteDataFile.Access { dryRun ? .reading : .writing }

    func validate() throws {
        do throws(UsageError) { _ = try rule() } catch { throw ValidationError(error.message) }
    }

    func run(on cache: OpenCache) async throws -> ProcessStatus {
        try await CachePruneRun(
            cache: cache, rule: try rule(), configuration: rules.configuration, isDryRun: dryRun, isJSON: file.json
        ).run()
    }

    private func rule() throws(UsageError) -> CachePruneRun.Rule {
        let given = [stale, olderThan != nil, toBytes != nil].count { $0 }
        guard given == 1 else {
            throw UsageError(
                given == 0
                    ? "expected --stale, --older-than or --to-bytes, found none; try --older-than 30d"
                    : "expected one of --stale, --older-than and --to-bytes, found more; prune once for each")
        }
        if let olderThan {
            guard let duration = DurationText.parse(olderThan) else {
                throw UsageError(
                    "--older-than: expected a number with s, min, h or d, found '\(olderThan)'; try --older-than 30d")
            }
            return .olderThan(duration)
        }
        if let toBytes {
            guard let bytes = ByteCount.parse(toBytes) else {
                throw UsageError("--to-bytes: expected a number of bytes, found '\(toBytes)'; try --to-bytes 100M")
            }
            return .toBytes(Int64(bytes))
        }
        return .stale
    }
}

struct CacheVerifyCommand: CacheAction {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Read each kept answer, and remove the damaged ones.",
        usage: "wharf cache verify [options]",
        discussion: CacheHelp.verify
    )

    @OptionGroup var file: CacheFileOptions

    var access: SQLiteDataFile.Access { .writing }

    func run(on cache: OpenCache) async throws -> ProcessStatus {
        try await CacheVerifyRun(cache: cache, isJSON: file.json).run()
    }
}
