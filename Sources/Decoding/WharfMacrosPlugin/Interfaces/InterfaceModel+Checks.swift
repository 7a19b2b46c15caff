#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

extension InterfaceModel {
    /// Returns the problems of a closure.
    func check(
        _ closure: ClosureShape, _ endpoint: InterfaceEndpoint, _ binding: PatternBindingSyntax,
        _ variable: VariableDeclSyntax
    ) -> [Problem] {
        var problems: [Problem] = []
        if !closure.isSendable {
            let type = endpoint.type(in: binding)
            // An alias can't have the attribute; the closure's type must have it.
            let isAlias = ClosureShape(type) == nil
            problems.append(
                Problem(
                    "sendable", "an endpoint is called from any thread, so its closure must be '@Sendable'", at: type,
                    fixIts: isAlias ? [] : [.addSendable(to: type)]))
        }
        if let variadic = closure.variadic {
            problems.append(
                Problem("variadic", "a variadic parameter can't be forwarded; use an array", at: variadic))
        }
        if closure.throwsAnyError || closure.returnsNothing {
            if let standIn = endpoint.standIn {
                let reason = closure.throwsAnyError ? "throws" : "returns nothing"
                problems.append(
                    Problem(
                        "needlessDefault",
                        "'\(endpoint.name)' \(reason) without an implementation, so it needs no default",
                        at: standIn))
            }
        } else if endpoint.standIn == nil {
            let what =
                closure.mayThrow
                ? "throws errors of one type only, and returns a value" : "returns a value and can't throw"
            problems.append(
                Problem(
                    "default",
                    "'\(endpoint.name)' \(what); give '@Endpoint(default:)' the value for a missing implementation",
                    at: binding, fixIts: [.addStandIn(to: variable)]))
        }
        return problems
    }

    /// Returns the problems of a property that is not a closure.
    func check(
        _ endpoint: InterfaceEndpoint, _ binding: PatternBindingSyntax, _ variable: VariableDeclSyntax
    ) -> [Problem] {
        let isNamed = endpoint.type.is(IdentifierTypeSyntax.self) || endpoint.type.is(MemberTypeSyntax.self)
        guard endpoint.standIn == nil, !isNamed else { return [] }
        return [
            Problem(
                "property",
                "'\(endpoint.name)' is neither a closure nor another interface; give '@Endpoint(default:)' the value for a "
                    + "missing implementation",
                at: binding, fixIts: [.addStandIn(to: variable)])
        ]
    }
}

extension InterfaceEndpoint {
    /// Returns the type as written in the source.
    fileprivate func type(in binding: PatternBindingSyntax) -> TypeSyntax { binding.typeAnnotation?.type ?? type }
}

extension FixIt {
    fileprivate static func addSendable(to type: TypeSyntax) -> FixIt {
        let changed: TypeSyntax = "@Sendable \(raw: type.trimmedDescription)"
        return replace(
            "addSendable", "add '@Sendable'", type,
            by: changed.with(\.leadingTrivia, type.leadingTrivia).with(\.trailingTrivia, type.trailingTrivia))
    }

    /// Adds `default:` to the `@Endpoint` attribute, or adds the attribute.
    fileprivate static func addStandIn(to variable: VariableDeclSyntax) -> FixIt {
        let message = "add '@Endpoint(default:)'"
        if let mark = variable.attributes.first(named: "Endpoint") {
            let others = mark.labeled.map { $0.with(\.trailingComma, nil).trimmedDescription } + ["default: <#value#>"]
            let changed: AttributeSyntax = "@Endpoint(\(raw: others.joined(separator: ", ")))"
            return replace(
                "addStandIn", message, mark,
                by: changed.with(\.leadingTrivia, mark.leadingTrivia).with(\.trailingTrivia, mark.trailingTrivia))
        }
        let first = variable.firstToken(viewMode: .sourceAccurate) ?? variable.bindingSpecifier
        let marked = first.with(\.leadingTrivia, first.leadingTrivia)
            .with(\.tokenKind, .identifier("@Endpoint(default: <#value#>) \(first.text)"))
        return replace("addStandIn", message, first, by: marked)
    }
}
#endif
