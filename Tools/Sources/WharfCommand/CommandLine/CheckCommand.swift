import ArgumentParser

/// The options of `wharf check` as written. ``plan()`` validates them.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Decode payloads with your own types, and report every error in them.",
        usage: "wharf check --sources <folder> --type <name> [<file>|<url>|-] ... [options]",
        discussion: CheckHelp.check
    )

    @Argument(
        help: ArgumentHelp(
            "Payloads: files, URLs, or - for standard input, which is the default. A URL is requested from its "
                + "server; if that fails, Wharf's cache answers.", valueName: "file|url|-"), completion: .file())
    var payloads: [String] = []

    @Option(
        help: ArgumentHelp(
            "The folder of the Swift files with the type, as in your app; subfolders count. The files may import "
                + "Foundation, WharfJSON, and other modules of this machine's Swift.", valueName: "folder"),
        completion: .directory)
    var sources: String?

    @Option(
        help: ArgumentHelp(
            "A type in them that is Decodable, or WharfJSON's JSONDecodable: Feed, Feed.Page, '[BlogPost]'.",
            valueName: "name"))
    var type: String?

    @Flag(name: .customLong("print"), help: "Print each payload's value as Swift prints it.")
    var printsValues = false

    @Option(
        help: ArgumentHelp("A Swift file of rules that values must obey; see RULES.", valueName: "file"),
        completion: .file(extensions: ["swift"]))
    var rules: String?

    @Option(
        help: ArgumentHelp("A Swift file that configures your app's JSONDecoder; see DECODER.", valueName: "file"),
        completion: .file(extensions: ["swift"]))
    var decoder: String?

    @Option(
        help: ArgumentHelp("The format of the report: text, json, sarif or junit.", valueName: "format"),
        completion: .list(CheckPlan.formats))
    var format = CheckPlan.formats[0]

    @Flag(
        help:
            "Report errors that decoders accept: duplicate keys, and commas before the end of an array or object."
    )
    var strict = false

    @Flag(name: .customLong("ignored-keys"), help: "Report keys that no type reads, too; they are not errors.")
    var tellsIgnoredKeys = false

    @Flag(name: .customLong("lines"), help: "Read each line of a payload as a separate document (JSON Lines).")
    var isByLines = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Report at most this number of errors, and count the others.", valueName: "number"))
    var maxErrors: String?

    @Option(
        name: .customLong("cache"),
        help: ArgumentHelp("The file of the cache for URLs; see wharf get --help.", valueName: "file"),
        completion: .file())
    var cacheFile: String?

    func validate() throws {
        do throws(UsageError) {
            _ = try plan()
        } catch {
            throw ValidationError(error.message)
        }
    }

    func plan() throws(UsageError) -> CheckPlan {
        let example = "try wharf check --sources Sources/Models --type Feed feed.json"
        guard let sources, !sources.isEmpty else {
            throw UsageError("expected --sources, found none; \(example)")
        }
        guard let type, !type.allSatisfy(\.isWhitespace) else {
            throw UsageError("expected --type, found none; \(example)")
        }
        guard CheckPlan.isType(type) else {
            throw UsageError("--type: expected the name of a type, such as Feed.Page or '[BlogPost]', found '\(type)'")
        }
        guard CheckPlan.formats.contains(format) else {
            throw UsageError(
                "--format: expected one of \(CheckPlan.formats.joined(separator: ", ")), found '\(format)'")
        }
        var options = ["--type-name", type]
        if printsValues { options.append("--print") }
        if format != CheckPlan.formats[0] { options += ["--format", format] }
        if strict { options.append("--strict") }
        if tellsIgnoredKeys { options.append("--ignored-keys") }
        if isByLines { options.append("--lines") }
        if let maxErrors {
            guard let number = Int(maxErrors), number > 0 else {
                throw UsageError(
                    "--max-errors: expected a whole number above 0, found '\(maxErrors)'; try --max-errors 20")
            }
            options += ["--max-errors", "\(number)"]
        }
        return CheckPlan(
            folder: FilePath.argument(FilePath.withoutSlash(sources)), type: type, rules: try file(rules, "--rules"),
            decoder: try file(decoder, "--decoder"),
            options: options, payloads: try documents(), cacheFile: cacheFile)
    }

    private func documents() throws(UsageError) -> [SampleSource] {
        for payload in payloads {
            guard !payload.isEmpty else { throw UsageError("expected the name of a file, found an empty one") }
            guard payload.contains("://") else { continue }
            let target = try Target(payload)
            guard target.authority != nil else {
                throw UsageError("expected a file, or an http or https URL, found '\(payload)'; leave out file://")
            }
        }
        return try SampleSource.all(payloads)
    }

    private func file(_ path: String?, _ option: String) throws(UsageError) -> String? {
        guard let path else { return nil }
        guard path.hasSuffix(".swift") else {
            throw UsageError("\(option): expected a Swift file, found '\(path)'; its name has to end with .swift")
        }
        return path
    }
}

/// The validated options of one `wharf check`.
struct CheckPlan: Sendable {
    static let formats = ["text", "json", "sarif", "junit"]

    /// The folder of the user's Swift files, without a slash at its end.
    var folder: String
    /// An expression that names a type.
    var type: String
    var rules: String?
    var decoder: String?
    /// The options passed on to the check program.
    var options: [String]
    var payloads: [SampleSource]
    /// The cache file; nil for the default one.
    var cacheFile: String?

    /// Returns whether a text is safe to insert into a program in place of a type.
    ///
    /// The compiler decides whether such a type exists.
    static func isType(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isXIDContinue || "._[]<>:?,& `()".unicodeScalars.contains(scalar)
        }
    }
}
