/// Decodes `JSONDecodable` values in a document that is decoded by `Codable`.
extension JSONNodeDecoder {
    /// Returns the tree of the value, with its places in the document.
    func readTree() -> JSONValue? {
        guard place.index != Tape.absent else { return JSONValue(.null) }
        var reader = JSONReader(document.bytes, valueAt: document.range(of: place.index).lowerBound)
        return JSONValue.decode(from: &reader)
    }

    /// Reads the value by its own `decode(from:)`.
    ///
    /// It reads a copy of the value alone, so that an error costs no pass over the whole document.
    ///
    /// - Throws: `DecodingError` with a ``JSONError`` below it, whose places are those of the
    ///   document.
    func read<Value: JSONDecodable>(directly type: Value.Type) throws -> Value {
        var options = JSONReadingOptions.deepest
        // The inner reader gets the rest of the budget. A fresh one at each level would add up
        // beyond the real stack.
        options.stackBudget = document.stack.bytesLeft
        do throws(JSONError) {
            return try JSON.decode(type, from: JSONBytes(json), options: options)
        } catch {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: codingPath, debugDescription: error.message,
                    underlyingError: document.placed(error, at: place)))
        }
    }
}

extension CodableDocument {
    /// Converts an error in one value's text to an error of the document.
    fileprivate func placed(_ error: JSONError, at place: CodingPlace) -> JSONError {
        let way = documentPath(steps(place))
        let start = range(of: place.index).lowerBound
        let issues = bytes.withUnsafeBytes { bytes in
            error.issues.map { issue in
                let offset = start + issue.location.offset
                let (location, lineStart) = sourceIndex.place(of: offset, in: bytes)
                let excerpt = SourceExcerpt(bytes, lineStart: lineStart, offset: offset)
                return JSONIssue(
                    code: issue.code, path: JSONPath(way.steps + issue.path.steps), location: location,
                    expected: issue.expected, found: issue.found, excerpt: excerpt)
            }
        }
        return JSONError(issues[0], Array(issues.dropFirst()), omitted: error.omitted)
    }
}
