#if Macros
import SwiftSyntax

/// A stored property of an interface: a closure, or another interface.
struct InterfaceEndpoint {
    /// The name as written in the source, with backticks if it needs them.
    let name: String
    let type: TypeSyntax
    /// The closure; nil for another interface.
    let closure: ClosureShape?
    /// The name of the method.
    let method: String
    /// The value that it returns if it is not implemented.
    let standIn: ExprSyntax?
    /// Its documentation, line by line.
    let documentation: [String]

    /// The name with its labels, as in `readProfile(ofUser:)`.
    var calledAs: String { method + (closure?.labels ?? "") + (closure?.parameters.isEmpty == true ? "()" : "") }

    /// Whether a method is written besides the closure.
    ///
    /// A closure can't have argument labels, a name shared with others, or a generic result.
    var hasMethod: Bool {
        guard let closure else { return false }
        return closure.parameters.contains { $0.label != nil } || method != name || closure.generic != nil
    }

    /// The type as written for a parameter of an initialiser.
    var parameterType: String { (closure == nil ? "" : "@escaping ") + type.trimmedDescription }

    /// The type wrapped in an optional.
    var optionalType: String {
        let isSimple = type.is(IdentifierTypeSyntax.self) || type.is(MemberTypeSyntax.self)
        return (isSimple ? type.trimmedDescription : "(\(type.trimmedDescription))") + "?"
    }
}
#endif
