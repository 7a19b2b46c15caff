import WharfJSON

/// A type made of several values, each of which can have errors of its own.
///
/// The `init(from:)` of these types rethrows every error, so all errors can be found in one pass.
protocol ExaminedCollection {
    /// - Returns: an `Examined<Self>`; nil if the type's own `init(from:)` has to read it.
    static func examine(at node: JSONNodeDecoder, by examiner: Examiner) -> (any Outcome)?
}

extension Optional: ExaminedCollection where Wrapped: Decodable {
    static func examine(at node: JSONNodeDecoder, by examiner: Examiner) -> (any Outcome)? {
        if node.decodeNil() { return Examined<Self>.good(nil) }
        let wrapped = examiner.examine(Wrapped.self, at: node)
        // Nil comes first as the stand-in: it is a value that the type must expect here.
        guard let failure = wrapped.failure else { return Examined<Self>(value: .some(wrapped.value)) }
        let others = (wrapped.value.map { [$0] } ?? []) + wrapped.alternatives
        return Examined<Self>(
            value: .some(nil), alternatives: others.map { .some($0) }, failure: failure, findings: wrapped.findings)
    }
}

extension Array: ExaminedCollection where Element: Decodable {
    static func examine(at node: JSONNodeDecoder, by examiner: Examiner) -> (any Outcome)? {
        var examined = Examined<Self>(value: [])
        if node.kind != .array {
            do { _ = try node.unkeyedContainer() } catch {
                examined.failure = error
                examined.findings = examiner.findings(of: error, in: Self.self, at: node)
            }
        }
        // Elements after a wrong one are examined too, since the error of one says nothing about
        // the others.
        for element in node.elements {
            let element = examiner.examine(Element.self, at: element)
            if let value = element.value { examined.value?.append(value) }
            examined.failure = examined.failure ?? element.failure
            examined.findings += element.findings
        }
        return examined
    }
}

extension Dictionary: ExaminedCollection where Key: Decodable, Value: Decodable {
    static func examine(at node: JSONNodeDecoder, by examiner: Examiner) -> (any Outcome)? {
        // Other keys are read as an array of keys and values, or through `CodingKeyRepresentable`.
        guard Key.self == String.self else { return nil }
        var examined = Examined<[String: Value]>(value: [:])
        if node.kind != .object {
            do { _ = try node.container(keyedBy: AnyKey.self) } catch {
                examined.failure = error
                examined.findings = examiner.findings(of: error, in: Self.self, at: node)
            }
        }
        var seen: Set<String> = []
        // The first of repeated keys counts, as for the decoder.
        for (key, value) in node.fields where seen.insert(key).inserted {
            let value = examiner.examine(Value.self, at: value)
            examined.value?[key] = value.value
            examined.failure = examined.failure ?? value.failure
            examined.findings += value.findings
        }
        return examined
    }
}

/// A coding key made of any text.
struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }
}
