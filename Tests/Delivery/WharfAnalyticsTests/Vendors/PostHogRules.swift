import Foundation
import WharfCore
import WharfJSON
import WharfTestServer

/// The rules of PostHog's `POST /batch/`, from its documentation.
///
/// - https://posthog.com/docs/api/capture, https://posthog.com/docs/data/sessions
/// - https://posthog.com/docs/data/ingestion-warnings: UUIDs, and 1 MB for an event
/// - `sent_at`, `uuid` and the coding gzip are in its capture service and its SDKs.
enum PostHogRules {
    static let requestLimit = 20_000_000
    static let eventLimit = 1_000_000

    static func violations(of request: TestRequest, body: [UInt8], apiKey: String) -> [String] {
        var violations: [String] = []
        if request.method != .post || request.target != "/batch/" { violations.append("not POST /batch/") }
        if request.fields[.contentType] != "application/json" { violations.append("Content-Type") }
        if let key = HTTPField.Name("Idempotency-Key"), request.fields[key] != nil { violations.append("\(key)") }
        return violations + self.violations(of: body, apiKey: apiKey)
    }

    static func violations(of body: [UInt8], apiKey: String) -> [String] {
        guard body.count <= requestLimit else { return ["\(body.count) bytes"] }
        let value: JSONValue
        do { value = try JSON.decode(JSONValue.self, from: body) } catch { return ["\(error)"] }
        let batch = ObjectRules(
            required: ["api_key": .exactly(apiKey), "batch": .array],
            optional: ["historical_migration": .bool, "sent_at": .timestamp])
        let events = value["batch"]?.elements ?? []
        return batch.violations(of: value, at: "body")
            + events.enumerated().flatMap { violations(of: $1, at: "batch[\($0)]") }
    }

    private static let event = ObjectRules(
        required: ["event": .text, "distinct_id": .text],
        optional: ["properties": .object, "timestamp": .timestamp, "uuid": .uuid])

    private static func violations(of value: JSONValue, at path: String) -> [String] {
        var violations = event.violations(of: value, at: path)
        if value.byteCount > eventLimit { violations.append("\(path): \(value.byteCount) bytes") }
        guard let name = value["event"]?.text, let properties = value["properties"] else { return violations }
        var rules = reserved
        if let own = required[name] { rules.required.merge(own) { $1 } }
        violations += rules.violations(of: properties, at: "\(path).properties")
        violations += persons(name, properties, at: path)
        for key in ["$anon_distinct_id", "alias"] where properties[key]?.text == value["distinct_id"]?.text {
            violations.append("\(path): \(key) is the distinct_id")
        }
        if let session = properties["$session_id"]?.text, let time = value["timestamp"]?.text,
            !isSession(session, at: time)
        {
            violations.append("\(path): the session is not of the day before its event")
        }
        return violations
    }

    /// The properties that have a meaning to PostHog.
    private static let reserved = ObjectRules(
        optional: [
            "$lib": .text, "$groups": .texts, "$set": .object, "$set_once": .object, "$anon_distinct_id": .text,
            "$process_person_profile": .bool,
            "$session_id": FieldRule("a UUID of version 7") {
                FieldRule.uuid.accepts($0) && $0.text?.dropFirst(14).first == "7"
            },
        ], allowsOthers: true)

    private static let required: [String: [String: FieldRule]] = [
        "$identify": ["$set": .object],
        "$create_alias": ["alias": .text],
        "$groupidentify": ["$group_type": .text, "$group_key": .text, "$group_set": .object],
        "$screen": ["$screen_name": .text],
    ]

    /// Checks that an event about a person has one.
    private static func persons(_ name: String, _ properties: JSONValue, at path: String) -> [String] {
        guard properties["$process_person_profile"] == false else { return [] }
        let needs =
            ["$identify", "$create_alias", "$groupidentify"].contains(name)
            || ["$set", "$set_once", "$groups"].contains { properties[$0] != nil }
        return needs ? ["\(path): \(name) needs a person"] : []
    }

    /// Whether the session began at or before the event, and less than 24 hours earlier.
    private static func isSession(_ id: String, at time: String) -> Bool {
        guard let began = Int64(id.replacing("-", with: "").prefix(12), radix: 16), let time = milliseconds(time)
        else { return false }
        return (0..<86_400_000).contains(time - began)
    }

    private static func milliseconds(_ time: String) -> Int64? {
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: time.contains("."))
        return (try? format.parse(time)).map { Int64(($0.timeIntervalSince1970 * 1_000).rounded()) }
    }
}
