extension JSONValue: JSONEncodable {
    /// Writes the value.
    ///
    /// It does not recurse, so a deep tree does not grow the stack.
    public func encode(into json: inout JSONWriter) {
        var levels: [Level] = []
        var value = self
        while true {
            // Whether `value` is written whole. It is false after an opening bracket, whose
            // children come next.
            var isWhole = true
            switch value.content {
            case .null: json.null()
            case .bool(let value): json.bool(value)
            case .number(let number): json.raw(Array(number.text.utf8))
            case .string(let text): json.string(text)
            case .array(let elements):
                json.beginArray()
                levels.append(.array(elements.makeIterator()))
                isWhole = false
            case .object(let members):
                json.beginObject()
                levels.append(.object(members.makeIterator()))
                isWhole = false
            }
            // Moves to the next value, out of arrays and objects that end here.
            while true {
                guard let top = levels.indices.last else { return }
                if isWhole { json.endField() }
                if let next = levels[top].next(&json) {
                    value = next
                    break
                }
                levels.removeLast().close(&json)
                isWhole = true
            }
        }
    }

    /// The rest of an array or object that is being written.
    private enum Level {
        case array(IndexingIterator<[JSONValue]>)
        case object(IndexingIterator<[JSONMember]>)

        /// Returns the next value, after writing its key.
        mutating func next(_ json: inout JSONWriter) -> JSONValue? {
            switch self {
            case .array(var elements):
                defer { self = .array(elements) }
                return elements.next()
            case .object(var members):
                defer { self = .object(members) }
                guard let member = members.next() else { return nil }
                json.key(text: member.key)
                return member.value
            }
        }

        func close(_ json: inout JSONWriter) {
            switch self {
            case .array: json.endArray()
            case .object: json.endObject()
            }
        }
    }
}
