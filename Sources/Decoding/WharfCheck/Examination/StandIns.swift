import WharfJSON

/// Stand-in values by type, for values that could not be decoded.
///
/// Their content does not matter, as they never leave the check. They let a type go on to its next
/// field.
final class StandIns {
    let userInfo: [CodingUserInfoKey: Any]
    private let decoder: CodableJSONDecoder
    /// The last value decoded of each type.
    private var good: [ObjectIdentifier: Any] = [:]
    // `made` has an entry for each type that was asked for. It is empty while the stand-ins of that
    // type are being made.
    private var made: [ObjectIdentifier: [Any]] = [:]
    private var depth = 0
    private let constants: [String]
    private let strings: () -> [String]
    private lazy var documentStrings = strings()

    /// - Parameters:
    ///   - constants: strings and numbers that types may compare values with.
    ///   - strings: the strings of the document; one of them may be a case of an enumeration.
    init(_ decoder: CodableJSONDecoder, constants: [String], strings: @escaping () -> [String]) {
        self.decoder = decoder
        self.constants = constants
        self.strings = strings
        userInfo = decoder.userInfo
    }

    func keep<Value>(_ value: Value) {
        good[ObjectIdentifier(Value.self)] = value
    }

    /// Returns the stand-ins, the best first.
    ///
    /// Flags, numbers and cases get several, because a type may branch on them.
    func values<Value: Decodable>(of type: Value.Type) -> [Value] {
        let id = ObjectIdentifier(type)
        if made[id] == nil {
            // Set first, so that a recursive type ends the recursion: inside itself it gets no
            // stand-in.
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
        // The entry above stops recursive types. The depth stops generic types that grow without
        // end.
        guard values.isEmpty, depth < 32 else { return values }
        depth += 1
        defer { depth -= 1 }
        let decoder = BlankDecoder(codingPath: [], standIns: self)
        return (try? type.init(from: decoder)).map { [$0] } ?? []
    }

    /// Returns values that a type may branch on: the constants, and the whole numbers next to them.
    private func compared<Value: Decodable>(_ type: Value.Type) -> [Value] {
        if type == String.self { return constants.compactMap { $0 as? Value } }
        return constants.compactMap { Int($0) }.flatMap { [$0 &- 1, $0, $0 &+ 1] }
            .compactMap { try? decoder.decode(type, from: JSONBytes("\($0)")) }
    }

    /// Returns cases that the enumeration lists or the document names, at most 16.
    private func cases(of type: Any.Type) -> [Any] {
        func listed<Listed: CaseIterable>(_ type: Listed.Type) -> [Any] { type.allCases.prefix(16).map { $0 } }
        if let type = type as? any CaseIterable.Type { return listed(type) }
        return (type as? any RawRepresentable.Type).map { named($0) } ?? []
    }

    private func named<Value: RawRepresentable>(_ type: Value.Type) -> [Any] {
        // A struct would accept any text, so only the document's strings are tried, and few.
        guard Value.RawValue.self == String.self else { return [] }
        return documentStrings.lazy.compactMap { ($0 as? Value.RawValue).flatMap { Value(rawValue: $0) } }.prefix(16)
            .map { $0 }
    }

    /// Texts that types commonly expect.
    private static let texts = [
        "0", "1", "2", "\"\"", "\"0\"", "false", "true", "[]", "{}", "\"1970-01-01T00:00:00Z\"",
        "\"1970-01-01T00:00:00.000Z\"", "\"1970-01-01\"", "\"00:00:00\"", "\"00000000-0000-0000-0000-000000000000\"",
        "\"https://example.com/\"", "\"#000000\"", "\"en\"", "\"EUR\"", "\"a@example.com\"", "\"1.0.0\"", "[0,0]",
        "null",
    ].map { JSONBytes($0) }
}
