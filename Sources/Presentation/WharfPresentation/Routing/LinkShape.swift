/// A pattern without the types of its values: its hosts, path and query.
struct LinkShape: Sendable {
    /// One part of a path.
    enum Part: Sendable {
        case text(String)
        case value(Kind)
        /// All remaining parts. No other part follows.
        case rest
    }

    /// One item of a query.
    struct Item: Sendable {
        enum Content: Sendable {
            case text(String)
            case required(Kind)
            case optional(Kind)
        }

        let name: String
        let content: Content
    }

    /// A `LinkValue` without its type.
    struct Kind: Sendable {
        let expected: String
        /// Whether every text is a value, as for `LinkValue.string`.
        let acceptsAny: Bool
        let accepts: @Sendable (String) -> Bool

        init(_ value: LinkValue<some Sendable>) {
            expected = value.expected
            acceptsAny = value.acceptsAny
            accepts = { value.parse($0) != nil }
        }
    }

    /// The hosts of the pattern, the canonical one first. Empty means the hosts of the table.
    var hosts: [Link.Site] = []
    private(set) var parts: [Part] = []
    private(set) var items: [Item] = []
    private(set) var takesRemainingQuery = false
    /// The names of query items that `remainingQuery()` excludes.
    var names: [String] { items.map(\.name) }

    private var endsInRest: Bool { if case .rest = parts.last { true } else { false } }

    mutating func append(_ part: Part) {
        precondition(!endsInRest, "rest() must be the last part of a path, but \(part) follows; put it before rest()")
        parts.append(part)
    }

    mutating func append(path: String) {
        guard !path.isEmpty else { return }
        for segment in path.split(separator: "/", omittingEmptySubsequences: false) {
            precondition(
                !["", ".", ".."].contains(segment),
                "expected a path such as \"films/popular\", without empty parts and dots, found \"\(path)\"")
            append(.text(String(segment)))
        }
    }

    mutating func append(_ item: Item) {
        precondition(
            !names.contains(item.name), "a pattern has the query name \"\(item.name)\" twice; name each query item once"
        )
        precondition(
            !takesRemainingQuery, "remainingQuery() must be last, but \"\(item.name)\" follows; put it before")
        items.append(item)
    }

    mutating func takeRemainingQuery() {
        precondition(!takesRemainingQuery, "a pattern has remainingQuery() twice; the first takes all remaining items")
        takesRemainingQuery = true
    }

    /// Returns whether a path has the fixed parts, and a part for each value.
    ///
    /// An empty segment never fits.
    func fits(_ path: [String]) -> Bool {
        guard endsInRest ? path.count >= parts.count - 1 : path.count == parts.count else { return false }
        // An empty segment can't be printed, so it must not be parsed either.
        return path.allSatisfy { !$0.isEmpty }
            && zip(path, parts).allSatisfy { found, part in
                if case .text(let expected) = part { found == expected } else { true }
            }
    }

    /// The fixed parts, with empty texts as placeholders of values.
    var draft: LinkDraft {
        LinkDraft(
            path: parts.compactMap { part in
                switch part {
                case .text(let text): text
                case .value: ""
                case .rest: nil
                }
            })
    }
}

/// A partly printed link, without scheme and host.
struct LinkDraft {
    var path: [String]
    var query: [Link.QueryItem] = []
}

extension LinkShape: CustomStringConvertible {
    var description: String {
        let path = parts.map { "/\($0)" }.joined()
        let query = items.map(\.description) + (takesRemainingQuery ? ["*"] : [])
        return (hosts.first?.description ?? "") + (path.isEmpty ? "/" : path)
            + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }
}

extension LinkShape.Part: CustomStringConvertible {
    var description: String {
        switch self {
        case .text(let text): text
        case .value(let kind): "{\(kind.expected)}"
        case .rest: "**"
        }
    }
}

extension LinkShape.Item: CustomStringConvertible {
    var description: String {
        switch content {
        case .text(let text): "\(name)=\(text)"
        case .required(let kind): "\(name)={\(kind.expected)}"
        case .optional(let kind): "\(name)={\(kind.expected)}?"
        }
    }
}
