/// A cache of type lookups, shared by the decoding of many small documents.
///
/// It belongs to one decoder with its strategies, and to one task at a time.
package final class CodableMemory {
    fileprivate var routes = TypeTable<CodableRoute>()
    fileprivate var containers = TypeTable<AnyKeyedNodesMaker>()
    fileprivate var convertedKeys: [String: String] = [:]

    package init() {}

    fileprivate func exchange(with document: CodableDocument) {
        swap(&routes, &document.routes)
        swap(&containers, &document.containers)
        swap(&convertedKeys, &document.convertedKeys)
        // Bounds the cache, as documents may bring new keys without end.
        if convertedKeys.count > 10_000 { convertedKeys = [:] }
    }
}

extension CodableJSONDecoder {
    /// Decodes one of many documents: see ``decode(_:from:)-(_,JSONBytes)``.
    package func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: JSONBytes, with memory: CodableMemory
    ) throws -> Value {
        let document = try CodableDocument(bytes, options: self)
        memory.exchange(with: document)
        // Given back after an error too, since the entries depend on the types alone.
        defer { memory.exchange(with: document) }
        do {
            return try document.decode(type, at: .root)
        } catch let error as DecodingError {
            throw document.located(error)
        }
    }
}
