/// A type whose values stores can compare.
///
/// An enumeration with raw values needs to say no more than that it conforms:
///
/// ```swift
/// enum Status: String, FieldRepresentable { case open, done }
/// ```
public protocol FieldRepresentable: Sendable {
    /// Law: values that are equal have equal field values.
    var fieldValue: FieldValue { get }
}

extension RawRepresentable where Self: FieldRepresentable, RawValue: FieldRepresentable {
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
    /// Of an integer of 64 bits or less that is signed, and of 32 bits or less that is not.
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
