/// A type whose values stores can compare.
///
/// An enumeration with raw values only needs to declare the conformance:
///
/// ```swift
/// enum Status: String, FieldRepresentable { case open, done }
/// ```
public protocol FieldRepresentable: Sendable {
    /// The value for stores. Equal values have equal field values.
    var fieldValue: FieldValue { get }
}

extension RawRepresentable where Self: FieldRepresentable, RawValue: FieldRepresentable {
    /// The field value of the raw value.
    public var fieldValue: FieldValue { rawValue.fieldValue }
}

extension Bool: FieldRepresentable {
    /// 1 or 0.
    public var fieldValue: FieldValue { FieldValue(self ? 1 : 0 as Int64) }
}

extension String: FieldRepresentable {
    public var fieldValue: FieldValue { FieldValue(self) }
}

extension Double: FieldRepresentable {
    public var fieldValue: FieldValue { FieldValue(self) }
}

extension Float: FieldRepresentable {
    public var fieldValue: FieldValue { FieldValue(Double(self)) }
}

extension FieldRepresentable where Self: FixedWidthInteger {
    /// The integer, which is signed with up to 64 bits or unsigned with up to 32 bits.
    public var fieldValue: FieldValue { FieldValue(Int64(self)) }
}

extension Int: FieldRepresentable {}
extension Int8: FieldRepresentable {}
extension Int16: FieldRepresentable {}
extension Int32: FieldRepresentable {}
extension Int64: FieldRepresentable {}
extension UInt8: FieldRepresentable {}
extension UInt16: FieldRepresentable {}
extension UInt32: FieldRepresentable {}

extension WallTime: FieldRepresentable {
    /// Nanoseconds since 1970.
    public var fieldValue: FieldValue { FieldValue(nanoseconds) }
}

extension Optional: FieldRepresentable where Wrapped: FieldRepresentable {
    public var fieldValue: FieldValue { self?.fieldValue ?? .null }
}
