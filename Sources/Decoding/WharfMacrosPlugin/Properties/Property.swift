#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder

/// A stored property and its place in JSON.
struct Property {
    /// The meaning of a missing key and of null.
    enum Presence {
        /// Both are errors.
        case required
        /// `T?`: both are nil; nil is left out on writing.
        case optional
        /// `T??`: missing is nil, null is `.some(nil)`. Each is written as it was read.
        case threeWay
        /// A missing key leaves the initial value. Null is an error, or nil if the type is
        /// optional.
        case defaulted(isOptional: Bool)
    }

    /// The name as written in the source, with backticks if it needs them.
    let name: String
    let path: [String]
    let type: PropertyType
    /// The type of the property's format, if it has one.
    let format: String?
    let presence: Presence
    /// Whether the property has a value before an initialiser assigns one.
    let startsWithValue: Bool
    let node: Syntax

    var isRequired: Bool {
        if case .required = presence { true } else { false }
    }

    /// Whether the key may be missing, and is left out for nil.
    var isLeftOut: Bool {
        switch presence {
        case .optional, .threeWay: true
        case .required, .defaulted: false
        }
    }
}

/// A property's type as its declaration spells it.
struct PropertyType {
    let syntax: TypeSyntax
    /// The type inside all optionals.
    let wrapped: TypeSyntax
    /// The number of optionals around it.
    let depth: Int

    init(_ type: TypeSyntax) {
        syntax = type.trimmed
        var (inner, depth) = (syntax, 0)
        // `T?`, `T!`, `Optional<T>` and any mixture of them.
        while let next = inner.wrappedType {
            (inner, depth) = (next.trimmed, depth + 1)
        }
        (wrapped, self.depth) = (inner, depth)
    }

    /// Returns the type in `depth` optionals, spelled so that a variable of it starts as nil.
    func optional(_ depth: Int) -> String {
        let text = wrapped.trimmedDescription
        // `any P?` would not parse as an optional of `any P`, so other types get parentheses.
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
