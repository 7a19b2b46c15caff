/// A schema with its names, and what the printing of each form has to know of it.
struct Plan {
    let schema: Schema
    let names: Names
    let options: GenerationOptions
    /// Declarations that contain themselves other than through an array or a dictionary.
    private let recursive: Set<Int>

    /// - Parameter suffix: of each type's name.
    init(_ schema: Schema, _ name: String, _ options: GenerationOptions, suffix: String = "") {
        self.schema = schema
        self.options = options
        names = Names(schema, name, options, suffix: suffix)
        recursive = schema.recursive
    }

    /// Whether an object has to be a class: a struct can't contain itself.
    func isClass(_ id: Int) -> Bool { options.usesClasses || recursive.contains(id) }

    func isIndirect(_ id: Int) -> Bool { recursive.contains(id) }

    var access: String { options.access == .internal ? "" : options.access.rawValue + " " }
    /// A class that others may change is not Sendable.
    func binding(_ id: Int) -> String {
        options.isMutable && !(isClass(id) && options.isSendable) ? "var" : "let"
    }

    /// - Parameter isExposed: declarations of the file's access name something of it.
    func importing(_ module: String, isExposed: Bool = true) -> String {
        (isExposed ? access : "") + "import " + module
    }

    var rootName: String { names.root }

    /// The document's name, where it is an array, a dictionary or a scalar.
    func alias(into source: inout SourceText) {
        guard !schema.isRootDeclared else { return }
        source.line("\(access)typealias \(rootName) = \(text(schema.root))")
        source.line()
    }

    /// `: A, B`, or nothing.
    func conformances(_ first: String?, isHashable: Bool) -> String {
        let all =
            (first.map { [$0] } ?? []) + (isHashable ? ["Hashable"] : []) + (options.isSendable ? ["Sendable"] : [])
        return all.isEmpty ? "" : ": " + all.joined(separator: ", ")
    }

    /// Whether a declaration's values can be compared: classes are not, nor what holds one.
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

    /// The name of a type in the source.
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

    /// Whether anything in the schema, also deep in it, is so.
    func contains(_ isSo: (ValueType) -> Bool) -> Bool {
        let types = [schema.root] + schema.declarations.flatMap(\.content.types)
        return types.contains { $0.contains(isSo) }
    }

    /// Whether something may come of which the samples say nothing.
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
    /// Declarations that contain themselves in place: a collection holds its elements elsewhere.
    fileprivate var recursive: Set<Int> {
        Set(
            declarations.indices.filter { id in
                var seen: Set<Int> = []
                var open = declarations[id].content.inPlace
                // What goes through an enumeration lies elsewhere, since that one is indirect.
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
