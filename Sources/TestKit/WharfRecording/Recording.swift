internal import WharfJSON

/// The exchanges of a recording file.
struct Recording: Sendable, Equatable {
    static let version = 1

    var exchanges: [RecordedExchange] = []
    /// Names that are secret, or not, in addition to the standard rules.
    var hiddenNames: [String] = []
    var shownNames: [String] = []

    init(_ exchanges: [RecordedExchange] = [], redacting rules: Redaction) {
        self.exchanges = exchanges
        hiddenNames = rules.hidden.sorted()
        shownNames = rules.shown.sorted()
    }

    /// The rules by which it was redacted, except secret values, which are not stored.
    var rules: Redaction { Redaction.standard.hiding(names: hiddenNames).showing(names: shownNames) }

    /// The JSON text, with one member per line, in a fixed order.
    var text: String {
        var members = [JSONMember("wharfRecording", JSONValue(.number(JSONNumber(Self.version))))]
        if !hiddenNames.isEmpty { members.append(JSONMember("hiddenNames", JSONValue(strings: hiddenNames))) }
        if !shownNames.isEmpty { members.append(JSONMember("shownNames", JSONValue(strings: shownNames))) }
        members.append(JSONMember("exchanges", JSONValue(.array(exchanges.map(\.json)))))
        return JSONValue(.object(members)).indented + "\n"
    }
}

extension RecordedExchange {
    fileprivate var json: JSONValue {
        var members = [JSONMember("request", request.json), JSONMember("answer", answer.json)]
        if !redacted.isEmpty { members.append(JSONMember("redacted", JSONValue(strings: redacted))) }
        return JSONValue(.object(members))
    }
}

extension RecordedRequest {
    fileprivate var json: JSONValue {
        var members = [
            JSONMember("method", JSONValue(.string(method))), JSONMember("url", JSONValue(.string(url))),
        ]
        if !fields.isEmpty { members.append(JSONMember("fields", JSONValue(fields))) }
        if !body.isEmpty { members.append(JSONMember("body", RecordedBody.json(body))) }
        return JSONValue(.object(members))
    }
}

extension RecordedAnswer {
    fileprivate var json: JSONValue {
        var members: [JSONMember] = []
        if let status { members.append(JSONMember("status", JSONValue(.number(JSONNumber(status))))) }
        if !fields.isEmpty { members.append(JSONMember("fields", JSONValue(fields))) }
        if !body.isEmpty { members.append(JSONMember("body", RecordedBody.json(body))) }
        if let failure {
            let texts = [("code", failure.code), ("message", failure.message)]
            let value = JSONValue(.object(texts.map { JSONMember($0.0, JSONValue(.string($0.1))) }))
            members.append(JSONMember("failure", value))
        }
        return JSONValue(.object(members))
    }
}

extension JSONValue {
    fileprivate init(strings: [String]) { self.init(.array(strings.map { JSONValue(.string($0)) })) }

    /// An object with one member per field. A repeated name gives repeated members, which JSON
    /// permits.
    fileprivate init(_ fields: [RecordedField]) {
        self.init(.object(fields.map { JSONMember($0.name, JSONValue(.string($0.value))) }))
    }

    /// The text, indented by two spaces. Empty arrays and objects stay on one line.
    var indented: String {
        var text = ""
        indent(into: &text, "\n")
        return text
    }

    private func indent(into text: inout String, _ line: String) {
        switch content {
        case .array(let elements) where !elements.isEmpty:
            text += "["
            for (index, element) in elements.enumerated() {
                text += index == 0 ? line + "  " : "," + line + "  "
                element.indent(into: &text, line + "  ")
            }
            text += line + "]"
        case .object(let members) where !members.isEmpty:
            text += "{"
            for (index, member) in members.enumerated() {
                text += index == 0 ? line + "  " : "," + line + "  "
                text += JSONValue(.string(member.key)).description + ": "
                member.value.indent(into: &text, line + "  ")
            }
            text += line + "}"
        default: text += description
        }
    }
}
