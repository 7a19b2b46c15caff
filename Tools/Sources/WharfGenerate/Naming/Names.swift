/// The names of a schema's types, and of their members.
struct Names {
    let types: [String]
    /// Of the document's own type.
    let root: String
    /// Of the type for what the samples say nothing about.
    let anything: String
    private let acronyms: Set<String>

    init(_ schema: Schema, _ name: String, _ options: GenerationOptions, suffix: String) {
        acronyms = Set(options.acronyms.map { $0.lowercased() })
        var types: [String] = []
        var taken = Reserved.types
        // An array or a scalar at the top is an alias, which has the name.
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

    /// As it stands in the source where it is a member.
    static func escaped(_ name: String) -> String { Reserved.keywords.contains(name) ? "`\(name)`" : name }

    /// Whether it can stand as it is: who says `CMSPage` means that.
    private static func isTypeName(_ text: String) -> Bool {
        text.first?.isUppercase ?? false
            && text.unicodeScalars.allSatisfy { $0.properties.isXIDContinue && $0 != "_" }
            && text.unicodeScalars.first?.properties.isXIDStart ?? false
    }

    static func typeName(_ hint: String, _ acronyms: Set<String>) -> String {
        let name = Words(hint).upperCamelCase(acronyms)
        guard let first = name.first else { return "Item" }
        if first.isUppercase { return name }
        // Without a capital it would be the name of a member as well.
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

    /// What a key without letters and digits is called.
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
