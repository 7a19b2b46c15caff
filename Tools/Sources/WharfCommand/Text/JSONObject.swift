import Foundation
import Wharf
import WharfJSON

/// A JSON object that is built member by member, and written in one line.
struct JSONObject {
    private var members: [(name: String, text: [UInt8])] = []

    mutating func add(_ name: String, _ text: [UInt8]) { members.append((name, text)) }

    /// - Parameter text: a JSON value.
    mutating func add(_ name: String, json text: String) { add(name, Array(text.utf8)) }

    /// - Parameter value: nil for JSON's null.
    mutating func add(_ name: String, _ value: String?) { add(name, json: value.map(JSONText.quoted) ?? "null") }

    mutating func add(_ name: String, _ value: Int?) { add(name, json: value.map(String.init) ?? "null") }

    mutating func add(_ name: String, _ value: Bool) { add(name, json: value ? "true" : "false") }

    mutating func add(_ name: String, _ objects: [JSONObject]) {
        add(name, Array("[".utf8) + objects.map(\.bytes).joined(separator: [UInt8(ascii: ",")]) + Array("]".utf8))
    }

    /// Adds bytes of unknown kind, as a member `json`, `text` or `base64`.
    mutating func add(_ name: String, bytes: [UInt8]) {
        var object = JSONObject()
        do throws(JSONError) {
            object.add("json", try JSONText(bytes).bytes)
        } catch {
            if let text = String(validating: bytes, as: UTF8.self) {
                object.add("text", text)
            } else {
                object.add("base64", Data(bytes).base64EncodedString())
            }
        }
        add(name, object.bytes)
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = [UInt8(ascii: "{")]
        for (index, member) in members.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += Array("\"\(member.name)\":".utf8) + member.text
        }
        return bytes + [UInt8(ascii: "}")]
    }

    /// The object with a line end.
    var line: [UInt8] { bytes + [UInt8(ascii: "\n")] }
}
