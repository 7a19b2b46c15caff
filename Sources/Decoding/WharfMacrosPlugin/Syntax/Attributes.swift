#if Macros
import SwiftParser
import SwiftSyntax

extension AttributeListSyntax {
    /// Returns the first attribute with this name, with or without a module prefix.
    ///
    /// Examples are `@JSONField` and `@WharfMacros.JSONField`.
    func first(named name: String) -> AttributeSyntax? {
        for case .attribute(let attribute) in self where attribute.plainName == name { return attribute }
        return nil
    }
}

extension AttributeSyntax {
    var plainName: String {
        let name = attributeName
        if let member = name.as(MemberTypeSyntax.self) { return member.name.text }
        return name.as(IdentifierTypeSyntax.self)?.name.text ?? name.trimmedDescription
    }

    var labeled: [LabeledExprSyntax] {
        guard case .argumentList(let list)? = arguments else { return [] }
        return Array(list)
    }

    func argument(_ label: String) -> ExprSyntax? {
        labeled.first { $0.label?.text == label }?.expression
    }
}

extension ExprSyntax {
    /// The value of a string literal without interpolation.
    var stringValue: String? { self.as(StringLiteralExprSyntax.self)?.representedLiteralValue }

    /// The base of a metatype: `UserService` for `UserService.self`, `any P` for `(any P).self`.
    var metatypeBase: String? {
        guard let member = self.as(MemberAccessExprSyntax.self), memberName == "self", let base = member.base else {
            return nil
        }
        let inner = base.as(TupleExprSyntax.self).flatMap { $0.elements.count == 1 ? $0.elements.first : nil }
        return (inner?.expression ?? base).trimmedDescription
    }

    /// The member's name, as in `snakeCase` for `.snakeCase` or `JSONKeys.snakeCase`.
    var memberName: String? { self.as(MemberAccessExprSyntax.self)?.declName.baseName.text }
}
#endif
