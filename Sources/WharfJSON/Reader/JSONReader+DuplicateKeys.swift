extension JSONReader {
    /// Notes every key that its object had already. A pass of its own over what was readable, and only where it is asked for: so
    /// that every object is looked at, whether its type knows the key or not.
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

    /// Calls for each repeated key, until something can't be read.
    private mutating func walkKeys(_ found: (Int, String) -> Void) {
        switch kind {
        case .object:
            guard var fields = beginObject() else { return }
            // Strings that are canonically equal are one in a `Set<String>`; as keys they are two.
            var keys: Set<[UInt8]> = []
            while let (place, key) = nextKey(&fields) {
                if !keys.insert(Array(key.utf8)).inserted { found(place, key) }
                walkKeys(found)
                endField(&fields)
            }
        case .array:
            guard var elements = beginArray() else { return }
            while next(&elements) { walkKeys(found) }
        default:
            skipValue()
        }
    }
}
