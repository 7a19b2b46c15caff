import Foundation
import WharfCore
import WharfJSON
import WharfTestServer

/// The rules of Segment's HTTP tracking API, version 1, from its documentation.
///
/// - https://segment.com/docs/connections/sources/catalog/libraries/server/http-api/
/// - https://segment.com/docs/connections/spec/common/, and identify, track, screen, group, alias
///
/// `sentAt` is documented for each call. Segment's libraries send it once per batch.
enum SegmentRules {
    static let requestLimit = 500_000
    static let eventLimit = 32_000

    static func violations(of request: TestRequest, body: [UInt8], writeKey: String) -> [String] {
        var violations: [String] = []
        if request.method != .post || request.target != "/v1/batch" { violations.append("not POST /v1/batch") }
        if request.fields[.contentType] != "application/json" { violations.append("Content-Type") }
        if let key = HTTPField.Name("Idempotency-Key"), request.fields[key] != nil { violations.append("\(key)") }
        let credential = "Basic " + Data("\(writeKey):".utf8).base64EncodedString()
        if request.fields[.authorization] != credential { violations.append("Authorization") }
        return violations + self.violations(of: body)
    }

    static func violations(of body: [UInt8]) -> [String] {
        guard body.count <= requestLimit else { return ["\(body.count) bytes"] }
        let value: JSONValue
        do { value = try JSON.decode(JSONValue.self, from: body) } catch { return ["\(error)"] }
        let calls = value["batch"]?.elements ?? []
        var violations = batch.violations(of: value, at: "body") + context(of: value, at: "body")
        if calls.count > 2_500 { violations.append("\(calls.count) events") }
        let ids = calls.compactMap { $0["messageId"]?.text }
        if Set(ids).count != ids.count { violations.append("a messageId comes twice") }
        for (index, call) in calls.enumerated() { violations += self.violations(of: call, at: "batch[\(index)]") }
        return violations
    }

    private static let batch = ObjectRules(
        required: ["batch": .array],
        optional: ["sentAt": .timestamp, "context": .object, "integrations": .toggles])

    private static func violations(of call: JSONValue, at path: String) -> [String] {
        guard let type = call["type"]?.text, let own = calls[type] else { return ["\(path).type: unknown"] }
        var rules = ObjectRules(
            required: ["type": .text, "messageId": .text(below: 100), "timestamp": .timestamp],
            optional: ["userId": .text, "anonymousId": .text, "context": .object, "integrations": .toggles])
        rules.required.merge(own.required) { _, own in own }
        rules.optional.merge(own.optional) { _, own in own }
        var violations = rules.violations(of: call, at: path) + context(of: call, at: path)
        if call["userId"] == nil && call["anonymousId"] == nil { violations.append("\(path): no_user_anon_id") }
        if call.byteCount >= eventLimit { violations.append("\(path): \(call.byteCount) bytes") }
        return violations
    }

    private static let calls: [String: ObjectRules] = [
        "track": ObjectRules(required: ["event": .text], optional: ["properties": .object]),
        "screen": ObjectRules(optional: ["name": .text, "properties": .object]),
        "page": ObjectRules(optional: ["name": .text, "properties": .object]),
        "identify": ObjectRules(optional: ["traits": .object]),
        "group": ObjectRules(required: ["groupId": .text], optional: ["traits": .object]),
        "alias": ObjectRules(required: ["previousId": .text, "userId": .text]),
    ]

    private static func context(of value: JSONValue, at path: String) -> [String] {
        guard let context = value["context"] else { return [] }
        return contextRules.violations(of: context, at: "\(path).context")
            + (context["library"].map { library.violations(of: $0, at: "\(path).context.library") } ?? [])
    }

    private static let library = ObjectRules(required: ["name": .text], optional: ["version": .text])
    private static let contextRules = ObjectRules(optional: [
        "active": .bool, "app": .object, "campaign": .object, "device": .object, "ip": .text, "library": .object,
        "locale": .text, "location": .object, "network": .object, "os": .object, "page": .object,
        "referrer": .object, "screen": .object, "timezone": .text, "groupId": .text, "traits": .object,
        "userAgent": .text, "direct": .bool,
    ])
}
