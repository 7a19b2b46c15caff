internal import WharfJSON

extension Redactor {
    mutating func body(_ bytes: [UInt8], _ fields: [RecordedField], _ side: String) -> [UInt8] {
        guard !bytes.isEmpty else { return bytes }
        if let value = JSONValue(objectOrArray: bytes) {
            let redacted = json(value, JSONPath(), false, "\(side)'s body")
            // Unchanged bodies keep their exact bytes and layout.
            return redacted == value ? bytes : Array(redacted.description.utf8)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { return bytes }
        let type = fields.first { $0.name.lowercased() == "content-type" }?.value.lowercased() ?? ""
        if type.hasPrefix("application/x-www-form-urlencoded") {
            let items = text.split(separator: "&", omittingEmptySubsequences: false)
            return Array(items.map { item($0, "\(side)'s form") }.joined(separator: "&").utf8)
        }
        if type.hasPrefix("multipart/"), hasSecretPart(text) {
            note("\(side)'s whole body, as a part of it is secret")
            return Array(Redaction.marker.utf8)
        }
        return Array(queries(in: text, "\(side)'s body").utf8)
    }

    private func hasSecretPart(_ text: String) -> Bool {
        text.split(separator: "name=\"").dropFirst().contains { rules.isSecret(String($0.prefix { $0 != "\"" })) }
    }

    private mutating func json(_ value: JSONValue, _ path: JSONPath, _ isSecret: Bool, _ what: String) -> JSONValue {
        switch value.content {
        case .object(let members):
            return JSONValue(
                .object(
                    members.map { member in
                        let inner = JSONPath(path.steps + [.key(member.key)])
                        let hides = isSecret || rules.isSecret(member.key)
                        return JSONMember(member.key, json(member.value, inner, hides, what))
                    }))
        case .array(let elements):
            return JSONValue(
                .array(
                    elements.enumerated().map { index, element in
                        json(element, JSONPath(path.steps + [.index(index)]), isSecret, what)
                    }))
        case .string(let text) where isSecret:
            return JSONValue(.string(hide(text, "\(what): \(path)")))
        case .string(let text):
            return JSONValue(.string(queries(in: text, "\(what): \(path)")))
        case .number(let number) where isSecret:
            // A number can't become the marker without another type, so it becomes 0.
            learn(number.text)
            note("\(what): \(path)")
            return JSONValue(.number(JSONNumber(0)))
        case .number, .bool, .null:
            return value
        }
    }
}

extension JSONValue {
    /// Reads an object or an array; nil for other bytes, such as a text that happens to be a
    /// number.
    init?(objectOrArray bytes: [UInt8]) {
        do throws(JSONError) {
            self = try JSON.decode(from: bytes)
        } catch {
            return nil
        }
        switch content {
        case .object, .array: return
        default: return nil
        }
    }
}
