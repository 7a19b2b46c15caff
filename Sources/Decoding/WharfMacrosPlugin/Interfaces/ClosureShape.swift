#if Macros
import SwiftSyntax

/// The parts of a closure's type that are needed to generate a method that calls it.
struct ClosureShape {
    struct Parameter {
        /// The name after `_`, which is the method's argument label.
        let label: String?
        /// The same name as written in an expression.
        let readName: String?
        let type: String
        let isInout: Bool
    }

    let parameters: [Parameter]
    /// The effects as written in the type, as in ` async throws`.
    let effects: String
    let isAsync: Bool
    /// Whether it throws, so that calls need `try`.
    let mayThrow: Bool
    /// Whether it can throw the error that it is not implemented.
    let throwsAnyError: Bool
    /// `E` of `throws(E)`.
    let onlyError: String?
    let result: TypeSyntax
    /// The attributes of a global actor, followed by a blank.
    let actor: String
    let isSendable: Bool
    let variadic: TupleTypeElementSyntax?

    /// Returns nil if the type is not a closure.
    init?(_ type: TypeSyntax) {
        let attributed = type.as(AttributedTypeSyntax.self)
        guard let function = (attributed?.baseType ?? type).as(FunctionTypeSyntax.self) else { return nil }
        var actors: [String] = []
        var isSendable = false
        for case .attribute(let attribute) in attributed?.attributes ?? [] {
            switch attribute.plainName {
            case "Sendable": isSendable = true
            case "convention", "concurrent", "isolated", "escaping", "autoclosure": break
            default: actors.append(attribute.trimmedDescription)
            }
        }
        actor = actors.map { $0 + " " }.joined()
        // A closure that runs on a global actor is implicitly `@Sendable`.
        self.isSendable = isSendable || !actors.isEmpty
        parameters = function.parameters.map(Parameter.init)
        variadic = function.parameters.first { $0.ellipsis != nil }
        effects = function.effectSpecifiers.map { " " + $0.trimmedDescription } ?? ""
        isAsync = function.effectSpecifiers?.asyncSpecifier != nil
        // Plain `throws` means `any Error`; `throws(Never)` means no error at all.
        let thrown = function.effectSpecifiers?.throwsClause.map { $0.type?.trimmedDescription ?? "any Error" }
        mayThrow = thrown != nil && thrown != "Never"
        throwsAnyError = thrown.map { ["any Error", "Error"].contains($0) } ?? false
        onlyError = mayThrow && !throwsAnyError ? thrown : nil
        result = function.returnClause.type.trimmed
    }

    var returnsNothing: Bool { ["Void", "()", "Swift.Void"].contains(result.trimmedDescription) }

    /// The keywords for a call, as in `try await `.
    var marks: String { (mayThrow ? "try " : "") + (isAsync ? "await " : "") }

    /// The argument labels, as in `(ofUser:_:)`; empty without parameters.
    var labels: String {
        parameters.isEmpty ? "" : "(" + parameters.map { ($0.label ?? "_") + ":" }.joined() + ")"
    }

    /// `P` of `(…, any P.Type, …) throws -> any P`, which a generic method can restore.
    var generic: (parameter: Int, bound: String)? {
        let returned = result.trimmedDescription
        guard throwsAnyError, returned.hasPrefix("any ") else { return nil }
        let index = parameters.firstIndex { $0.type == returned + ".Type" }
        return index.map { ($0, String(returned.dropFirst("any ".count))) }
    }
}

extension ClosureShape.Parameter {
    fileprivate init(_ element: TupleTypeElementSyntax) {
        let name = (element.secondName ?? element.firstName).flatMap { $0.tokenKind == .wildcard ? nil : $0 }
        label = name?.text
        readName = name?.readName
        type = element.type.trimmedDescription
        isInout =
            element.type.as(AttributedTypeSyntax.self)?.specifiers
            .contains { $0.trimmedDescription == "inout" } ?? (element.inoutKeyword != nil)
    }
}
#endif
