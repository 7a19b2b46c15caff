#if Macros
public import WharfJSON

/// Reads a struct, a final class or an enumeration from JSON and writes it: the straight-line code
/// that one would write by hand, as conformances to ``JSONDecodable`` and ``JSONEncodable``. The
/// file that uses it imports `WharfJSON` too.
///
/// ```swift
/// @JSONCodable(keys: .snakeCase)
/// struct User {
///     let id: Int
///     var name: String?                                   // missing or null: nil, which is left out again
///     var visits = 0                                      // missing: 0
///     @JSONField("address", "city") let city: String      // {"address": {"city": …}}
///     @JSONField("seen", as: SecondsSince1970.self) let seenAt: Date
///     @JSONIgnored var isSelected = false
/// }
/// ```
///
/// - Stored properties are read, all errors at once. A property of type `T??` tells a missing key
///   (nil) from null (`.some(nil)`). An initial value stands in for a missing key, not for null. A
///   `let` that has its value is left alone, as with `Codable`.
/// - An enumeration without payloads is a string: its raw value, or the name of the case. A raw
///   value of another type is read as that. ``JSONUnknown()`` names the case for everything else;
///   `case unknown(String)` keeps the text.
/// - What is written in the type already (`decode(from:)`, `encode(into:)`, a conformance) is left
///   as it is.
/// - The parameters of a generic type must be readable where its properties need it:
///   `extension Page: JSONDecodable where Item: JSONDecodable`.
///
/// - A public type in a module with `InternalImportsByDefault` needs `public import WharfJSON` and
///   says `: JSONCodable` itself: the compiler does not count what a macro writes among the uses of
///   an import, and would warn of one too many.
///
/// An editor shows what was written where the attribute stands. So does the compiler, for instance
/// to check it in where swift-syntax is not to be built:
/// `swift build -Xswiftc -Xfrontend -Xswiftc -dump-macro-expansions` prints the expansions of the
/// files that it compiles.
///
/// - Parameter keys: how keys follow from names. ``JSONField(_:)`` goes before it.
@attached(
    extension, conformances: JSONDecodable, JSONEncodable,
    names: named(init(json:)), named(decode(from:)), named(encode(into:))
)
@attached(member, names: named(init))
public macro JSONCodable(keys: JSONKeyStyle = .asWritten) =
    #externalMacro(module: "WharfMacrosPlugin", type: "JSONCodableMacro")

/// How a key follows from the name of a property.
public enum JSONKeyStyle: Sendable {
    case asWritten
    /// `createdAt` is `created_at`, `homeURL` is `home_url`.
    case snakeCase
}

/// The key of a property, or the keys that lead to it through nested objects. Properties that share
/// a way share its objects.
///
/// - Parameter path: literals without `"`, `\` and control characters.
@attached(peer) public macro JSONField(_ path: String...) =
    #externalMacro(module: "WharfMacrosPlugin", type: "JSONFieldMacro")

/// A property in a form that is not its type's own.
///
/// - Parameters:
///   - path: as in ``JSONField(_:)``; without one the key follows from the name.
///   - format: for an optional property the format of what is inside.
@attached(peer) public macro JSONField<Format: JSONFormat>(_ path: String..., as format: Format.Type) =
    #externalMacro(module: "WharfMacrosPlugin", type: "JSONFieldMacro")

/// A property that is neither read nor written. It needs a default.
@attached(peer) public macro JSONIgnored() = #externalMacro(module: "WharfMacrosPlugin", type: "JSONIgnoredMacro")

/// What stands for a case in JSON, instead of its name.
@attached(peer) public macro JSONCase(_ text: String) =
    #externalMacro(module: "WharfMacrosPlugin", type: "JSONCaseMacro")

/// The case for everything that none of the others stands for.
@attached(peer) public macro JSONUnknown() = #externalMacro(module: "WharfMacrosPlugin", type: "JSONUnknownMacro")
#endif
