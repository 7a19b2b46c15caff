public import WharfChecks
public import WharfJSON

/// The laws of every type that is both `JSONDecodable` and `JSONEncodable`.
///
/// They hold for types written by hand and for those made by the macro.
///
/// ```swift
/// let subject = JSONCodingLaws.Subject("Rectangle", Generator.zip(.int(in: 0...9), .int(in: 0...9)).map(Rectangle.init))
/// for law in JSONCodingLaws.all(for: Rectangle.self) { try await law.check(subject) }
/// ```
public enum JSONCodingLaws {
    /// A type with sample values, on which the laws are checked.
    public typealias Subject = SampledType

    /// Returns the laws that `type` must keep.
    public static func all<Value: JSONDecodable & JSONEncodable & Equatable & Sendable>(
        for type: Value.Type
    ) -> [Law<Subject<Value>>] {
        [
            Law("a written value is read back unchanged", forEach: { $0.values }) { _, value in
                let bytes = try JSON.encode(value)
                let read = try JSON.decode(Value.self, from: bytes)
                try require(read == value, "\(String(decoding: bytes, as: UTF8.self)) was read as \(read)")
            },
            Law("the members of an object are read in any order", forEach: { $0.values }) { _, value in
                let written = try JSON.decode(JSONValue.self, from: try JSON.encode(value))
                let bytes = try JSON.encode(written.turnedRound)
                // If a value can't be read as it was written, the law before this one fails.
                guard try JSON.decode(Value.self, from: try JSON.encode(written)) == value else { return }
                let read: Value
                do { read = try JSON.decode(Value.self, from: bytes) } catch {
                    throw FailedRequirement(found: "\(String(decoding: bytes, as: UTF8.self)) was refused: \(error)")
                }
                try require(read == value, "\(String(decoding: bytes, as: UTF8.self)) was read as \(read)")
            },
            Law("an invalid element is reported at its index, and the next one is read", for: wrong) { _, text in
                guard isRefused(Value.self, text) else { return }
                do {
                    _ = try JSON.decode([Value].self, from: "[\(text), \(text)]")
                    throw FailedRequirement(found: "it was read in an array, and refused outside of one")
                } catch let error as JSONError {
                    for index in 0...1 {
                        try require(
                            error.issues.contains { $0.path.steps.first == .index(index) },
                            "of [\(text), \(text)] nothing was noted at [\(index)], but \(error.issues.map(\.summary))")
                    }
                }
            },
        ]
    }

    private static func isRefused<Value: JSONDecodable>(_ type: Value.Type, _ text: String) -> Bool {
        do { _ = try JSON.decode(type, from: text) } catch { return true }
        return false
    }

    private static let wrong = Generator.element(of: [
        "null", "true", "7", "\"x\"", "[]", "{}", "-0.5", "[[{}]]", "{\"x\":[1]}",
    ])
}

extension JSONValue {
    /// The value with the members of each object in reverse order.
    fileprivate var turnedRound: JSONValue {
        switch content {
        case .object(let members):
            JSONValue(.object(members.reversed().map { JSONMember($0.key, $0.value.turnedRound) }))
        case .array(let elements): JSONValue(.array(elements.map(\.turnedRound)))
        default: self
        }
    }
}
