/// Reads a tree without recursion, so that a deep tree does not grow the stack.
struct JSONValueBuilder {
    /// An open array or object.
    private struct Level {
        let start: Int
        let isObject: Bool
        var elements = JSONElements()
        var fields = JSONFields(start: 0, round: 0)
        var values: [JSONValue] = []
        var members: [JSONMember] = []
        var key = ""
    }

    // The path from the root to the cursor. Each level but the last waits for the value of its
    // current key or index.
    private var levels: [Level] = []

    /// Returns nil only if the grammar is broken, as a tree accepts every value.
    mutating func read(_ json: inout JSONReader) -> JSONValue? {
        while true {
            let start = json.offset
            guard var value = scalar(&json) ?? open(&json) else {
                // A readable nil means that a level was opened, with the cursor at its first child.
                // Scalars give nil only after a breach of the grammar.
                if json.isReadable { continue }
                return nil
            }
            if value.range == nil { value = JSONValue(value.content, range: start..<json.offset) }
            if let root = close(value, &json) { return root }
            guard json.isReadable else { return nil }
        }
    }

    private func scalar(_ json: inout JSONReader) -> JSONValue? {
        switch json.kind {
        case .string: json.string().map { JSONValue(.string($0)) }
        case .number: json.numberText().map { JSONValue(.number(JSONNumber(checked: $0))) }
        case .bool: json.bool().map { JSONValue(.bool($0)) }
        case .null where json.null(): JSONValue(.null)
        case .object, .array: nil
        default: json.mismatch(expected: "a value")
        }
    }

    /// Enters an array or object.
    ///
    /// Returns the value if it is empty; nil if the cursor is at its first child.
    private mutating func open(_ json: inout JSONReader) -> JSONValue? {
        var level = Level(start: json.offset, isObject: json.kind == .object)
        switch json.kind {
        case .array:
            guard var elements = json.beginArray() else { return nil }
            guard json.next(&elements) else { return JSONValue(.array([])) }
            level.elements = elements
        case .object:
            guard var fields = json.beginObject() else { return nil }
            guard let (_, key) = json.nextKey(&fields) else { return json.isReadable ? JSONValue(.object([])) : nil }
            level.fields = fields
            level.key = key
        default: return nil
        }
        levels.append(level)
        return nil
    }

    /// Adds a value to its parent, and closes the parents that end after it.
    ///
    /// Returns the root if the tree is complete; nil if there is more to read, or nothing can be
    /// read.
    private mutating func close(_ value: JSONValue, _ json: inout JSONReader) -> JSONValue? {
        var value = value
        while let top = levels.indices.last {
            let start = levels[top].start
            if levels[top].isObject {
                levels[top].members.append(JSONMember(levels[top].key, value))
                json.endField(&levels[top].fields)
                if let (_, key) = json.nextKey(&levels[top].fields) {
                    levels[top].key = key
                    return nil
                }
                guard json.isReadable else { return nil }
                value = JSONValue(.object(levels[top].members), range: start..<json.offset)
            } else {
                levels[top].values.append(value)
                if json.next(&levels[top].elements) { return nil }
                guard json.isReadable else { return nil }
                value = JSONValue(.array(levels[top].values), range: start..<json.offset)
            }
            levels.removeLast()
        }
        return value
    }
}
