extension Schema {
    /// Returns the schema with equal declarations merged, and without unused ones.
    func withoutRepetitions() -> Schema {
        var places = Array(declarations.indices)
        var isChanged = true
        while isChanged {
            isChanged = false
            var known: [Declaration.Content: Int] = [:]
            for index in declarations.indices where places[index] == index && !declarations[index].isKind {
                let content = declarations[index].content.moved { places[$0] }
                if case .enumeration = content, !isSameKey(index, known[content]) { continue }
                if let first = known[content] {
                    isChanged = true
                    for place in places.indices where places[place] == index { places[place] = first }
                } else {
                    known[content] = index
                }
            }
        }
        return moved { places[$0] }.withoutUnused()
    }

    /// Returns whether two enumerations of strings were found under the same key.
    ///
    /// Only then are they the same type.
    private func isSameKey(_ index: Int, _ other: Int?) -> Bool {
        guard let other else { return true }
        return declarations[index].hint == declarations[other].hint
    }

    private func moved(_ place: (Int) -> Int) -> Schema {
        Schema(
            root: root.moved(place),
            declarations: declarations.map { declaration in
                var declaration = declaration
                declaration.content = declaration.content.moved(place)
                declaration.parent = declaration.parent.map(place)
                return declaration
            })
    }

    private func withoutUnused() -> Schema {
        var used: Set<Int> = []
        var open = Array(root.declared)
        while let id = open.popLast() {
            if used.insert(id).inserted { open += declarations[id].content.declared }
        }
        let kept = declarations.indices.filter(used.contains)
        var places = Array(repeating: 0, count: declarations.count)
        for (new, old) in kept.enumerated() { places[old] = new }
        var schema = self
        for index in schema.declarations.indices {
            guard let parent = schema.declarations[index].parent, !used.contains(parent) else { continue }
            schema.declarations[index].parent = nil
        }
        schema = schema.moved { places[$0] }
        schema.declarations = kept.map { schema.declarations[$0] }
        return schema
    }
}

extension ValueType {
    func moved(_ place: (Int) -> Int) -> ValueType {
        switch self {
        case .array(let element): .array(element.moved(place))
        case .map(let value): .map(value.moved(place))
        case .optional(let wrapped): .optional(wrapped.moved(place))
        case .declared(let id): .declared(place(id))
        default: self
        }
    }

    /// The declarations that the type refers to.
    var declared: [Int] {
        switch self {
        case .array(let inner), .map(let inner), .optional(let inner): inner.declared
        case .declared(let id): [id]
        default: []
        }
    }
}

extension Declaration.Content {
    func moved(_ place: (Int) -> Int) -> Self { mapped { $0.moved(place) } }

    /// Returns the content with its types replaced.
    func mapped(_ other: (ValueType) -> ValueType) -> Self {
        switch self {
        case .object(var fields):
            for index in fields.indices { fields[index].type = other(fields[index].type) }
            return .object(fields)
        case .enumeration: return self
        case .union(var union):
            union.kinds = union.kinds.map { .init(tag: $0.tag, type: $0.type.map(other)) }
            return .union(union)
        case .mixed(let types): return .mixed(types.map(other))
        }
    }

    /// The key of the tag, if this is a union.
    var tagKey: String? {
        if case .union(let union) = self { union.tagKey } else { nil }
    }

    /// The types that the content contains.
    var types: [ValueType] {
        switch self {
        case .object(let fields): fields.map(\.type)
        case .enumeration: []
        case .union(let union): union.kinds.compactMap(\.type)
        case .mixed(let types): types
        }
    }

    var declared: [Int] { types.flatMap(\.declared) }
}
