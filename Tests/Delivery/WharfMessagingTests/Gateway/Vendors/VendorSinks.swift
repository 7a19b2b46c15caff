import Foundation
import WharfChecks
import WharfCore
import WharfFakes
import WharfJSON
import WharfPrimitives

/// Accepts requests that follow a vendor's documentation, and answers others as the vendor does.
///
/// Special addresses select other answers, as Twilio's test numbers do.
enum VendorSinks {
    struct Taken: Hashable, Sendable {
        var address: String
        var text: String
    }

    /// https://www.twilio.com/docs/messaging/api/message-resource
    static func twilio(_ request: TransportRequest) throws -> (StubAnswer, Taken?) {
        try check(
            request, "api.twilio.com", "/2010-04-01/Accounts/AC01/Messages.json", "application/x-www-form-urlencoded")
        let expected = "Basic \(Data("AC01:S3CRET".utf8).base64EncodedString())"
        guard request.head.headerFields[.authorization] == expected else {
            return (.respond(.unauthorized, #"{"code": 20003, "message": "Authenticate", "status": 401}"#), nil)
        }
        let items = PercentDecoding.items(Substring(try text(request)))
        try require(items.map(\.name) == ["To", "From", "Body"], "\(items)")
        try require(items[1].value == "+15005550006", "from \(items[1].value)")
        let (address, body) = (items[0].value, items[2].value)
        guard address.first == "+", address.dropFirst().allSatisfy(\.isNumber) else {
            return (
                .respond(.badRequest, #"{"code": 21211, "message": "Invalid 'To' \#(address)", "status": 400}"#), nil
            )
        }
        if address == "+500" { return (.respond(.tooManyRequests, #"{"code": 20429, "status": 429}"#), nil) }
        guard (1...1_600).contains(body.unicodeScalars.count) else {
            return (.respond(.badRequest, #"{"code": 21617, "status": 400}"#), nil)
        }
        return (
            .respond(.created, #"{"sid": "SM01", "status": "queued", "error_code": null}"#),
            Taken(address: address, text: body)
        )
    }

    /// https://docs.slack.dev/reference/methods/chat.postMessage
    static func slack(_ request: TransportRequest) throws -> (StubAnswer, Taken?) {
        try check(request, "slack.com", "/api/chat.postMessage", "application/json; charset=utf-8")
        guard request.head.headerFields[.authorization] == "Bearer xoxb-S3CRET" else {
            return (.ok(#"{"ok": false, "error": "invalid_auth"}"#), nil)
        }
        let members = try members(request, ["channel", "mrkdwn", "text"])
        try require(members["mrkdwn"] == false, "formatting is on")
        guard let address = string(members["channel"]), let text = string(members["text"]) else {
            throw Broken("no texts")
        }
        switch address {
        case "C429": return (.respond(.tooManyRequests, fields: [.retryAfter: "30"], ""), nil)
        case "CBUSY": return (.ok(#"{"ok": false, "error": "ratelimited"}"#), nil)
        case "CHTML": return (.ok("<html>"), nil)
        case "CODD": return (.ok(#"{"ok": false, "error": "to C1: hello"}"#), nil)
        case let id where !id.hasPrefix("C"): return (.ok(#"{"ok": false, "error": "channel_not_found"}"#), nil)
        default: break
        }
        guard !text.isEmpty else { return (.ok(#"{"ok": false, "error": "no_text"}"#), nil) }
        // Slack reads three characters as markup, so they must be sent as entities. The comparison
        // uses scalars, as a combining mark would merge with the semicolon.
        func replacing(_ old: String, _ new: String, in text: String) -> String {
            text.replacingOccurrences(of: old, with: new, options: .literal)
        }
        let rest = ["&amp;", "&lt;", "&gt;"].reduce(text) { replacing($1, "", in: $0) }
        try require(!rest.unicodeScalars.contains { ["&", "<", ">"].contains($0) }, "markup: \(text)")
        let entities = [("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]
        let read = entities.reduce(text) { replacing($1.0, $1.1, in: $0) }
        return (.ok(#"{"ok": true, "channel": "C1", "ts": "1503435956.000247"}"#), Taken(address: address, text: read))
    }

    /// https://core.telegram.org/bots/api#sendmessage
    static func telegram(_ request: TransportRequest) throws -> (StubAnswer, Taken?) {
        try check(request, "api.telegram.org", "/bot12:S3C-RET_/sendMessage", "application/json")
        let members = try members(request, ["chat_id", "text"])
        guard let address = string(members["chat_id"]), let text = string(members["text"]) else {
            throw Broken("no texts")
        }
        func refused(_ status: HTTPResponse.Status, _ description: String, _ more: String = "") -> (StubAnswer, Taken?)
        {
            let json = #"{"ok": false, "error_code": \#(status.code), "description": "\#(description)"\#(more)}"#
            return (.respond(status, json), nil)
        }
        switch address {
        case "429": return refused(.tooManyRequests, "Too Many Requests", #", "parameters": {"retry_after": 35}"#)
        case "403": return refused(.forbidden, "Forbidden: bot was blocked by the user")
        case "html": return (.ok("<html>"), nil)
        case let id where !id.hasPrefix("@") && Int(id) == nil:
            return refused(.badRequest, "Bad Request: chat not found")
        default: break
        }
        guard (1...4_096).contains(text.utf16.count) else {
            return refused(.badRequest, "Bad Request: message is too long")
        }
        return (.ok(#"{"ok": true, "result": {"message_id": 1}}"#), Taken(address: address, text: text))
    }

    private static func check(_ request: TransportRequest, _ host: String, _ path: String, _ type: String) throws {
        let head = request.head
        try require(head.method == .post && head.scheme == "https", "\(head.method) \(head.scheme ?? "")")
        try require(head.authority == host && head.path == path, "\(head.authority ?? "")\(head.path ?? "")")
        try require(head.headerFields[.contentType] == type, "type \(head.headerFields[.contentType] ?? "")")
    }

    private static func text(_ request: TransportRequest) throws -> String {
        guard case .bytes(let bytes) = request.body else { throw Broken("no bytes") }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func members(_ request: TransportRequest, _ keys: [String]) throws -> JSONValue {
        let value = try JSON.decode(JSONValue.self, from: try text(request))
        guard case .object(let members) = value.content else { throw Broken("no object") }
        try require(members.map(\.key).sorted() == keys, "\(members.map(\.key))")
        return value
    }

    private static func string(_ value: JSONValue?) -> String? {
        if case .string(let text) = value?.content { text } else { nil }
    }
}
