/// The values of a document one by one, for who decodes it step by step to find all that is wrong
/// with it.
extension JSONNodeDecoder {
    /// The top of a document.
    ///
    /// - Throws: `DecodingError` where it is not JSON.
    package init(_ bytes: JSONBytes, _ options: CodableJSONDecoder) throws {
        self.init(try CodableDocument(bytes, options: options), .root)
    }

    /// Tells the values of one document apart.
    package var id: Int { place.index }

    /// Of the value's first byte.
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

    /// The coders of a type that nests too deep for the stack stop here.
    package var isStackUsedUp: Bool { document.stack.isUsedUp }

    /// Whether the type is read otherwise than by its own `init(from:)`: a scalar, a collection, or
    /// what a strategy is for.
    package func isRouted<Value: Decodable>(_ type: Value.Type) -> Bool { document.route(for: type) != nil }

    /// The elements of an array; none of another value. O(n).
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

    /// nil where there is none. O(n), without a decoder for each before it.
    private func element(at wanted: Int) -> JSONNodeDecoder? {
        guard kind == .array, 0..<Int(document.nodes[place.index].count) ~= wanted else { return nil }
        var index = place.index + 2
        for _ in 0..<wanted { index = document.following(index) }
        return JSONNodeDecoder(document, place.linked(index, ElementKey(index: wanted)))
    }

    /// The fields of an object in the order of the document, with their keys as they stand; none of
    /// another value. O(n).
    package var fields: [(key: String, value: JSONNodeDecoder)] {
        guard kind == .object else { return [] }
        var fields: [(key: String, value: JSONNodeDecoder)] = []
        document.forEachKey(of: place.index) { text, index in
            fields.append((text, JSONNodeDecoder(document, place.linked(index, ElementKey(stringValue: text)))))
        }
        return fields
    }

    /// The fields of an object as the key strategy names them, each with the place of its key. Of
    /// keys that become the same the first.
    ///
    /// - Returns: besides, the key as it stands.
    package func keys() -> [(name: String, text: String, offset: Int)] {
        let index = KeyIndex(place.index, of: document, at: place)
        return index.keys.map { name in
            // A key stands before its value, behind its quote; each of the index's keys has its
            // value there.
            let key = document.nodes[index.values[name].unsafelyUnwrapped - 1]
            return (name, document.text(key), Int(key.start) - 1)
        }
    }

    /// An error of a type's own with its place, where its coding path leads to one.
    package func located(_ error: DecodingError) -> DecodingError { document.located(error) }

    /// The value as the subject of an issue.
    package func issue(_ code: JSONIssue.Code, expected: String) -> JSONIssue {
        let index = place.index == Tape.absent ? Tape.root : place.index
        return document.error(code, expected, at: index, path: document.documentPath(document.steps(place))).issues[0]
    }

    /// The same for a place inside of the value.
    ///
    /// - Parameter key: of its field that stands there.
    package func issue(at offset: Int, below key: String? = nil) -> JSONIssue {
        document.bytes.withUnsafeBytes { bytes in
            let (location, lineStart) = document.sourceIndex.place(of: offset, in: bytes)
            let excerpt = SourceExcerpt(bytes, lineStart: lineStart, offset: offset)
            var path = document.documentPath(document.steps(place))
            if let key { path.steps.append(.key(key)) }
            return JSONIssue(
                code: .invalidValue, path: path, location: location, expected: "", found: "", excerpt: excerpt.text,
                caret: excerpt.caret)
        }
    }

    /// The value at the end of a path, or the last one on the way that is there.
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
