/// A type that reads itself from a ``JSONReader`` in straight-line code.
///
/// The macro `@JSONCodable` writes the conformance, or you write it by hand:
///
/// ```swift
/// extension Rectangle: JSONDecodable {
///     static func decode(from json: inout JSONReader) -> Rectangle? {
///         guard var fields = json.beginObject() else { return nil }
///         var width: Double?, height: Double?
///         repeat {
///             json.read("width", 0, into: &width, &fields)
///             json.read("height", 1, into: &height, &fields)
///         } while json.next(&fields)
///         guard let width, let height else {
///             return json.incomplete(fields, required: [(0, "width"), (1, "height")])
///         }
///         return Rectangle(width: width, height: height)
///     }
/// }
/// ```
public protocol JSONDecodable {
    /// Reads one value and moves the cursor after it.
    ///
    /// - Returns: nil if the value is wrong. Then `json` has noted the error with its place, and
    ///   has skipped the value. A parent that gets nil has nothing to add.
    static func decode(from json: inout JSONReader) -> Self?
}

/// A format of a value that is not the type's own, such as a date in seconds.
///
/// It is chosen per field.
public protocol JSONFormat {
    /// The type of the values in this format.
    associatedtype Value
    /// Reads one value: see ``JSONDecodable/decode(from:)``.
    static func decode(from json: inout JSONReader) -> Value?
    /// Writes exactly one value.
    static func encode(_ value: Value, into json: inout JSONWriter)
}

extension Optional: JSONFormat where Wrapped: JSONFormat {
    @inlinable public static func decode(from json: inout JSONReader) -> Wrapped.Value?? {
        if json.null() { return .some(nil) }
        return Wrapped.decode(from: &json).map { .some($0) }
    }

    @inlinable public static func encode(_ value: Wrapped.Value?, into json: inout JSONWriter) {
        if let value { Wrapped.encode(value, into: &json) } else { json.null() }
    }
}

/// An array of values in another format: `as: [SecondsSince1970].self`.
extension Array: JSONFormat where Element: JSONFormat {
    @inlinable public static func decode(from json: inout JSONReader) -> [Element.Value]? {
        guard var elements = json.beginArray() else { return nil }
        var array: [Element.Value] = []
        var isWhole = true
        while json.next(&elements) {
            if let element = Element.decode(from: &json) { array.append(element) } else { isWhole = false }
        }
        return isWhole ? array : nil
    }

    @inlinable public static func encode(_ values: [Element.Value], into json: inout JSONWriter) {
        json.beginArray()
        for value in values {
            Element.encode(value, into: &json)
            json.endField()
        }
        json.endArray()
    }
}

/// A type that reads itself from and writes itself to JSON.
public typealias JSONCodable = JSONDecodable & JSONEncodable
