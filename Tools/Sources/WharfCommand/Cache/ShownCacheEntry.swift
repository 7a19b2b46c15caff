import Wharf
import WharfCache
import WharfStorage

/// A kept answer, for display.
struct ShownCacheEntry {
    static let heading = ["ID", "STATUS", "SIZE", "AGE", "FRESHNESS", "ACCOUNT", "URL"]

    let entry: CacheEntry
    let assessment: CacheAssessment
    /// Whether secrets are shown.
    let reveals: Bool

    init(_ entry: CacheEntry, by configuration: CacheConfiguration, at now: WallTime, reveals: Bool) {
        self.entry = entry
        self.reveals = reveals
        assessment = CacheAssessment(entry.head, by: configuration, at: now)
    }

    var freshness: Freshness { assessment.freshness }

    /// The URL, and the method if it is not GET.
    var name: String { entry.key.method == "GET" ? url : "\(entry.key.method) \(url)" }

    var url: String { reveals ? entry.key.target : Target.shown(stored: entry.key.target) }

    /// The time until the answer is stale; negative for the time since then.
    var remaining: Duration { freshness.freshnessLifetime - freshness.currentAge }

    var freshnessText: String {
        if freshness.basis == .none { return "no lifetime" }
        guard freshness.isFresh else { return "stale for \(Plain.duration(freshness.staleness))" }
        let time = "fresh for \(Plain.duration(remaining))"
        // Such as no-cache, which demands revalidation even of a fresh answer.
        return assessment.use == .fresh ? time : "\(time), revalidated"
    }

    // MARK: A list

    var row: [String] {
        [
            "\(entry.id)", "\(entry.head.response.status.code)", Plain.bytes(entry.bodyLength),
            Plain.duration(freshness.currentAge), freshnessText, entry.key.account?.name ?? "-", name,
        ]
    }

    /// The line for another program, with tabs between the fields.
    var line: String {
        [
            "\(entry.id)", "\(entry.head.response.status.code)", "\(entry.bodyLength)",
            "\(freshness.currentAge.components.seconds)", "\(remaining.wholeSeconds)",
            entry.key.account?.name ?? "-", name,
        ].map(Plain.shown).joined(separator: "\t")
    }

    var json: JSONObject {
        var object = JSONObject()
        object.add("id", Int(entry.id))
        object.add("url", url)
        object.add("method", entry.key.method)
        object.add("account", entry.key.account?.name)
        object.add("status", entry.head.response.status.code)
        object.add("bytes", Int(entry.byteCount))
        object.add("bodyBytes", Int(entry.bodyLength))
        object.add("storedAt", Plain.time(entry.head.respondedAt))
        object.add("ageSeconds", Int(freshness.currentAge.components.seconds))
        object.add("freshSeconds", Int(remaining.wholeSeconds))
        object.add("fresh", freshness.isFresh)
        return object
    }
}

extension Duration {
    /// The seconds, rounded up: only a fresh answer has more than 0.
    fileprivate var wholeSeconds: Int64 {
        let (seconds, attoseconds) = components
        return attoseconds > 0 ? seconds + 1 : seconds
    }
}
