#if Macros
public import SwiftSyntax
public import SwiftSyntaxMacros

/// An attribute that another macro reads; it expands to nothing.
public protocol Marker: PeerMacro {}

extension Marker {
    public static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] { [] }
}

/// `@JSONField`: the path or format of a property.
public enum JSONFieldMacro: Marker {}
/// `@JSONIgnored`: excludes a property from JSON.
public enum JSONIgnoredMacro: Marker {}
/// `@JSONCase`: the text of a case in JSON.
public enum JSONCaseMacro: Marker {}
/// `@JSONUnknown`: marks the case for unknown texts.
public enum JSONUnknownMacro: Marker {}
/// `@Endpoint`: the name or the default of an endpoint.
public enum EndpointMacro: Marker {}
#endif
