#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder

/// A stored property as JSON sees it.
struct Property {
    /// What it means that the key is missing or its value null.
    enum Presence {
        /// An error both.
        case required
        /// `T?`: nil both; nil is left out again.
        case optional
        /// `T??`: missing is nil, null is `.some(nil)`; each is written as it was read.
        case threeWay
        /// Missing leaves the initial value. Null is an error, or nil if the type is optional.
        case defaulted(isOptional: Bool)
    }

    /// As the source writes it, with backticks if it needs them.
    let name: String
    let path: [String]
    let type: PropertyType
    /// The type that reads and writes it in a form of its own.
    let format: String?
    let presence: Presence
    /// It has a value before an initialiser assigns one.
    let startsWithValue: Bool
    let node: Syntax

    var isRequired: Bool {
        if case .required = presence { true } else { false }
    }

    /// It may be missing and nothing of it is then written.
    var isLeftOut: Bool {
        switch presence {
        case .optional, .threeWay: true
        case .required, .defaulted: false
        }
    }
}

/// A property's type, as its declaration spells it.
struct PropertyType {
    let syntax: TypeSyntax
    /// What is inside of the optionals.
    let wrapped: TypeSyntax
    /// How many optionals there are around it.
    let depth: Int

    init(_ type: TypeSyntax) {
        syntax = type.trimmed
        var (inner, depth) = (syntax, 0)
        while let next = inner.wrappedType {
            (inner, depth) = (next.trimmed, depth + 1)
        }
        (wrapped, self.depth) = (inner, depth)
    }

    /// The type with so many optionals around it, written so that it starts as nil.
    func optional(_ depth: Int) -> String {
        let text = wrapped.trimmedDescription
        let isSimple =
            wrapped.is(IdentifierTypeSyntax.self) || wrapped.is(MemberTypeSyntax.self)
            || wrapped.is(ArrayTypeSyntax.self) || wrapped.is(DictionaryTypeSyntax.self)
            || wrapped.is(TupleTypeSyntax.self)
        return (isSimple ? text : "(\(text))") + String(repeating: "?", count: depth)
    }
}

extension TypeSyntax {
    fileprivate var wrappedType: TypeSyntax? {
        if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType }
        if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return optional.wrappedType }
        let (name, arguments): (TokenSyntax, GenericArgumentClauseSyntax?)
        if let plain = self.as(IdentifierTypeSyntax.self) {
            (name, arguments) = (plain.name, plain.genericArgumentClause)
        } else if let member = self.as(MemberTypeSyntax.self), member.baseType.trimmedDescription == "Swift" {
            (name, arguments) = (member.name, member.genericArgumentClause)
        } else {
            return nil
        }
        guard name.text == "Optional", let only = arguments?.arguments.first else { return nil }
        return TypeSyntax("\(raw: only.argument.trimmedDescription)")
    }
}
#endif
