/// The names of a schema's types and their members.
struct Names {
    let types: [String]
    /// The name of the document's type.
    let root: String
    /// The name of the type for values of unknown type.
    let anything: String
    private let acronyms: Set<String>

    init(_ schema: Schema, _ name: String, _ options: GenerationOptions, suffix: String) {
        acronyms = Set(options.acronyms.map { $0.lowercased() })
        var types: [String] = []
        var taken = Reserved.types
        // An array or a scalar at the top gets the name as a type alias.
        let given = Self.isTypeName(name) ? name : Self.typeName(name, acronyms)
        let document = Self.free(options.prefix + given, taken)
        anything = Self.free(document + "JSON", taken)
        taken.insert(anything)
        if !schema.isRootDeclared { taken.insert(document) }
        for declaration in schema.declarations {
            let base = declaration.hint == name ? given : Self.typeName(declaration.hint, acronyms)
            let parent = declaration.parent.flatMap { $0 < types.count ? types[$0] : nil }
            let inParent = parent.map { String($0.dropFirst(options.prefix.count)) + base }
            let candidates = [base, inParent, base + "Value", inParent.map { $0 + "Value" }].compactMap(\.self)
            let name =
                candidates.map { options.prefix + $0 }.first { !taken.contains($0) }
                ?? Self.numbered(options.prefix + base) { taken.contains($0) }
            taken.insert(name)
            types.append(name)
        }
        self.types = types.map { $0 + suffix }
        if case .declared(let id) = schema.root { root = self.types[id] } else { root = document + suffix }
    }

    func properties(_ keys: [String]) -> [String] { members(keys, Reserved.properties, fallback: "field") }

    func cases(_ keys: [String]) -> [String] { members(keys, Reserved.cases, fallback: "value") }

    private func members(_ keys: [String], _ reserved: Set<String>, fallback: String) -> [String] {
        var taken: Set<String> = []
        return keys.map { key in
            var name = Words(key).lowerCamelCase(acronyms)
            if name.isEmpty { name = Self.spelled(key) ?? fallback }
            if let first = name.unicodeScalars.first, !first.properties.isXIDStart { name = "_" + name }
            while reserved.contains(name) { name += "Value" }
            name = Self.numbered(name) { taken.contains($0) }
            taken.insert(name)
            return name
        }
    }

    /// Returns the name as written for a member, with backticks if it needs them.
    static func escaped(_ name: String) -> String { Reserved.keywords.contains(name) ? "`\(name)`" : name }

    /// Returns whether the text is a type name that can be used as it is, such as `CMSPage`.
    private static func isTypeName(_ text: String) -> Bool {
        text.first?.isUppercase ?? false
            && text.unicodeScalars.allSatisfy { $0.properties.isXIDContinue && $0 != "_" }
            && text.unicodeScalars.first?.properties.isXIDStart ?? false
    }

    static func typeName(_ hint: String, _ acronyms: Set<String>) -> String {
        let name = Words(hint).upperCamelCase(acronyms)
        guard let first = name.first else { return "Item" }
        if first.isUppercase { return name }
        // Without a capital it could collide with the name of a member.
        return (name.unicodeScalars.first.map(\.properties.isXIDStart) ?? false ? name : "_" + name) + "Value"
    }

    private static func free(_ name: String, _ taken: Set<String>) -> String {
        taken.contains(name) ? name + "Document" : name
    }

    private static func numbered(_ name: String, _ isTaken: (String) -> Bool) -> String {
        guard isTaken(name) else { return name }
        var number = 2
        while isTaken("\(name)\(number)") { number += 1 }
        return "\(name)\(number)"
    }

    /// Returns a name for a key without letters and digits.
    private static func spelled(_ key: String) -> String? {
        let words = key.compactMap { signs[$0] }
        guard let first = words.first, words.count == key.count else { return nil }
        return first + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    private static let signs: [Character: String] = [
        "@": "at", "#": "number", "$": "dollar", "%": "percent", "&": "and", "*": "asterisk", "+": "plus", "-": "minus",
        "/": "slash", "?": "question", "!": "exclamation", ".": "dot", "_": "underscore", "~": "tilde", "=": "equals",
        "<": "less", ">": "greater", ":": "colon", ",": "comma", "|": "bar", " ": "space",
    ]
}
