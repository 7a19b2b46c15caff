import WharfJSON

/// Values that stand in for what could not be decoded, by type.
///
/// What they are does not matter, as nobody sees them: they let a type go on to its next field.
final class StandIns {
    let userInfo: [CodingUserInfoKey: Any]
    private let decoder: CodableJSONDecoder
    /// Decoded values of each type, the last one.
    private var good: [ObjectIdentifier: Any] = [:]
    private var made: [ObjectIdentifier: [Any]] = [:]
    private var depth = 0
    private let constants: [String]
    private let strings: () -> [String]
    private lazy var documentStrings = strings()

    /// - Parameters:
    ///   - constants: that types may compare strings and numbers with.
    ///   - strings: of the document; one of them may be a case of an enumeration.
    init(_ decoder: CodableJSONDecoder, constants: [String], strings: @escaping () -> [String]) {
        self.decoder = decoder
        self.constants = constants
        self.strings = strings
        userInfo = decoder.userInfo
    }

    func keep<Value>(_ value: Value) {
        good[ObjectIdentifier(Value.self)] = value
    }

    /// The best first. Several where a type may well ask for other things when it has another:
    /// flags, numbers, cases.
    func values<Value: Decodable>(of type: Value.Type) -> [Value] {
        let id = ObjectIdentifier(type)
        if made[id] == nil {
            // A type that needs one of its own gets none.
            made[id] = []
            made[id] = make(type)
        }
        let values = made[id]?.compactMap { $0 as? Value } ?? []
        return (good[id] as? Value).map { [$0] + values } ?? values
    }

    private func make<Value: Decodable>(_ type: Value.Type) -> [Value] {
        let cases = cases(of: type).compactMap { $0 as? Value }
        if !cases.isEmpty { return cases }
        let isScalar = type is any Numeric.Type || type == String.self || type == Bool.self
        var values: [Value] = []
        for text in Self.texts {
            if let value = try? decoder.decode(type, from: text) { values.append(value) }
            if values.count == (isScalar ? 3 : 1) { break }
        }
        if isScalar { values += compared(type) }
        // A recursive type is caught above; this is against generic ones that grow.
        guard values.isEmpty, depth < 32 else { return values }
        depth += 1
        defer { depth -= 1 }
        let decoder = BlankDecoder(codingPath: [], standIns: self)
        return (try? type.init(from: decoder)).map { [$0] } ?? []
    }

    /// What a type may go another way for than for the values that stand in first: constants, and
    /// whole numbers beside them.
    private func compared<Value: Decodable>(_ type: Value.Type) -> [Value] {
        if type == String.self { return constants.compactMap { $0 as? Value } }
        return constants.compactMap { Int($0) }.flatMap { [$0 &- 1, $0, $0 &+ 1] }
            .compactMap { try? decoder.decode(type, from: JSONBytes("\($0)")) }
    }

    /// Those that an enumeration lists, or that the document names; not all of very many.
    private func cases(of type: Any.Type) -> [Any] {
        func listed<Listed: CaseIterable>(_ type: Listed.Type) -> [Any] { type.allCases.prefix(16).map { $0 } }
        if let type = type as? any CaseIterable.Type { return listed(type) }
        return (type as? any RawRepresentable.Type).map { named($0) } ?? []
    }

    private func named<Value: RawRepresentable>(_ type: Value.Type) -> [Any] {
        // A struct takes any text.
        guard Value.RawValue.self == String.self else { return [] }
        return documentStrings.lazy.compactMap { ($0 as? Value.RawValue).flatMap { Value(rawValue: $0) } }.prefix(16)
            .map { $0 }
    }

    /// Forms that types ask for.
    private static let texts = [
        "0", "1", "2", "\"\"", "\"0\"", "false", "true", "[]", "{}", "\"1970-01-01T00:00:00Z\"",
        "\"1970-01-01T00:00:00.000Z\"", "\"1970-01-01\"", "\"00:00:00\"", "\"00000000-0000-0000-0000-000000000000\"",
        "\"https://example.com/\"", "\"#000000\"", "\"en\"", "\"EUR\"", "\"a@example.com\"", "\"1.0.0\"", "[0,0]",
        "null",
    ].map { JSONBytes($0) }
}
