extension JSONReader {
    /// Notes every repeated key of an object.
    ///
    /// It is a separate pass over the readable part, made only on request. So it covers every
    /// object and key, including those that no type knows.
    mutating func noteDuplicateKeys() {
        let stopsAtFirst = notes.options.stopsAtFirstError
        if stopsAtFirst, !notes.isEmpty { return }
        let options = JSONReadingOptions(maximumDepth: notes.options.maximumDepth)
        var reader = JSONReader(JSONBytes(storage: storage), options: options)
        // The duplicates are reported even if another error ended the reading.
        reader.walkKeys { [limit = notes.options.maximumIssues] place, key in
            if stopsAtFirst, !notes.isEmpty { return }
            notes.append(
                JSONNote(offset: place, code: .duplicateKey, expected: "each key of an object once", key: key),
                limit: limit)
        }
    }

    /// Calls `found` for each repeated key, until the text can't be read.
    ///
    /// It does not recurse, so no depth overflows the stack.
    private mutating func walkKeys(_ found: (Int, String) -> Void) {
        struct Level {
            let isObject: Bool
            var elements = JSONElements()
            var fields = JSONFields(start: 0, round: 0)
            // A `Set<String>` would treat canonically equivalent strings as one, but as keys they
            // differ.
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
                // A scalar. Arrays and objects get a level of their own, as their keys count too.
                skipValue()
                if let top = levels.indices.last, levels[top].isObject { endField(&levels[top].fields) }
            }
            // Moves to the next value, out of arrays and objects that end here.
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
