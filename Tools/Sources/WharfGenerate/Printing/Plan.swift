/// A schema with its names, and the facts that the printers need.
struct Plan {
    let schema: Schema
    let names: Names
    let options: GenerationOptions
    /// The declarations that contain themselves other than through an array or a dictionary.
    private let recursive: Set<Int>

    /// - Parameter suffix: the suffix of each type's name.
    init(_ schema: Schema, _ name: String, _ options: GenerationOptions, suffix: String = "") {
        self.schema = schema
        self.options = options
        names = Names(schema, name, options, suffix: suffix)
        recursive = schema.recursive
    }

    /// Returns whether an object must be a class, as a struct can't contain itself.
    func isClass(_ id: Int) -> Bool { options.usesClasses || recursive.contains(id) }

    func isIndirect(_ id: Int) -> Bool { recursive.contains(id) }

    var access: String { options.access == .internal ? "" : options.access.rawValue + " " }
    /// Returns `var` or `let`: a class with mutable properties could not be `Sendable`.
    func binding(_ id: Int) -> String {
        options.isMutable && !(isClass(id) && options.isSendable) ? "var" : "let"
    }

    /// - Parameter isExposed: whether declarations with the file's access level use the module.
    func importing(_ module: String, isExposed: Bool = true) -> String {
        (isExposed ? access : "") + "import " + module
    }

    var rootName: String { names.root }

    /// Writes a type alias with the document's name, if it is an array, a dictionary or a scalar.
    func alias(into source: inout SourceText) {
        guard !schema.isRootDeclared else { return }
        source.line("\(access)typealias \(rootName) = \(text(schema.root))")
        source.line()
    }

    /// Returns `: A, B`, or an empty string.
    func conformances(_ first: String?, isHashable: Bool) -> String {
        let all =
            (first.map { [$0] } ?? []) + (isHashable ? ["Hashable"] : []) + (options.isSendable ? ["Sendable"] : [])
        return all.isEmpty ? "" : ": " + all.joined(separator: ", ")
    }

    /// Returns whether a declaration can be `Hashable`: classes and types that contain one can't.
    func isHashable(_ id: Int) -> Bool {
        var seen: Set<Int> = []
        var open = [id]
        while let id = open.popLast() {
            guard seen.insert(id).inserted else { continue }
            if case .object = schema.declarations[id].content, isClass(id) { return false }
            open += schema.declarations[id].content.declared
        }
        return true
    }

    /// Returns the name of a type in the source.
    func text(_ type: ValueType) -> String {
        switch type {
        case .anything: options.form == .codable ? names.anything : "JSONValue"
        case .bool: "Bool"
        case .integer: "Int"
        case .unsigned: "UInt64"
        case .decimal: "Decimal"
        case .double: "Double"
        case .string: "String"
        case .date: "Date"
        case .uuid: "UUID"
        case .url: "URL"
        case .array(let element): "[\(text(element))]"
        case .map(let value): "[String: \(text(value))]"
        case .optional(let wrapped): text(wrapped) + "?"
        case .declared(let id): names.types[id]
        }
    }

    /// Returns whether any type in the schema, at any depth, meets a condition.
    func contains(_ isSo: (ValueType) -> Bool) -> Bool {
        let types = [schema.root] + schema.declarations.flatMap(\.content.types)
        return types.contains { $0.contains(isSo) }
    }

    /// Whether there can be values of unknown type.
    var needsUnknown: Bool {
        contains { $0 == .anything }
            || schema.declarations.contains { if case .union = $0.content { true } else { false } }
    }

    var needsFoundation: Bool {
        contains { type in
            switch type {
            case .date, .uuid, .url, .decimal: true
            default: false
            }
        }
    }
}

extension ValueType {
    func contains(_ isSo: (ValueType) -> Bool) -> Bool {
        if isSo(self) { return true }
        return switch self {
        case .array(let inner), .map(let inner), .optional(let inner): inner.contains(isSo)
        default: false
        }
    }
}

extension Schema {
    /// The declarations that contain themselves inline.
    ///
    /// A collection stores its elements out of line.
    fileprivate var recursive: Set<Int> {
        Set(
            declarations.indices.filter { id in
                var seen: Set<Int> = []
                var open = declarations[id].content.inPlace
                // An indirect enumeration stores its content out of line.
                let isObject = declarations[id].content.isObject
                while let next = open.popLast() {
                    if next == id { return true }
                    if isObject, !declarations[next].content.isObject { continue }
                    if seen.insert(next).inserted { open += declarations[next].content.inPlace }
                }
                return false
            })
    }
}

extension Declaration.Content {
    fileprivate var isObject: Bool {
        if case .object = self { true } else { false }
    }

    fileprivate var inPlace: [Int] { types.compactMap(\.inPlace) }
}

extension ValueType {
    fileprivate var inPlace: Int? {
        switch self {
        case .declared(let id): id
        case .optional(let wrapped): wrapped.inPlace
        default: nil
        }
    }
}
