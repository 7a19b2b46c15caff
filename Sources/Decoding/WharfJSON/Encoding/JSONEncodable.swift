/// A type that writes itself to a ``JSONWriter`` in straight-line code.
///
/// The macro `@JSONCodable` writes the conformance, or you write it by hand:
///
/// ```swift
/// extension Rectangle: JSONEncodable {
///     func encode(into json: inout JSONWriter) {
///         json.beginObject()
///         json.field("width", width)
///         json.field("height", height)
///         json.endObject()
///     }
/// }
/// ```
public protocol JSONEncodable {
    /// Writes exactly one value.
    func encode(into json: inout JSONWriter)
}
