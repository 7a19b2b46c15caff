#if Macros
import WharfJSON

/// Reads and writes an enumeration with one payload a case as a union told apart by a tag: for
/// `WharfJSON` through ``JSONPolymorphic``, for every other coder through `Codable`. It adds
/// `Kind`, the cases without their payloads, and `kind`.
///
/// ```swift
/// @Polymorphic(discriminator: "type", content: "attributes")
/// enum Shape {
///     case square(Square), rectangle(Rectangle)
///     @JSONCase("circ") case circle(Circle)
///     case unknown(UnknownElement)
/// }
/// shapes.filter { $0.kind == .square }
/// ```
///
/// - The name of a case is its tag unless ``JSONCase(_:)`` says otherwise. A case without a payload
///   is the tag alone.
/// - A payload is read as `JSONDecodable` where it is that, and as `Decodable` where it is not; so
///   for writing. Either is enough for all coders.
/// - `case unknown(UnknownElement)`, or the one marked ``JSONUnknown()``, keeps elements of no
///   known kind: byte for byte through `WharfJSON`, by value through others. Without one they are
///   errors with their place.
///
/// - Parameters:
///   - discriminator: the key of the tag.
///   - content: the key of the payload beside the tag; nil where the tag stands in the payload.
@attached(
    extension, conformances: JSONDecodable, JSONEncodable, JSONPolymorphic, Decodable, Encodable,
    names: named(Kind), named(kind), named(discriminator), named(content), named(takeKind(_:)), named(decode(_:from:)),
    named(encodeContent(into:)), named(empty(_:)), named(unknownKind), named(keep(_:)), named(unknownElement),
    named(init(from:)), named(encode(to:))
)
public macro Polymorphic(discriminator: String, content: String? = nil) =
    #externalMacro(module: "WharfMacrosPlugin", type: "PolymorphicMacro")
#endif
