/// Access to the values of a document one by one, for a check that collects all its errors.
extension JSONNodeDecoder {
    /// Creates a decoder at the top of a document.
    ///
    /// - Throws: `DecodingError` if the document is not JSON.
    package init(_ bytes: JSONBytes, _ options: CodableJSONDecoder) throws {
        self.init(try CodableDocument(bytes, options: options), .root)
    }

    /// The identity of the value within its document.
    package var id: Int { place.index }

    /// The offset of the value's first byte.
    package var offset: Int { document.range(of: place.index).lowerBound }

    package var kind: JSONKind {
        switch document.nodes[place.index].kind {
        case .null: .null
        case .no, .yes: .bool
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    /// Whether the stack is used up.
    ///
    /// The coders of a type that nests too deep for the stack stop here.
    package var isStackUsedUp: Bool { document.stack.isUsedUp }

    /// Whether the type is read without its own `init(from:)`.
    ///
    /// Scalars, collections and types with a strategy are.
    package func isRouted<Value: Decodable>(_ type: Value.Type) -> Bool { document.route(for: type) != nil }

    /// The elements of an array; empty for another value. O(n).
    package var elements: [JSONNodeDecoder] {
        guard kind == .array else { return [] }
        var elements: [JSONNodeDecoder] = []
        elements.reserveCapacity(Int(document.nodes[place.index].count))
        var index = place.index + 2
        while index < Int(document.nodes[place.index].end) {
            elements.append(JSONNodeDecoder(document, place.linked(index, ElementKey(index: elements.count))))
            index = document.following(index)
        }
        return elements
    }

    /// Returns an element; nil if there is none.
    ///
    /// O(n), without creating a decoder for each earlier element.
    private func element(at wanted: Int) -> JSONNodeDecoder? {
        guard kind == .array, 0..<Int(document.nodes[place.index].count) ~= wanted else { return nil }
        var index = place.index + 2
        for _ in 0..<wanted { index = document.following(index) }
        return JSONNodeDecoder(document, place.linked(index, ElementKey(index: wanted)))
    }

    /// The fields of an object in document order, with unconverted keys.
    ///
    /// It is empty for another value. O(n).
    package var fields: [(key: String, value: JSONNodeDecoder)] {
        guard kind == .object else { return [] }
        var fields: [(key: String, value: JSONNodeDecoder)] = []
        document.forEachKey(of: place.index) { text, index in
            fields.append((text, JSONNodeDecoder(document, place.linked(index, ElementKey(stringValue: text)))))
        }
        return fields
    }

    /// Returns the keys of an object, each with its place.
    ///
    /// If the strategy makes keys equal, the first counts.
    ///
    /// - Returns: the key as the strategy converts it (`name`), and as the document has it
    ///   (`text`).
    package func keys() -> [(name: String, text: String, offset: Int)] {
        let index = KeyIndex(place.index, of: document, at: place)
        return index.keys.map { name in
            // A key is the node before its value and starts after its quote. Each key of the index
            // has a value there.
            let key = document.nodes[index.values[name].unsafelyUnwrapped - 1]
            return (name, document.text(key), Int(key.start) - 1)
        }
    }

    /// Returns an error of a type's own with its place, if its coding path leads to one.
    package func located(_ error: DecodingError) -> DecodingError { document.located(error) }

    /// Returns an issue about the value.
    package func issue(_ code: JSONIssue.Code, expected: String) -> JSONIssue {
        let index = place.index == Tape.absent ? Tape.root : place.index
        return document.error(code, expected, at: index, path: document.documentPath(document.steps(place))).issues[0]
    }

    /// Returns an issue about a place inside the value.
    ///
    /// - Parameter key: the key of the field at that place.
    package func issue(at offset: Int, below key: String? = nil) -> JSONIssue {
        document.bytes.withUnsafeBytes { bytes in
            let (location, lineStart) = document.sourceIndex.place(of: offset, in: bytes)
            let excerpt = SourceExcerpt(bytes, lineStart: lineStart, offset: offset)
            var path = document.documentPath(document.steps(place))
            if let key { path.steps.append(.key(key)) }
            return JSONIssue(
                code: .invalidValue, path: path, location: location, expected: "", found: "", excerpt: excerpt)
        }
    }

    /// Returns the value at a path, or the last value on the path that exists.
    package func value(at path: JSONPath) -> JSONNodeDecoder {
        var value = self
        for step in path.steps {
            let next: JSONNodeDecoder? =
                switch step {
                case .key(let key): value.fields.first { $0.key == key }?.value
                case .index(let index): value.element(at: index)
                }
            guard let next else { break }
            value = next
        }
        return value
    }
}
