import Wharf
import WharfCache
import WharfStorage

/// The text and the object of `wharf cache show`.
extension ShownCacheEntry {
    private var response: HTTPResponse { entry.head.response }

    // MARK: Text

    var details: [String] {
        var table = TextTable()
        return table.lines(facts) + ["", "fields:"] + shown(response.headerFields).map { "  \($0.name): \($0.value)" }
            + ["", "freshness, by \(freshness.basis.section):"] + Explanation.arithmetic(freshness) + ["", "use:"]
            + uses
    }

    private var facts: [[String]] {
        var facts = [["id", "\(entry.id)"], ["url", name]]
        if let account = entry.key.account { facts.append(["account", account.name]) }
        if let site = entry.key.topLevelSite { facts.append(["top-level site", site.name]) }
        facts += [
            ["status", Plain.status(response.status)], ["stored", Plain.time(entry.head.respondedAt)],
            ["body", "\(Plain.bytes(entry.bodyLength))\(coding.map { ", \($0)" } ?? "")"],
            ["counts", "\(Plain.bytes(entry.byteCount)) with key and head"],
        ]
        if let vary = response.headerFields[.vary] {
            let values = shown(entry.head.varying).map { "\($0.name): \($0.value)" }
            facts.append(["varies by", "\(vary)\(values.isEmpty ? "" : " (\(values.joined(separator: ", ")))")"])
        }
        facts.append(["directives", directives.isEmpty ? "none" : directives])
        return facts
    }

    /// The encoding of the stored body; nil if it has none.
    var coding: String? { response.headerFields[.contentEncoding] }

    private var directives: String {
        let names = [HTTPField.Name.cacheControl, HTTPField.Name("CDN-Cache-Control")].compactMap(\.self)
        return names.compactMap { name in
            response.headerFields[name].map { name == .cacheControl ? $0 : "\(name): \($0)" }
        }.joined(separator: "; ")
    }

    private var uses: [String] {
        var table = TextTable()
        return table.lines([
            ["  without asking the origin", assessment.use.text],
            ["  if the origin is unreachable", assessment.useWhenUnreachable.text],
            ["  if it answers 500, 502, 503, 504", assessment.useAfterServerFailure.text],
        ])
    }

    private func shown(_ fields: HTTPFields) -> [(name: String, value: String)] {
        fields.map { field in
            let name = Plain.shown(field.name.rawName)
            if reveals { return (name, Plain.shown(field.value)) }
            if field.name.isSecret { return (name, "***") }
            let hasURL = ["location", "content-location", "link", "referer", "refresh"]
                .contains(field.name.canonicalName)
            return (name, Plain.shown(hasURL ? Target.shown(field.value) : field.value))
        }
    }

    // MARK: JSON

    var detailedJSON: JSONObject {
        var object = json
        object.add("fields", shown(response.headerFields).map(Self.pair))
        object.add("varying", shown(entry.head.varying).map(Self.pair))
        object.add("freshness", arithmetic.bytes)
        object.add("use", assessment.use.json.bytes)
        object.add("useWhenUnreachable", assessment.useWhenUnreachable.json.bytes)
        object.add("useAfterServerFailure", assessment.useAfterServerFailure.json.bytes)
        return object
    }

    private var arithmetic: JSONObject {
        var object = JSONObject()
        object.add("apparentAgeSeconds", json: Plain.seconds(freshness.apparentAge))
        object.add("correctedAgeSeconds", json: Plain.seconds(freshness.correctedAge))
        object.add("residentSeconds", json: Plain.seconds(freshness.residentTime))
        object.add("currentAgeSeconds", json: Plain.seconds(freshness.currentAge))
        object.add("lifetimeSeconds", json: Plain.seconds(freshness.freshnessLifetime))
        object.add("basis", freshness.basis.rawValue)
        object.add("section", freshness.basis.section)
        return object
    }

    private static func pair(_ field: (name: String, value: String)) -> JSONObject {
        var object = JSONObject()
        object.add("name", field.name)
        object.add("value", field.value)
        return object
    }
}

extension Freshness.Basis {
    /// The section that defines the lifetime.
    fileprivate var section: String {
        switch self {
        case .sharedMaxAge: "RFC 9111 §5.2.2.10"
        case .maxAge: "RFC 9111 §5.2.2.1"
        case .expires: "RFC 9111 §5.3"
        case .heuristic: "RFC 9111 §4.2.2"
        case .none: "RFC 9111 §4.2.1"
        }
    }
}

extension CacheAssessment.Use {
    fileprivate var text: String {
        switch self {
        case .fresh: "used, because it is fresh"
        case .stale: "used, although it is stale (RFC 9111 §4.2.4)"
        case .staleWhileRevalidating: "used while it is revalidated (RFC 5861 §3)"
        case .refused(let reason, let section): "not used: \(reason) (\(section))"
        }
    }

    fileprivate var json: JSONObject {
        var object = JSONObject()
        switch self {
        case .fresh: object.add("decision", "fresh")
        case .stale: object.add("decision", "stale")
        case .staleWhileRevalidating: object.add("decision", "stale-while-revalidating")
        case .refused(let reason, let section):
            object.add("decision", "refused")
            object.add("reason", reason)
            object.add("section", section)
        }
        return object
    }
}

extension HTTPField.Name {
    /// Whether the value is hidden.
    fileprivate var isSecret: Bool {
        let name = canonicalName
        let parts = [
            "authorization", "cookie", "token", "secret", "session", "password", "credential", "signature", "apikey",
            "jwt",
        ]
        if parts.contains(where: { name.contains($0) }) { return true }
        // Short words count only alone, as in X-Api-Key.
        return name.split { $0 == "-" || $0 == "_" }
            .contains { ["key", "keys", "auth", "sig", "sid", "otp", "pin"].contains($0) }
    }
}
