import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacrosGenericTestSupport
import Testing
import WharfChecks
import WharfMacrosPlugin

/// Compares the expansion of a source's macros.
enum Expansion {
    private static let macros: [String: MacroSpec] = [
        "JSONCodable": MacroSpec(type: JSONCodableMacro.self, conformances: ["JSONDecodable", "JSONEncodable"]),
        "Polymorphic": MacroSpec(
            type: PolymorphicMacro.self,
            conformances: ["JSONDecodable", "JSONEncodable", "JSONPolymorphic", "Decodable", "Encodable"]),
        "Interface": MacroSpec(type: InterfaceMacro.self),
        "Endpoint": MacroSpec(type: EndpointMacro.self),
        "TypeErased": MacroSpec(type: TypeErasedMacro.self),
        "JSONField": MacroSpec(type: JSONFieldMacro.self),
        "JSONIgnored": MacroSpec(type: JSONIgnoredMacro.self),
        "JSONCase": MacroSpec(type: JSONCaseMacro.self),
        "JSONUnknown": MacroSpec(type: JSONUnknownMacro.self),
    ]

    /// Checks the exact expansion, and that there are no diagnostics.
    static func check(
        _ source: String, becomes expanded: String, at location: Testing.SourceLocation = #_sourceLocation
    ) {
        assertMacroExpansion(
            source, expandedSource: expanded, macroSpecs: macros, failureHandler: { report($0, at: location) })
    }

    /// Checks the diagnostics, that nothing is added to the source, and the result of the fix-its.
    ///
    /// - Parameter stripped: the unchanged source without the macros' attributes.
    static func check(
        _ source: String, reports diagnostics: DiagnosticSpec..., leaving stripped: String,
        fixed: String? = nil, at location: Testing.SourceLocation = #_sourceLocation
    ) {
        assertMacroExpansion(
            source, expandedSource: stripped, diagnostics: diagnostics, macroSpecs: macros, fixedSource: fixed,
            failureHandler: { report($0, at: location) })
    }

    private static func report(_ failure: TestFailureSpec, at location: Testing.SourceLocation) {
        Issue.record(Comment(rawValue: failure.message), sourceLocation: location)
    }
}
