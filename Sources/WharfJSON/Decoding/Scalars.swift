extension Bool: JSONCodable {
    @inlinable @inline(__always) public static func decode(from json: inout JSONReader) -> Bool? { json.bool() }
    @inlinable public func encode(into json: inout JSONWriter) { json.bool(self) }
}

extension String: JSONCodable {
    @inlinable @inline(__always) public static func decode(from json: inout JSONReader) -> String? { json.string() }
    @inlinable public func encode(into json: inout JSONWriter) { json.string(self) }
}

extension Double: JSONCodable {
    @inlinable @inline(__always) public static func decode(from json: inout JSONReader) -> Double? { json.double() }
    @inlinable public func encode(into json: inout JSONWriter) { json.double(self) }
}

extension Float: JSONCodable {
    @inlinable public static func decode(from json: inout JSONReader) -> Float? { json.float() }
    @inlinable public func encode(into json: inout JSONWriter) { json.float(self) }
}

extension JSONDecodable where Self: FixedWidthInteger {
    @inlinable @inline(__always) public static func decode(from json: inout JSONReader) -> Self? { json.integer() }
}

extension JSONEncodable where Self: FixedWidthInteger {
    @inlinable public func encode(into json: inout JSONWriter) { json.integer(self) }
}

extension Int: JSONCodable {}
extension Int8: JSONCodable {}
extension Int16: JSONCodable {}
extension Int32: JSONCodable {}
extension Int64: JSONCodable {}
extension Int128: JSONCodable {}
extension UInt: JSONCodable {}
extension UInt8: JSONCodable {}
extension UInt16: JSONCodable {}
extension UInt32: JSONCodable {}
extension UInt64: JSONCodable {}
extension UInt128: JSONCodable {}

/// `null` is nil. In an object a field that may also be absent is read into a `Value??`, where nil
/// means absent.
extension Optional: JSONDecodable where Wrapped: JSONDecodable {
    @inlinable @inline(__always) public static func decode(from json: inout JSONReader) -> Wrapped?? {
        if json.null() { return .some(nil) }
        return Wrapped.decode(from: &json).map { .some($0) }
    }
}

extension Optional: JSONEncodable where Wrapped: JSONEncodable {
    @inlinable public func encode(into json: inout JSONWriter) {
        if let self { self.encode(into: &json) } else { json.null() }
    }
}

/// An enumeration with raw values: `enum Suit: String, JSONCodable { … }` needs no more. A value
/// that is none of its cases is noted, with the cases where the type lists them.
extension JSONDecodable where Self: RawRepresentable, RawValue: JSONDecodable {
    @inlinable public static func decode(from json: inout JSONReader) -> Self? {
        let place = json.offset
        guard let raw = RawValue.decode(from: &json) else { return nil }
        return Self(rawValue: raw) ?? json.invalid(at: place, .unknownCase, expected: expectation(of: Self.self))
    }
}

extension JSONEncodable where Self: RawRepresentable, RawValue: JSONEncodable {
    @inlinable public func encode(into json: inout JSONWriter) { rawValue.encode(into: &json) }
}

@usableFromInline package func expectation<Value: RawRepresentable>(of type: Value.Type) -> String {
    func cases<Listed: CaseIterable>(_ type: Listed.Type) -> [Any] { type.allCases.map { $0 } }
    guard let listed = type as? any CaseIterable.Type else { return "a value of \(type)" }
    let values = cases(listed).compactMap { ($0 as? Value)?.rawValue }
    return oneOf(values.map { $0 is String ? "\"\($0)\"" : "\($0)" })
}

/// "one of …" for messages.
@usableFromInline func oneOf(_ values: [String]) -> String {
    values.count == 1 ? values[0] : "one of \(values.joined(separator: ", "))"
}
