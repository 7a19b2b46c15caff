#if Macros
import WharfJSON

/// Reads and writes an enumeration with one payload per case as a tagged union.
///
/// `WharfJSON` codes it through ``JSONPolymorphic``, and other coders through `Codable`. The macro
/// adds `Kind`, the cases without their payloads, and `kind`.
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
/// - The name of a case is its tag unless ``JSONCase(_:)`` gives another. A case without a payload
///   is the tag alone.
/// - A payload that is `JSONDecodable` is read as such, and otherwise as `Decodable`. Writing works
///   alike. Either conformance is enough for all coders.
/// - `case unknown(UnknownElement)`, or the case marked ``JSONUnknown()``, keeps elements with an
///   unknown tag. `WharfJSON` keeps them byte for byte, other coders by value. Without such a case
///   they are errors with their place.
///
/// - Parameters:
///   - discriminator: the key of the tag.
///   - content: the key of the payload beside the tag; nil if the tag is inside the payload.
@attached(
    extension, conformances: JSONDecodable, JSONEncodable, JSONPolymorphic, Decodable, Encodable,
    names: named(Kind), named(kind), named(discriminator), named(content), named(takeKind(_:)), named(decode(_:from:)),
    named(encodeContent(into:)), named(empty(_:)), named(unknownKind), named(keep(_:)), named(unknownElement),
    named(init(from:)), named(encode(to:))
)
public macro Polymorphic(discriminator: String, content: String? = nil) =
    #externalMacro(module: "WharfMacrosPlugin", type: "PolymorphicMacro")
#endif
