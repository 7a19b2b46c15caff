import ArgumentParser
import Wharf
import WharfJSON

/// The options of `wharf get` as written. ``plan(reading:)`` validates them.
struct GetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Read a URL; if the network fails, answer from the cache.",
        usage: "wharf get <url> [options]",
        discussion: HelpText.get
    )

    // An array, so that the error about a second argument is this command's own. The parser's would
    // repeat it, and it may be part of an unquoted credential.
    @Argument(help: ArgumentHelp("An absolute http, https or file URL.", valueName: "url"))
    var urls: [String] = []

    @Option(
        name: .customShort("H", allowingJoined: true), parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A field to send; may be repeated. 'Name:' leaves out one that wharf adds, 'Name;' sends an empty one.",
            valueName: "'Name: value'"))
    var fields: [String] = []

    @Option(
        name: [.customShort("X", allowingJoined: true), .customLong("request")], parsing: .unconditional,
        help: ArgumentHelp("The method; by default GET, or POST with -d.", valueName: "method"))
    var method: String?

    @Option(
        name: [.customShort("d", allowingJoined: true), .customLong("data")], parsing: .unconditional,
        help: ArgumentHelp(
            "A body to send; @FILE reads it from a file, @- from standard input, byte for byte. Its Content-Type is "
                + "application/x-www-form-urlencoded unless -H says otherwise.", valueName: "body|@file"))
    var body: String?

    @Option(help: ArgumentHelp("How to use the cache; see POLICIES.", valueName: "policy"))
    var policy = ReadPolicy.standard.name

    @Option(
        name: .customLong("cache"),
        help: ArgumentHelp(
            "The file of the cache; by default cache.sqlite in the folder wharf of the user's cache directory "
                + "($XDG_CACHE_HOME or ~/.cache; ~/Library/Caches on macOS).", valueName: "file"))
    var cacheFile: String?

    @Option(
        help: ArgumentHelp(
            "The account that owns the data. Without it, answers to requests with Authorization or Cookie aren't kept.",
            valueName: "name")
    )
    var account: String?

    @Option(
        help: ArgumentHelp(
            "The longest time from sending to the last byte of the body; by default 60.", valueName: "seconds"))
    var timeout: String?

    @Option(
        help: ArgumentHelp(
            "The longest body to read: a number, with K, M, G (1024) or KB, MB, GB (1000). No limit when not given, "
                + "with --json 64M.", valueName: "bytes"))
    var maxSize: String?

    @Flag(
        name: [.customShort("i"), .customLong("include")], help: "Print status line and fields before the body.")
    var includesHead = false

    @Flag(help: "Add Cache-Status (RFC 9211) and the freshness arithmetic to standard error.")
    var explain = false

    @Flag(help: "Print one JSON object; with cache-then-network one for each answer, a line each.")
    var json = false

    @Flag(help: "Exit 3 if the value is stale and the server did not revalidate it in this read.")
    var strict = false

    @Option(
        name: [.customShort("o", allowingJoined: true), .customLong("output")], parsing: .unconditional,
        help: ArgumentHelp(
            "Write to a file, which is replaced only when the body is complete.", valueName: "file"))
    var output: String?

    func validate() throws {
        // All checks that need no reading are made here, because the parser then shows the right
        // command's usage. Several URLs may be the rest of an unknown option, which the parser
        // reports.
        guard urls.count <= 1 else { return }
        do throws(UsageError) {
            _ = try plan { _ in [] }
        } catch {
            throw ValidationError(error.message)
        }
    }

    /// - Parameter body: reads the body that `-d` names.
    func plan(
        _ read: (BodyArgument) throws(UsageError) -> [UInt8]
    ) throws(UsageError) -> GetPlan {
        guard let url = urls.first, urls.count == 1 else {
            throw UsageError(
                urls.isEmpty
                    ? "expected a URL, found none; try wharf get https://example.com/"
                    : "expected one URL, found \(urls.count) arguments; quote spaces, as in -H 'Name: value'"
            )
        }
        let target = try Target(url)
        guard !(json && includesHead) else {
            throw UsageError("expected -i or --json, found both; leave out -i, because the JSON object has the status")
        }
        let payload = try body.map { text throws(UsageError) in try BodyArgument(text) }
        var fields = try FieldArguments(self.fields)
        fields.setDefault(.userAgent, "wharf/\(Version.number)")
        fields.setDefault(.accept, "*/*")
        if payload != nil { fields.setDefault(.contentType, "application/x-www-form-urlencoded") }
        let head = HTTPRequest(
            method: try verb(), scheme: target.scheme, authority: target.authority, path: target.pathAndQuery,
            headerFields: fields.fields)
        let request = TransportRequest(
            head, body: try payload.map { payload throws(UsageError) in .bytes(try read(payload)) } ?? .none,
            account: account.map { Account($0) }, timeout: try duration())
        return GetPlan(
            target: target, request: request, policy: try readPolicy(), cache: try location(), maxSize: try limit(),
            form: json ? .json : includesHead ? .headAndBody : .body, explains: explain, isStrict: strict,
            file: try file(),
            isUnowned: account == nil && fields.hasCredentials)
    }

    private func verb() throws(UsageError) -> HTTPRequest.Method {
        guard let method else { return body == nil ? .get : .post }
        guard let verb = HTTPRequest.Method(method) else {
            throw UsageError("-X: expected a method such as GET or DELETE, found '\(method)'")
        }
        return verb
    }

    private func readPolicy() throws(UsageError) -> ReadPolicy {
        guard let policy = ReadPolicy(name: policy) else {
            let names = ReadPolicy.all.map(\.name).joined(separator: ", ")
            throw UsageError("--policy: expected one of \(names), found '\(policy)'")
        }
        return policy
    }

    private func duration() throws(UsageError) -> Duration {
        guard let timeout else { return .seconds(60) }
        guard let seconds = Double(timeout), seconds > 0, seconds <= 1e9 else {
            throw UsageError("--timeout: expected a number of seconds above 0, found '\(timeout)'; try --timeout 10")
        }
        return .seconds(seconds)
    }

    private func limit() throws(UsageError) -> Int? {
        guard let maxSize else { return nil }
        guard let bytes = ByteCount.parse(maxSize) else {
            throw UsageError("--max-size: expected a number of bytes, found '\(maxSize)'; try --max-size 10M")
        }
        return bytes
    }

    private func location() throws(UsageError) -> CacheLocation {
        guard let cacheFile else { return .caches(name: "wharf") }
        guard !cacheFile.isEmpty, !cacheFile.hasSuffix("/") else {
            throw UsageError("--cache: expected the name of a file, found '\(cacheFile)'")
        }
        return .file(cacheFile)
    }

    private func file() throws(UsageError) -> String? {
        guard let output else { return nil }
        guard !output.isEmpty, !output.hasSuffix("/") else {
            throw UsageError("-o: expected the name of a file, found '\(output)'; add a name to the folder")
        }
        return output == "-" ? nil : output
    }
}
