#if Macros
import SwiftSyntax

/// The constraints on a generic type's parameters that reading or writing its properties needs.
struct Requirements {
    /// The constrained types, such as `Item` or `Item.ID`, in the order of the properties.
    private var types: [String] = []
    private var keys: [String] = []

    init(_ types: [TypeSyntax], parameters: GenericParameterClauseSyntax?) {
        let names = Set(parameters?.parameters.map(\.name.text) ?? [])
        guard !names.isEmpty else { return }
        for type in types { collect(Syntax(type), names) }
    }

    private mutating func collect(_ node: Syntax, _ names: Set<String>) {
        // The key of a dictionary becomes the key of an object, so it needs another protocol than
        // the value.
        if let dictionary = node.as(DictionaryTypeSyntax.self), let key = dictionary.key.parameter(among: names) {
            if !keys.contains(key) { keys.append(key) }
            return collect(Syntax(dictionary.value), names)
        }
        if let type = node.as(TypeSyntax.self), let found = type.parameter(among: names) {
            // The parts of a found type need no constraint of their own.
            if !types.contains(found) { types.append(found) }
            return
        }
        for child in node.children(viewMode: .sourceAccurate) { collect(child, names) }
    }

    /// Returns the clause, as in ` where Item: JSONDecodable`; empty without constraints.
    func clause(_ role: String) -> String {
        let list = types.map { "\($0): \(role)" } + keys.map { "\($0): JSONObjectKey" }
        return list.isEmpty ? "" : " where " + list.joined(separator: ", ")
    }
}

extension TypeSyntax {
    /// Returns the type's text if it is one of the parameters or a member of one.
    fileprivate func parameter(among names: Set<String>) -> String? {
        if let plain = self.as(IdentifierTypeSyntax.self) {
            return names.contains(plain.name.text) ? plain.name.text : nil
        }
        guard let member = self.as(MemberTypeSyntax.self), member.genericArgumentClause == nil,
            member.baseType.parameter(among: names) != nil
        else { return nil }
        return trimmedDescription
    }
}
#endif
