internal import WharfJSON

extension Redactor {
    private var longestFirst: [String] { secrets.sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) } }

    /// Replaces secrets in a text. It searches bytes: a combining character after a secret would
    /// hide it from a search by characters.
    func clearing(_ text: String) -> String {
        // The longest first: a secret within a longer one would leave the rest of that one
        // readable.
        let cleared = longestFirst.reduce(Array(text.utf8)) { bytes, secret in
            bytes.replacing(Array(secret.utf8), with: Array(Redaction.marker.utf8))
        }
        return String(decoding: cleared, as: UTF8.self)
    }

    func clearing(_ field: RecordedField) -> RecordedField {
        RecordedField(name: field.name, value: clearing(field.value))
    }

    func clearing(_ bytes: [UInt8]) -> [UInt8] {
        guard !secrets.isEmpty, !bytes.isEmpty else { return bytes }
        if let value = JSONValue(objectOrArray: bytes) {
            let cleared = clearing(value)
            return cleared == value ? bytes : Array(cleared.description.utf8)
        }
        if let text = String(validating: bytes, as: UTF8.self) { return Array(clearing(text).utf8) }
        let holdsSecret = secrets.contains { secret in bytes.firstRange(of: Array(secret.utf8)) != nil }
        // Bytes that are not text have no place for a marker, so all are replaced.
        return holdsSecret ? Array(Redaction.marker.utf8) : bytes
    }

    func clearing(_ value: JSONValue) -> JSONValue {
        switch value.content {
        case .object(let members):
            JSONValue(.object(members.map { JSONMember(clearing($0.key), clearing($0.value)) }))
        case .array(let elements): JSONValue(.array(elements.map(clearing)))
        case .string(let text): JSONValue(.string(clearing(text)))
        case .number(let number): secrets.contains(number.text) ? JSONValue(.number(JSONNumber(0))) : value
        case .bool, .null: value
        }
    }
}
