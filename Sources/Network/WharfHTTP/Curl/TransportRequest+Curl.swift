public import WharfCore

extension TransportRequest {
    /// The longest body of a command line: 1 MiB, half of the limit of Linux for all arguments.
    static let longestCurlBody = 1 << 20

    /// Returns a POSIX shell command that sends this request by curl 7.55 or later.
    ///
    /// Secrets are replaced by `***` unless `revealing` is true, so the command can go into a bug
    /// report:
    ///
    /// - the secret parts of the URL, as in a log,
    /// - the values of all fields except known harmless ones (`Accept`, `User-Agent`, …),
    /// - the body, of which only the length is shown. It is not read then.
    ///
    /// A text body is an argument (`--data-raw`). Binary data, or text that is too long for an
    /// argument, is written by `printf` into curl's input (`--data-binary @-`). `Accept` and
    /// `Content-Type`, which curl would add, are suppressed if the request has none. curl's own
    /// `User-Agent` is not suppressed. The command has no timeout, account or cache mode.
    ///
    /// - Parameter revealing: true for a command that sends the same request, with its secrets.
    /// - Throws: ``TransportError/Code/invalidRequest`` for a NUL outside of the body;
    ///   ``TransportError/Code/tooLarge`` for a body of more than 1 MiB; the errors of a streamed
    ///   body.
    public func curl(revealing: Bool = false) async throws(TransportError) -> String {
        var words = ["curl"]
        let body = try await CurlBody(body, revealing: revealing)
        // curl uses GET without a body and POST with one, so these need no `-X`.
        switch (head.method, body.isEmpty) {
        case (.get, true): break
        case (.head, true): words.append("--head")
        case (.post, false): break
        default: words += ["-X", try ShellWord.quoted(head.method.rawValue)]
        }
        words.append(try url(revealing: revealing))
        for field in head.headerFields {
            let value = revealing || HTTPField.Name.harmless.contains(field.name) ? field.value : "***"
            // "Name:" would remove the field; "Name;" sends it empty.
            words += ["-H", try ShellWord.quoted(value.isEmpty ? "\(field.name);" : "\(field.name): \(value)")]
        }
        if head.headerFields[.accept] == nil { words += ["-H", "Accept:"] }
        if !body.isEmpty, head.headerFields[.contentType] == nil { words += ["-H", "Content-Type:"] }
        return try body.command(words)
    }

    private func url(revealing: Bool) throws(TransportError) -> String {
        let url =
            revealing
            ? "\(head.scheme ?? "http")://\(head.authority ?? "")\(head.path ?? "/")" : head.redactedURL()
        var options: [String] = []
        // Without these options curl reads brackets as a pattern and resolves dot segments.
        if url.contains(where: { "[]{}".contains($0) }) { options.append("--globoff") }
        if url.contains("/.") { options.append("--path-as-is") }
        return (options + [try ShellWord.quoted(url)]).joined(separator: " ")
    }
}

/// A body on a command line.
private enum CurlBody {
    case none
    case text(String)
    case bytes([UInt8])

    /// Linux limits one argument to 128 KiB, with its terminator.
    private static let longestArgument = 100 << 10

    init(_ body: RequestBody, revealing: Bool) async throws(TransportError) {
        let bytes: [UInt8]
        switch (body, revealing) {
        case (.none, _):
            self = .none
            return
        case (.bytes(let given), false):
            self = .text("*** (\(given.count) bytes)")
            return
        case (.stream(_, let length), false):
            self = .text(length.map { "*** (\($0) bytes)" } ?? "***")
            return
        case (.bytes(let given), true): bytes = given
        case (.stream(let make, _), true): bytes = try await make().collect(upTo: TransportRequest.longestCurlBody)
        }
        guard bytes.count <= TransportRequest.longestCurlBody else {
            throw TransportError(
                .tooLarge,
                message: "the curl command can't be written: the body has \(bytes.count) bytes, and at most "
                    + "\(TransportRequest.longestCurlBody) fit; write the body to a file")
        }
        if bytes.count <= Self.longestArgument, !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self)
        {
            self = .text(text)
        } else {
            self = .bytes(bytes)
        }
    }

    var isEmpty: Bool {
        if case .none = self { true } else { false }
    }

    func command(_ words: [String]) throws(TransportError) -> String {
        switch self {
        case .none: words.joined(separator: " ")
        // With --data, a body that begins with "@" would name a file.
        case .text(let text): (words + ["--data-raw", try ShellWord.quoted(text)]).joined(separator: " ")
        case .bytes(let bytes):
            ([ShellWord.printing(bytes), "|"] + words + ["--data-binary", "@-"]).joined(separator: " ")
        }
    }
}
