import WharfJSON

/// Values that stand in for what could not be decoded, by type.
///
/// What they are does not matter, as nobody sees them: they let a type go on to its next field.
final class StandIns {
    private let decoder: CodableJSONDecoder
    /// Decoded values of each type, the last one.
    private var good: [ObjectIdentifier: Any] = [:]
    /// nil: there is none.
    private var made: [ObjectIdentifier: Any?] = [:]
    private var depth = 0
    private let strings: () -> [String]
    private lazy var documentStrings = strings()

    /// - Parameter strings: of the document; one of them may be a case of an enumeration.
    init(_ decoder: CodableJSONDecoder, strings: @escaping () -> [String]) {
        self.decoder = decoder
        self.strings = strings
    }

    func keep<Value>(_ value: Value) {
        good[ObjectIdentifier(Value.self)] = value
    }

    func value<Value: Decodable>(of type: Value.Type) -> Value? {
        let id = ObjectIdentifier(type)
        if let value = good[id] as? Value { return value }
        if let known = made[id] { return known as? Value }
        // A type that needs one of its own gets none.
        made[id] = .some(nil)
        let value = make(type)
        made[id] = .some(value)
        return value
    }

    private func make<Value: Decodable>(_ type: Value.Type) -> Value? {
        for text in Self.texts {
            if let value = try? decoder.decode(type, from: text) { return value }
        }
        if let value = listedCase(of: type) as? Value { return value }
        if let raw = type as? any RawRepresentable.Type, let value = rawCase(of: raw) as? Value { return value }
        // A recursive type is caught above; this is against generic ones that grow.
        guard depth < 32 else { return nil }
        depth += 1
        defer { depth -= 1 }
        return try? type.init(from: BlankDecoder(codingPath: [], userInfo: decoder.userInfo, standIns: self))
    }

    private func listedCase(of type: Any.Type) -> Any? {
        func first<Listed: CaseIterable>(_ type: Listed.Type) -> Any? { type.allCases.first }
        return (type as? any CaseIterable.Type).flatMap { first($0) }
    }

    private func rawCase<Value: RawRepresentable>(of type: Value.Type) -> Value? {
        guard Value.RawValue.self == String.self else { return nil }
        for string in documentStrings {
            if let raw = string as? Value.RawValue, let value = Value(rawValue: raw) { return value }
        }
        return nil
    }

    /// Forms that types ask for.
    private static let texts = [
        "0", "\"\"", "false", "[]", "{}", "1", "\"0\"", "\"1970-01-01T00:00:00Z\"", "\"1970-01-01T00:00:00.000Z\"",
        "\"1970-01-01\"", "\"00:00:00\"", "\"00000000-0000-0000-0000-000000000000\"", "\"https://example.com/\"",
        "\"#000000\"", "\"en\"", "\"EUR\"", "\"a@example.com\"", "\"1.0.0\"", "[0,0]", "null",
    ].map { JSONBytes($0) }
}
