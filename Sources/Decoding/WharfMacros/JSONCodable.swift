#if Macros
public import WharfJSON

/// Makes a struct, a final class or an enumeration readable from and writable to JSON.
///
/// It writes conformances to ``JSONDecodable`` and ``JSONEncodable``: the straight-line code that
/// one would write by hand. A file that uses the macro imports `WharfJSON` too.
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
/// - Stored properties are read, and all errors are reported at once. A property of type `T??`
///   distinguishes a missing key (nil) from null (`.some(nil)`). An initial value replaces a
///   missing key, but not null. A `let` with a value is left alone, as with `Codable`.
/// - An enumeration without payloads is a string: its raw value, or the name of the case. A raw
///   value of another type is read as that type. ``JSONUnknown()`` names the case for all other
///   texts; `case unknown(String)` keeps the text.
/// - Members that the type already has (`decode(from:)`, `encode(into:)`, a conformance) are left
///   alone.
/// - The parameters of a generic type must be readable if its properties need it:
///   `extension Page: JSONDecodable where Item: JSONDecodable`.
///
/// - A public type in a module with `InternalImportsByDefault` needs `public import WharfJSON`, and
///   must declare `: JSONCodable` itself. The compiler does not count a macro's code among the uses
///   of an import, and would warn of an unused one.
///
/// An editor can show the expansion at the attribute. The compiler can too, so that you can commit
/// the code and build without swift-syntax.
/// `swift build -Xswiftc -Xfrontend -Xswiftc -dump-macro-expansions` prints the expansions of the
/// files that it compiles.
///
/// - Parameter keys: the rule that derives keys from names. ``JSONField(_:)`` overrides it.
@attached(
    extension, conformances: JSONDecodable, JSONEncodable,
    names: named(init(json:)), named(decode(from:)), named(encode(into:))
)
@attached(member, names: named(init))
public macro JSONCodable(keys: JSONKeyStyle = .asWritten) =
    #externalMacro(module: "WharfMacrosPlugin", type: "JSONCodableMacro")

/// The rule that derives a key from the name of a property.
public enum JSONKeyStyle: Sendable {
    /// The name of the property itself.
    case asWritten
    /// Words in lowercase with underscores: `createdAt` is `created_at`, `homeURL` is `home_url`.
    case snakeCase
}

/// The key of a property, or the path of keys to it through nested objects.
///
/// Properties with a common path share its objects.
///
/// - Parameter path: literals without `"`, `\` and control characters.
@attached(peer) public macro JSONField(_ path: String...) =
    #externalMacro(module: "WharfMacrosPlugin", type: "JSONFieldMacro")

/// A property in a format other than its type's own.
///
/// - Parameters:
///   - path: as in ``JSONField(_:)``; without one the key is derived from the name.
///   - format: for an optional property the format of the wrapped value.
@attached(peer) public macro JSONField<Format: JSONFormat>(_ path: String..., as format: Format.Type) =
    #externalMacro(module: "WharfMacrosPlugin", type: "JSONFieldMacro")

/// A property that is neither read nor written. It needs a default.
@attached(peer) public macro JSONIgnored() = #externalMacro(module: "WharfMacrosPlugin", type: "JSONIgnoredMacro")

/// The text of a case in JSON, in place of its name.
@attached(peer) public macro JSONCase(_ text: String) =
    #externalMacro(module: "WharfMacrosPlugin", type: "JSONCaseMacro")

/// The case for texts that match no other case.
@attached(peer) public macro JSONUnknown() = #externalMacro(module: "WharfMacrosPlugin", type: "JSONUnknownMacro")
#endif
