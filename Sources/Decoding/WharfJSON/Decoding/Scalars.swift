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

/// `null` is nil. A field that may be absent too is read into a `Value??`, in which nil means
/// absent.
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

/// An enumeration with raw values needs only the declaration:
/// `enum Suit: String, JSONCodable { … }`.
///
/// A value that is none of its cases is an error, which lists the cases if the type is
/// `CaseIterable`.
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

/// Returns "one of …" for messages.
@usableFromInline func oneOf(_ values: [String]) -> String {
    values.count == 1 ? values[0] : "one of \(values.joined(separator: ", "))"
}
