#if Macros
import SwiftSyntax

/// The type of a closure, as far as a method that calls it needs it.
struct ClosureShape {
    struct Parameter {
        /// The name behind `_`, by which the method is called.
        let label: String?
        /// The same as an expression reads it.
        let readName: String?
        let type: String
        let isInout: Bool
    }

    let parameters: [Parameter]
    /// ` async throws`, as the type says it.
    let effects: String
    let isAsync: Bool
    /// It throws something: calls of it say `try`.
    let mayThrow: Bool
    /// It can throw that it was not implemented.
    let throwsAnyError: Bool
    /// `E` of `throws(E)`.
    let onlyError: String?
    let result: TypeSyntax
    /// The attributes of a global actor, with a blank behind them.
    let actor: String
    let isSendable: Bool
    let variadic: TupleTypeElementSyntax?

    /// Nil for what is no closure.
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
        // What runs on one actor can be sent anywhere.
        self.isSendable = isSendable || !actors.isEmpty
        parameters = function.parameters.map(Parameter.init)
        variadic = function.parameters.first { $0.ellipsis != nil }
        effects = function.effectSpecifiers.map { " " + $0.trimmedDescription } ?? ""
        isAsync = function.effectSpecifiers?.asyncSpecifier != nil
        let thrown = function.effectSpecifiers?.throwsClause.map { $0.type?.trimmedDescription ?? "any Error" }
        mayThrow = thrown != nil && thrown != "Never"
        throwsAnyError = thrown.map { ["any Error", "Error"].contains($0) } ?? false
        onlyError = mayThrow && !throwsAnyError ? thrown : nil
        result = function.returnClause.type.trimmed
    }

    var returnsNothing: Bool { ["Void", "()", "Swift.Void"].contains(result.trimmedDescription) }

    /// `try await `, as a call of it needs them.
    var marks: String { (mayThrow ? "try " : "") + (isAsync ? "await " : "") }

    /// `(ofUser:_:)`, or nothing.
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
