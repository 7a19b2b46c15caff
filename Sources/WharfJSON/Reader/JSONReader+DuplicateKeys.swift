extension JSONReader {
    /// Notes every key that its object had already. A pass of its own over what was readable, and
    /// only where it is asked for: so that every object is looked at, whether its type knows the
    /// key or not.
    mutating func noteDuplicateKeys() {
        let stopsAtFirst = notes.options.stopsAtFirstError
        if stopsAtFirst, !notes.isEmpty { return }
        let options = JSONReadingOptions(maximumDepth: notes.options.maximumDepth)
        var reader = JSONReader(JSONBytes(storage: storage), options: options)
        // What ended the reading before does not keep these out.
        reader.walkKeys { [limit = notes.options.maximumIssues] place, key in
            if stopsAtFirst, !notes.isEmpty { return }
            notes.append(
                JSONNote(offset: place, code: .duplicateKey, expected: "each key of an object once", key: key),
                limit: limit)
        }
    }

    /// Calls for each repeated key, until something can't be read. Without recursion, so that no
    /// depth overflows the stack.
    private mutating func walkKeys(_ found: (Int, String) -> Void) {
        struct Level {
            let isObject: Bool
            var elements = JSONElements()
            var fields = JSONFields(start: 0, round: 0)
            // Strings that are canonically equal are one in a `Set<String>`; as keys they are two.
            var keys: Set<[UInt8]> = []
        }
        var levels: [Level] = []
        while true {
            switch kind {
            case .object:
                guard let fields = beginObject() else { return }
                levels.append(Level(isObject: true, fields: fields))
            case .array:
                guard let elements = beginArray() else { return }
                levels.append(Level(isObject: false, elements: elements))
            default:
                skipValue()
                if let top = levels.indices.last, levels[top].isObject { endField(&levels[top].fields) }
            }
            // To the next value, out of what ends here.
            while true {
                guard !notes.isFatal, let top = levels.indices.last else { return }
                if levels[top].isObject {
                    if let (place, key) = nextKey(&levels[top].fields) {
                        if !levels[top].keys.insert(Array(key.utf8)).inserted { found(place, key) }
                        break
                    }
                } else if next(&levels[top].elements) {
                    break
                }
                levels.removeLast()
                if !notes.isFatal, let top = levels.indices.last, levels[top].isObject {
                    endField(&levels[top].fields)
                }
            }
        }
    }
}
