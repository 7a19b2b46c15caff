#if Macros
import SwiftSyntax

/// A stored property of an interface: a closure, or another interface.
struct InterfaceEndpoint {
    /// As the source writes it, with backticks if it needs them.
    let name: String
    let type: TypeSyntax
    /// Nil for another interface.
    let closure: ClosureShape?
    /// The name of the method.
    let method: String
    /// What it returns where nobody has implemented it.
    let standIn: ExprSyntax?
    /// Its documentation, line by line.
    let documentation: [String]

    /// `readProfile(ofUser:)`.
    var calledAs: String { method + (closure?.labels ?? "") + (closure?.parameters.isEmpty == true ? "()" : "") }

    /// The closure itself is called by its name, so a method is written for what it can't have:
    /// names of arguments, a name that others share, a generic result.
    var hasMethod: Bool {
        guard let closure else { return false }
        return closure.parameters.contains { $0.label != nil } || method != name || closure.generic != nil
    }

    /// The type as a parameter of an initialiser has it.
    var parameterType: String { (closure == nil ? "" : "@escaping ") + type.trimmedDescription }

    /// The type with an optional around it.
    var optionalType: String {
        let isSimple = type.is(IdentifierTypeSyntax.self) || type.is(MemberTypeSyntax.self)
        return (isSimple ? type.trimmedDescription : "(\(type.trimmedDescription))") + "?"
    }
}
#endif
