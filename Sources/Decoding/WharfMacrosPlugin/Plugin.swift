#if Macros
import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main struct Plugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        JSONCodableMacro.self, PolymorphicMacro.self, InterfaceMacro.self, TypeErasedMacro.self,
        JSONFieldMacro.self, JSONIgnoredMacro.self, JSONCaseMacro.self, JSONUnknownMacro.self, EndpointMacro.self,
    ]
}
#else
/// Without the trait there are no macros to expand, and swift-syntax is not built.
@main enum NoPlugin {
    static func main() {}
}
#endif
