/// The parts that few containers have.
///
/// They are apart because containers are copied when they are boxed.
private final class RareKeyedParts {
    let linked: LinkedPath?
    /// The index, if comparing bytes can't find the keys.
    let index: KeyIndex?

    init(_ linked: LinkedPath?, _ index: KeyIndex?) {
        self.linked = linked
        self.index = index
    }
}

/// The keyed container of an object of the document.
struct KeyedNodes<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let document: CodableDocument
    private let node: UInt32
    private let depth: UInt32
    private let more: RareKeyedParts?

    @inline(__always) init(_ document: CodableDocument, _ place: CodingPlace) throws {
        let object = document.nodes[place.index]
        guard object.kind == .object else { throw document.noKeyedContainer(at: place) }
        self.document = document
        node = place.node
        depth = place.depth
        // Only then are equal bytes the same as equal keys.
        let isPlain = document.usesDefaultKeys && !object.flags.contains(.irregular)
        if _fastPath(isPlain && place.linked == nil) {
            more = nil
        } else {
            more = RareKeyedParts(place.linked, isPlain ? nil : KeyIndex(place.index, of: document, at: place))
        }
    }

    @inline(__always) var place: CodingPlace { CodingPlace(node: node, depth: depth, linked: more?.linked) }
    var codingPath: [any CodingKey] { document.path(place) }

    /// The keys in the order of the document.
    var allKeys: [Key] {
        if let index = more?.index { return index.keys.compactMap { Key(stringValue: $0) } }
        var keys: [Key] = []
        document.forEachKey(of: place.index) { text, _ in
            if let key = Key(stringValue: text) { keys.append(key) }
        }
        return keys
    }

    /// Returns the value's index; ``Tape/absent`` if the key is missing.
    @inline(__always) private func find(_ key: some CodingKey) -> Int {
        _fastPath(more == nil) ? document.value(for: key.stringValue, in: Int(node)) : findElsewhere(key.stringValue)
    }

    @inline(never) private func findElsewhere(_ key: String) -> Int {
        guard let index = more?.index else { return document.value(for: key, in: Int(node)) }
        return index.values[key] ?? Tape.absent
    }

    @inline(__always) private func require(_ key: Key) throws -> Int {
        let found = find(key)
        guard found != Tape.absent else { throw document.keyNotFound(key, in: place) }
        return found
    }

    /// Returns the value's index; nil if the key is missing or the value is null.
    @inline(__always) private func present(_ key: Key) -> Int? {
        let found = find(key)
        return document.nodes[found].kind == .null ? nil : found
    }

    func contains(_ key: Key) -> Bool { find(key) != Tape.absent }
    func decodeNil(forKey key: Key) throws -> Bool { document.nodes[try require(key)].kind == .null }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try document.decode(type, document.route(for: type), at: try require(key), key, in: place)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let found = present(key) else { return nil }
        return try document.decode(type, document.route(for: type), at: found, key, in: place)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        KeyedDecodingContainer(try KeyedNodes<Nested>(document, place.linked(try require(key), key)))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try UnkeyedNodes(document, place.linked(try require(key), key))
    }

    /// Returns a decoder for the key `super`; if the key is missing it decodes null.
    func superDecoder() -> any Decoder {
        JSONNodeDecoder(document, place.linked(find(ElementKey.super), ElementKey.super))
    }

    func superDecoder(forKey key: Key) -> any Decoder {
        JSONNodeDecoder(document, place.linked(find(key), key))
    }

    @inline(__always) func scalar<Value>(_ key: Key, _ read: (CodableDocument, Int) -> Value?) throws -> Value {
        let found = try require(key)
        guard let value = read(document, found) else { throw document.mismatch(Value.self, found, key, in: place) }
        return value
    }

    @inline(__always) func scalarIfPresent<Value>(
        _ key: Key, _ read: (CodableDocument, Int) -> Value?
    ) throws -> Value? {
        guard let found = present(key) else { return nil }
        guard let value = read(document, found) else { throw document.mismatch(Value.self, found, key, in: place) }
        return value
    }
}
