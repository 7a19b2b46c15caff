import Foundation
import Wharf
import WharfJSON

/// One line of `--json`: value, status, source, age, freshness and error of one answer.
struct JSONRecord {
    private var object = JSONObject()
    /// The syntax error of a body that its Content-Type declares as JSON.
    private(set) var fault: JSONError?

    /// Returns the record of an answer that delivers a value.
    static func delivered(_ answer: TransportResponse, _ body: [UInt8], at now: WallTime) -> JSONRecord {
        var record = JSONRecord()
        do throws(JSONError) {
            record.object.add("value", try JSONText(body).bytes)
        } catch {
            if answer.saysJSON { record.fault = error }
            record.add("body", JSONText.quoted(Data(body).base64EncodedString()))
        }
        record.add(answer, at: now)
        record.add("error", answer.provenance.failure.map { Self.error(ReadFailure($0)) } ?? "null")
        return record
    }

    /// Returns the record of an answer without a value: an error status, or a body that broke off.
    static func failed(_ failure: ReadFailure, _ answer: TransportResponse?, at now: WallTime) -> JSONRecord {
        var record = JSONRecord()
        record.add("value", "null")
        if let answer {
            record.add(answer, at: now)
        } else {
            for name in ["status", "source", "ageSeconds", "fresh"] { record.add(name, "null") }
        }
        record.add("error", Self.error(failure))
        return record
    }

    /// The object with its line end.
    var line: [UInt8] { object.line }

    private mutating func add(_ answer: TransportResponse, at now: WallTime) {
        add("status", "\(answer.head.status.code)")
        add("source", JSONText.quoted(answer.provenance.source.name))
        add("ageSeconds", "\(max(.zero, now - answer.provenance.asOf).components.seconds)")
        add("fresh", answer.provenance.isFresh(at: now) ? "true" : "false")
    }

    private mutating func add(_ name: String, _ text: String) { object.add(name, json: text) }

    private static func error(_ failure: ReadFailure) -> String {
        "{\"code\":\(JSONText.quoted(failure.code.name)),\"message\":\(JSONText.quoted(failure.message))}"
    }
}

extension TransportResponse {
    /// Whether the media type is JSON (RFC 9110 §8.3.1).
    ///
    /// It is `application/json`, or a format based on it such as `application/problem+json`.
    fileprivate var saysJSON: Bool {
        let type = head.headerFields[.contentType]?.split(separator: ";").first?.lowercased() ?? ""
        let name = type.filter { $0 != " " }
        return name == "application/json" || name.hasSuffix("+json")
    }
}

extension Provenance {
    /// Returns whether the answer can be used without revalidation.
    ///
    /// An answer without a lifetime is not fresh.
    func isFresh(at now: WallTime) -> Bool { staleAt.map { now < $0 } ?? false }

    /// Returns whether the answer is stale, and was not revalidated in this read.
    ///
    /// A local file never is.
    func isStale(at now: WallTime) -> Bool {
        guard source != .network, source != .revalidated, source != .file else { return false }
        return !isFresh(at: now)
    }
}
