import ArgumentParser
import WharfGenerate

/// The options of `wharf generate` as written. ``plan()`` validates them.
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Generate Swift types from samples of JSON.",
        usage: "wharf generate --name <name> [<file>|<url>|-] ... [options]",
        discussion: HelpText.generate
    )

    @Argument(
        help: ArgumentHelp(
            "Samples of one kind of document: files, URLs, or - for standard input, which is the default. The types "
                + "fit all samples.", valueName: "file|url|-"))
    var samples: [String] = []

    @Option(help: ArgumentHelp("The name of the document's type.", valueName: "name"))
    var name: String?

    @Flag(name: .customLong("codable"), help: "Codable types, which do not need Wharf; this is the default.")
    var isCodable = false

    @Flag(name: .customLong("direct"), help: "Types that WharfJSON reads directly, several times as fast.")
    var isDirect = false

    @Flag(
        name: .customLong("domain"),
        help: "Add domain values without JSON, and their conversions from and to the payloads.")
    var hasDomain = false

    @Flag(name: .customLong("repository"), help: "Add a repository of the domain values, which need an id.")
    var hasRepository = false

    @Flag(name: .customLong("tests"), help: "Add a test that decodes the samples, encodes them and compares.")
    var hasTests = false

    @Option(help: ArgumentHelp("internal, package or public.", valueName: "level"))
    var access = GenerationOptions.Access.internal.rawValue

    @Flag(name: .customLong("class"), help: "Final classes in place of structs.")
    var usesClasses = false

    @Flag(name: .customLong("mutable"), help: "Properties that are var in place of let.")
    var isMutable = false

    @Flag(name: .customLong("no-sendable"), help: "Leave out Sendable.")
    var isNotSendable = false

    @Option(help: ArgumentHelp("The prefix of each type's name.", valueName: "letters"))
    var prefix = ""

    @Option(
        help: ArgumentHelp(
            "Words to write in capitals, separated by commas; id, url and others by default, '' for none.",
            valueName: "words"))
    var acronyms: String?

    @Option(
        help: ArgumentHelp(
            "The key that distinguishes the kinds of objects, if the samples don't show it.", valueName: "key"))
    var discriminator: String?

    @Flag(name: .customLong("no-unions"), help: "One struct of optionals, and no enum, for objects of several kinds.")
    var hasNoUnions = false

    @Option(
        name: .customLong("cache"),
        help: ArgumentHelp("The file of the cache for URLs; see wharf get --help.", valueName: "file"))
    var cacheFile: String?

    @Option(
        name: [.customShort("o", allowingJoined: true), .customLong("output")], parsing: .unconditional,
        help: ArgumentHelp(
            "Write to a file, or in a folder to a file for each part. A file is replaced only when it is complete.",
            valueName: "file|folder"))
    var output: String?

    func validate() throws {
        do throws(UsageError) {
            _ = try plan()
        } catch {
            throw ValidationError(error.message)
        }
    }

    func plan() throws(UsageError) -> GeneratePlan {
        guard let name, name.contains(where: \.isLetter) else {
            throw UsageError(
                self.name.map { "--name: expected a name with a letter, found '\($0)'" }
                    ?? "expected --name, found none; try wharf generate feed.json --name Feed")
        }
        let sources = try SampleSource.all(samples)
        var options = GenerationOptions()
        guard !isCodable || !isDirect else { throw UsageError("expected --codable or --direct, found both") }
        options.form = isDirect ? .direct : .codable
        guard let access = GenerationOptions.Access(rawValue: access) else {
            let levels = GenerationOptions.Access.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("--access: expected one of \(levels), found '\(access)'")
        }
        options.access = access
        (options.usesClasses, options.isMutable, options.isSendable) = (usesClasses, isMutable, !isNotSendable)
        guard !usesClasses || !isMutable || isNotSendable else {
            throw UsageError(
                "expected --class or --mutable, found both: a mutable class is not Sendable; add --no-sendable"
            )
        }
        (options.hasDomain, options.hasRepository, options.hasTests) = (hasDomain, hasRepository, hasTests)
        guard !hasRepository || !isNotSendable else {
            throw UsageError(
                "expected --repository or --no-sendable, found both: the values of a repository are Sendable")
        }
        guard prefix.isEmpty || prefix.first?.isUppercase == true, prefix.allSatisfy({ $0.isLetter || $0.isNumber })
        else {
            throw UsageError("--prefix: expected a capital, and letters and digits after it, found '\(prefix)'")
        }
        options.prefix = prefix
        if let acronyms {
            options.acronyms = acronyms.split { $0 == "," || $0 == " " }.map(String.init)
        }
        guard discriminator == nil || !hasNoUnions else {
            throw UsageError("expected --discriminator or --no-unions, found both")
        }
        (options.discriminator, options.findsUnions) = (discriminator, !hasNoUnions)
        return GeneratePlan(
            sources: sources, name: name, options: options, cacheFile: cacheFile, output: try place())
    }

    private func place() throws(UsageError) -> String? {
        guard let output, output != "-" else { return nil }
        guard !output.isEmpty else { throw UsageError("-o: expected the name of a file or folder, found none") }
        return output
    }
}

/// The validated options of one `wharf generate`.
struct GeneratePlan: Sendable {
    var sources: [SampleSource]
    var name: String
    var options: GenerationOptions
    /// The cache file; nil for the default one.
    var cacheFile: String?
    /// A file or a folder; nil for standard output.
    var output: String?
}
