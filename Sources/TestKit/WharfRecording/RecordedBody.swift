internal import Foundation
internal import WharfJSON

/// A body in its most readable form: JSON, text, lines, or Base64 for other bytes.
///
/// The bytes are restored exactly. So only compact JSON is stored as JSON, and other JSON as text.
enum RecordedBody {
    static func json(_ bytes: [UInt8]) -> JSONValue {
        if let value = compactJSON(bytes) { return object("json", value) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return object("base64", JSONValue(.string(Data(bytes).base64EncodedString())))
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        // Swift treats CR LF as one character, so splitting at line feeds would not find it.
        guard lines.count > 1, !text.contains("\r\n") else { return object("text", JSONValue(.string(text))) }
        return object("lines", JSONValue(.array(lines.map { JSONValue(.string(String($0))) })))
    }

    /// Returns nil for a value in another form.
    static func bytes(_ value: JSONValue) -> [UInt8]? {
        guard case .object(let members) = value.content, members.count == 1, let member = members.first else {
            return nil
        }
        switch (member.key, member.value.content) {
        case ("json", _): return Array(member.value.description.utf8)
        case ("text", .string(let text)): return Array(text.utf8)
        case ("base64", .string(let text)): return Data(base64Encoded: text).map { [UInt8]($0) }
        case ("lines", .array(let lines)):
            var texts: [String] = []
            for line in lines {
                guard case .string(let text) = line.content else { return nil }
                texts.append(text)
            }
            return Array(texts.joined(separator: "\n").utf8)
        default: return nil
        }
    }

    private static func object(_ key: String, _ value: JSONValue) -> JSONValue {
        JSONValue(.object([JSONMember(key, value)]))
    }

    private static func compactJSON(_ bytes: [UInt8]) -> JSONValue? {
        guard let first = bytes.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return nil }
        do throws(JSONError) {
            let value = try JSON.decode(JSONValue.self, from: bytes)
            // In a single expression `nil` would be the literal of JSON's null.
            guard Array(value.description.utf8) == bytes else { return Optional.none }
            return value
        } catch {
            return nil
        }
    }
}
