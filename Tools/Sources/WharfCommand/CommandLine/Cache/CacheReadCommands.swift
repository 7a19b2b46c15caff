import ArgumentParser
import Wharf
import WharfSQLite

struct CacheListCommand: CacheAction {
    static let configuration = CommandConfiguration(
        commandName: "ls",
        abstract: "List kept answers, the most recently used first.",
        usage: "wharf cache ls [<pattern>] [options]",
        discussion: CacheHelp.list
    )

    @Argument(
        help: ArgumentHelp("Only URLs that contain this text; * stands for any characters.", valueName: "pattern"))
    var pattern: String?

    @OptionGroup var file: CacheFileOptions
    @OptionGroup var rules: CacheRuleOptions

    @Flag(help: "Only stale answers.")
    var stale = false

    @Option(help: ArgumentHelp("List at most this number of answers.", valueName: "number"))
    var limit: Int?

    @Flag(help: "Show the values of queries.")
    var reveal = false

    @Flag(name: .customLong("no-pager"), help: "Don't start a pager on a terminal.")
    var isWithoutPager = false

    var access: SQLiteDataFile.Access { .reading }

    func validate() throws {
        if let limit, limit < 1 {
            throw ValidationError("--limit: expected a number of answers above 0, found '\(limit)'; try --limit 100")
        }
    }

    func run(on cache: OpenCache) async throws -> ProcessStatus {
        try await CacheListRun(
            cache: cache, pattern: pattern.map { URLPattern($0) }, isStaleOnly: stale, limit: limit,
            configuration: rules.configuration, reveals: reveal, isWithoutPager: isWithoutPager, isJSON: file.json
        ).run()
    }
}

struct CacheShowCommand: CacheAction {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the kept answers of a URL: fields, size, and how their freshness is calculated.",
        usage: "wharf cache show <url|id> [options]",
        discussion: CacheHelp.show
    )

    @Argument(help: ArgumentHelp("A URL, or the id of an answer, as ls prints it.", valueName: "url|id"))
    var name: String

    @OptionGroup var file: CacheFileOptions
    @OptionGroup var rules: CacheRuleOptions

    @Flag(help: "Write the body alone, byte for byte.")
    var body = false

    @Flag(help: "Show secrets too: cookies, credentials and the values of queries.")
    var reveal = false

    var access: SQLiteDataFile.Access { .reading }

    func validate() throws {
        do throws(UsageError) { _ = try CacheSelector(name) } catch { throw ValidationError(error.message) }
        if body, file.json {
            throw ValidationError("expected --body or --json, found both; leave one out")
        }
    }

    func run(on cache: OpenCache) async throws -> ProcessStatus {
        try await CacheShowRun(
            cache: cache, selector: try CacheSelector(name), configuration: rules.configuration, reveals: reveal,
            form: body ? .body : file.json ? .json : .text
        ).run()
    }
}

struct CacheStatisticsCommand: CacheAction {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Count the kept answers, their bytes, and the hosts with most of them.",
        usage: "wharf cache stats [options]",
        discussion: CacheHelp.statistics
    )

    @OptionGroup var file: CacheFileOptions
    @OptionGroup var rules: CacheRuleOptions

    var access: SQLiteDataFile.Access { .reading }

    func run(on cache: OpenCache) async throws -> ProcessStatus {
        try await CacheStatisticsRun(cache: cache, configuration: rules.configuration, isJSON: file.json).run()
    }
}
