/// A dictionary of structured fields (RFC 9651 §3.2), without the parameters of its members.
///
/// The parser is strict, as RFC 9651 §4.2 demands: one mistake makes the whole field invalid.
///
/// ```swift
/// StructuredDictionary("max-age=60, must-revalidate")?["max-age"]    // .integer(60)
/// StructuredDictionary("max-age=60, &")                              // nil
/// ```
package struct StructuredDictionary: Sendable, Hashable {
    /// The value of a member.
    package enum Value: Sendable, Hashable {
        case boolean(Bool)
        case integer(Int64)
        case string(String)
        case token(String)
        /// A decimal, a date, a byte sequence, a display string or an inner list.
        case other
    }

    private var values: [String: Value] = [:]

    /// Parses the value of a field. Several lines are first combined by ", " (RFC 9110 §5.3).
    ///
    /// - Returns: nil if the value is no dictionary. An empty value is an empty dictionary.
    package init?(_ value: String) {
        var parser = Parser(value)
        guard parser.parse(into: &values) else { return nil }
    }

    /// Whether there are no members.
    package var isEmpty: Bool { values.isEmpty }

    /// The names of the members, in no particular order.
    package var keys: some Collection<String> { values.keys }

    /// Returns the value of a member; nil if there is none.
    package subscript(key: String) -> Value? { values[key] }
}

/// The algorithms of RFC 9651 §4.2. Each method consumes its part, and returns nil or false if the
/// part is invalid.
private struct Parser {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) { rest = Array(text.utf8)[...] }

    /// §4.2 and §4.2.2.
    mutating func parse(into values: inout [String: StructuredDictionary.Value]) -> Bool {
        skip { $0 == UInt8(ascii: " ") }
        while !rest.isEmpty {
            guard let key = key() else { return false }
            var value = StructuredDictionary.Value.boolean(true)
            if take("=") {
                guard let found = member() else { return false }
                value = found
            }
            guard skipParameters() else { return false }
            // The last one of several members with the same key counts.
            values[key] = value
            // White space at the end is valid, and a comma at the end is not.
            skip(while: Self.isSpace)
            if rest.isEmpty { return true }
            guard take(",") else { return false }
            skip(while: Self.isSpace)
            if rest.isEmpty { return false }
        }
        return true
    }

    private mutating func member() -> StructuredDictionary.Value? {
        guard take("(") else { return item() }
        // §4.2.1.2.
        while true {
            skip { $0 == UInt8(ascii: " ") }
            if take(")") { return .other }
            guard item() != nil, skipParameters(), let next = rest.first,
                next == UInt8(ascii: " ") || next == UInt8(ascii: ")")
            else { return nil }
        }
    }

    /// §4.2.3.1.
    private mutating func item() -> StructuredDictionary.Value? {
        guard let first = rest.first else { return nil }
        switch first {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
        case UInt8(ascii: "\""): return string().map { .string($0) }
        case UInt8(ascii: ":"): return byteSequence()
        case UInt8(ascii: "?"): return boolean()
        case UInt8(ascii: "@"):
            rest.removeFirst()
            // §4.2.9: a date is an integer.
            guard case .integer = number() else { return nil }
            return .other
        case UInt8(ascii: "%"): return displayString()
        case UInt8(ascii: "*"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
            return .token(prefix { OctetSet.token.contains($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") })
        default: return nil
        }
    }

    /// §4.2.3.2. The values are checked and discarded.
    private mutating func skipParameters() -> Bool {
        while take(";") {
            skip { $0 == UInt8(ascii: " ") }
            guard key() != nil else { return false }
            if take("="), item() == nil { return false }
        }
        return true
    }

    /// §4.2.3.3.
    private mutating func key() -> String? {
        guard let first = rest.first, Self.isLowercase(first) || first == UInt8(ascii: "*") else { return nil }
        return prefix {
            Self.isLowercase($0) || OctetSet.digits.contains($0) || "_-.*".utf8.contains($0)
        }
    }

    /// §4.2.4. An integer has at most 15 digits, so it fits into 64 bits.
    private mutating func number() -> StructuredDictionary.Value? {
        let isNegative = take("-")
        let digits = prefix(while: OctetSet.digits.contains)
        guard take(".") else {
            guard digits.utf8.count <= 15, let value = Int64(digits) else { return nil }
            return .integer(isNegative ? -value : value)
        }
        let fraction = prefix(while: OctetSet.digits.contains).utf8.count
        guard (1...12).contains(digits.utf8.count), (1...3).contains(fraction) else { return nil }
        return .other
    }

    /// §4.2.5.
    private mutating func string() -> String? {
        rest.removeFirst()
        var content: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst(), "\"\\".utf8.contains(escaped) else { return nil }
                content.append(escaped)
            case UInt8(ascii: "\""): return String(decoding: content, as: UTF8.self)
            case 0x20...0x7E: content.append(byte)
            default: return nil
            }
        }
        return nil
    }

    /// §4.2.7. The content is Base64 and is not decoded here.
    private mutating func byteSequence() -> StructuredDictionary.Value? {
        rest.removeFirst()
        skip { Self.isAlphanumeric($0) || "+/=".utf8.contains($0) }
        return take(":") ? .other : nil
    }

    /// §4.2.8.
    private mutating func boolean() -> StructuredDictionary.Value? {
        rest.removeFirst()
        if take("1") { return .boolean(true) }
        return take("0") ? .boolean(false) : nil
    }

    /// §4.2.10: two lower-case digits follow each percent sign.
    private mutating func displayString() -> StructuredDictionary.Value? {
        rest.removeFirst()
        guard take("\"") else { return nil }
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return .other
            case UInt8(ascii: "%"):
                let digits = rest.prefix(2)
                guard digits.count == 2, digits.allSatisfy("0123456789abcdef".utf8.contains) else { return nil }
                rest.removeFirst(2)
            case 0x20...0x7E: continue
            default: return nil
            }
        }
        return nil
    }

    private mutating func take(_ octet: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: octet) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func skip(while isSkipped: (UInt8) -> Bool) { rest = rest.drop(while: isSkipped) }

    private mutating func prefix(while isPart: (UInt8) -> Bool) -> String {
        let part = rest.prefix(while: isPart)
        rest = rest[part.endIndex...]
        return String(decoding: part, as: UTF8.self)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private static func isLowercase(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isLowercase(byte) || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte || OctetSet.digits.contains(byte)
    }
}
