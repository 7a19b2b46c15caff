import WharfJSON

/// A rule for one field of a vendor's format, from the vendor's documentation.
struct FieldRule: Sendable {
    let expected: String
    let accepts: @Sendable (JSONValue) -> Bool

    init(_ expected: String, _ accepts: @escaping @Sendable (JSONValue) -> Bool) {
        self.expected = expected
        self.accepts = accepts
    }

    static let text = FieldRule("a text that is not empty") { $0.text?.isEmpty == false }
    static let bool = FieldRule("a bool") { if case .bool = $0.content { true } else { false } }
    static let number = FieldRule("a number") { if case .number = $0.content { true } else { false } }
    static let object = FieldRule("an object") { $0.members != nil }
    static let array = FieldRule("an array that is not empty") { $0.elements?.isEmpty == false }
    static let texts = FieldRule("an object of texts") { $0.members?.allSatisfy { $0.value.text != nil } == true }
    static let toggles = FieldRule("an object of bools and objects") {
        $0.members?.allSatisfy { bool.accepts($0.value) || object.accepts($0.value) } == true
    }
    static let timestamp = FieldRule("an ISO 8601 time in UTC") { value in
        value.text?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z/) != nil
    }
    static let uuid = FieldRule("a UUID") { value in
        value.text?.wholeMatch(of: /[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}/) != nil
    }
    static func text(below count: Int) -> FieldRule {
        FieldRule("a text below \(count) characters") { value in
            value.text.map { !$0.isEmpty && $0.count < count } ?? false
        }
    }
    static func text(of texts: Set<String>) -> FieldRule {
        FieldRule("one of \(texts.sorted())") { value in value.text.map(texts.contains) ?? false }
    }
    static func exactly(_ text: String) -> FieldRule { FieldRule("\"\(text)\"") { $0.text == text } }
}

/// The fields of an object: required and optional ones, and no others.
struct ObjectRules: Sendable {
    var required: [String: FieldRule] = [:]
    var optional: [String: FieldRule] = [:]
    /// Whether the app may add fields to the object.
    var allowsOthers = false

    func violations(of value: JSONValue, at path: String) -> [String] {
        guard let members = value.members else { return ["\(path): expected an object"] }
        var violations: [String] = []
        var seen: Set<String> = []
        for member in members {
            let place = "\(path).\(member.key)"
            if !seen.insert(member.key).inserted { violations.append("\(place): comes twice") }
            guard let rule = required[member.key] ?? optional[member.key] else {
                if !allowsOthers { violations.append("\(place): the documentation has no such field") }
                continue
            }
            if !rule.accepts(member.value) {
                violations.append("\(place): expected \(rule.expected), found \(member.value)")
            }
        }
        return violations + required.keys.filter { !seen.contains($0) }.map { "\(path).\($0): is missing" }
    }
}

extension JSONValue {
    var text: String? { if case .string(let text) = content { text } else { nil } }
    var members: [JSONMember]? { if case .object(let members) = content { members } else { nil } }
    var elements: [JSONValue]? { if case .array(let elements) = content { elements } else { nil } }
    var byteCount: Int { description.utf8.count }
}
