internal import WharfCache
internal import WharfCore
internal import WharfJSON
internal import WharfStorage

/// A kept answer on the admin page: its age, and the reason why it is kept.
struct EntryReport: Sendable, JSONEncodable {
    let id: Int64
    let method: String
    /// The URL without its query, which may hold secrets.
    let url: String
    let hasQuery: Bool
    /// Whether it is kept for one account.
    let isPrivate: Bool
    let status: Int
    let byteCount: Int64
    /// `current_age` of RFC 9111 §4.2.3.
    let age: Duration
    /// The time until it is stale; negative since it is.
    let freshFor: Duration
    let reason: String

    init(_ entry: CacheEntry, by configuration: CacheConfiguration, at now: WallTime) {
        let assessment = CacheAssessment(entry.head, by: configuration, at: now)
        let freshness = assessment.freshness
        id = entry.id
        method = entry.key.method
        (url, hasQuery) = Self.shown(entry.key.target)
        isPrivate = entry.key.account != nil
        status = entry.head.response.status.code
        byteCount = entry.byteCount
        age = freshness.currentAge
        freshFor = freshness.freshnessLifetime - freshness.currentAge
        reason = Self.reason(assessment, isValidated: entry.head.hasValidator)
    }

    /// Returns the URL without the parts that may hold secrets, the user and the query.
    private static func shown(_ target: String) -> (url: String, hasQuery: Bool) {
        let url = target.prefix { $0 != "?" }
        let isWhole = url.endIndex == target.endIndex
        guard let start = url.firstRange(of: "://")?.upperBound else { return (String(url), !isWhole) }
        let authority = url[start...].prefix { $0 != "/" }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        return ("\(url[..<start])\(host)\(url[authority.endIndex...])", !isWhole)
    }

    /// - Parameter isValidated: whether the origin can confirm the answer by a 304.
    private static func reason(_ assessment: CacheAssessment, isValidated: Bool) -> String {
        switch assessment.use {
        case .fresh, .stale: return "answers until it is stale (\(assessment.freshness.basis.lifetime))"
        case .staleWhileRevalidating: return "answers while it is revalidated (stale-while-revalidate)"
        case .refused:
            if case .refused(let reason, let section) = assessment.useWhenUnreachable {
                return "\(isValidated ? "kept to be revalidated" : "never used again"): \(reason) (\(section))"
            }
            return "kept \(isValidated ? "to be revalidated, and " : "")to answer if the origin can't be reached"
        }
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("id", id)
        json.field("method", method)
        json.field("url", url)
        json.field("hasQuery", hasQuery)
        json.field("isPrivate", isPrivate)
        json.field("status", status)
        json.field("bytes", byteCount)
        json.field("age", age.wholeSeconds)
        json.field("freshFor", freshFor.wholeSeconds)
        json.field("isFresh", freshFor > .zero)
        json.field("reason", reason)
        json.endObject()
    }
}

/// A page of kept answers.
struct EntryPage: Sendable, JSONEncodable {
    let entries: [EntryReport]
    /// The parameter `after` for the next page; nil if this is the last one.
    let next: Int64?

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("entries", entries)
        json.fieldIfPresent("next", next)
        json.endObject()
    }
}

extension StoredHead {
    /// Whether it has a field by which the origin can confirm it (RFC 9110 §8.8).
    fileprivate var hasValidator: Bool {
        response.headerFields[.eTag] != nil || response.headerFields[.lastModified] != nil
    }
}

extension Freshness.Basis {
    /// The source of the lifetime, in words.
    fileprivate var lifetime: String {
        switch self {
        case .heuristic: "a tenth of the time since its last change"
        case .none: "no lifetime"
        default: rawValue
        }
    }
}
