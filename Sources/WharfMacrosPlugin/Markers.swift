#if Macros
public import SwiftSyntax
public import SwiftSyntaxMacros

/// An attribute that another macro reads; by itself it adds nothing.
public protocol Marker: PeerMacro {}

extension Marker {
    public static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] { [] }
}

public enum JSONFieldMacro: Marker {}
public enum JSONIgnoredMacro: Marker {}
public enum JSONCaseMacro: Marker {}
public enum JSONUnknownMacro: Marker {}
public enum EndpointMacro: Marker {}
#endif
