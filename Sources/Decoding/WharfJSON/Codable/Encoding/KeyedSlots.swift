/// An object that is being encoded.
struct KeyedSlots<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let tree: EncodedTree
    private let place: CodingPlace

    @inline(__always) init(_ tree: EncodedTree, _ place: CodingPlace) {
        self.tree = tree
        self.place = place
    }

    var codingPath: [any CodingKey] { tree.path(place) }

    func encodeNil(forKey key: Key) { scalar(key) { $0.append("null") } }
    func encode(_ value: Bool, forKey key: Key) { scalar(key) { $0.append(value ? "true" : "false") } }
    func encode(_ value: String, forKey key: Key) {
        scalar(key) { $0.append(quoted: value, escapingSlashes: tree.escapesSlashes) }
    }
    func encode(_ value: Double, forKey key: Key) throws { try number(key) { try tree.fill($0, value) { path(key) } } }
    func encode(_ value: Float, forKey key: Key) throws { try number(key) { try tree.fill($0, value) { path(key) } } }
    func encode(_ value: Int, forKey key: Key) { scalar(key) { $0.append(number: value) } }
    func encode(_ value: Int8, forKey key: Key) { scalar(key) { $0.append(number: value) } }
    func encode(_ value: Int16, forKey key: Key) { scalar(key) { $0.append(number: value) } }
    func encode(_ value: Int32, forKey key: Key) { scalar(key) { $0.append(number: value) } }
    func encode(_ value: Int64, forKey key: Key) { scalar(key) { $0.append(number: value) } }
    func encode(_ value: Int128, forKey key: Key) { scalar(key) { $0.append(number: value) } }
    func encode(_ value: UInt, forKey key: Key) { scalar(key) { $0.append(number: value) } }
    func encode(_ value: UInt8, forKey key: Key) { scalar(key) { $0.append(number: value) } }
    func encode(_ value: UInt16, forKey key: Key) { scalar(key) { $0.append(number: value) } }
    func encode(_ value: UInt32, forKey key: Key) { scalar(key) { $0.append(number: value) } }
    func encode(_ value: UInt64, forKey key: Key) { scalar(key) { $0.append(number: value) } }
    func encode(_ value: UInt128, forKey key: Key) { scalar(key) { $0.append(number: value) } }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        // Linked after the value is complete: if `encode(to:)` throws, the object has no half
        // value.
        let slot = try tree.slot(encoding: value, key, in: place)
        tree.insert(slot, tree.converted(key, at: place), into: place.index)
    }

    @inline(__always) private func scalar(_ key: Key, _ write: (inout EncodedText) -> Void) {
        number(key) { tree.fill($0, write) }
    }

    /// Writes the key first, so that its text and the value's text are adjacent.
    @inline(__always) private func number(_ key: Key, _ fill: (Int) throws -> Void) rethrows {
        let slot = tree.detached(below: place.index)
        let insertion = tree.prepare(slot, tree.converted(key, at: place), in: place.index)
        do {
            try fill(slot)
        } catch {
            tree.forget(insertion, in: place.index)
            throw error
        }
        tree.complete(insertion, slot, in: place.index)
    }

    private func path(_ key: Key) -> [any CodingKey] { codingPath + [key] }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        JSONSlotEncoder(tree, slot(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        JSONSlotEncoder(tree, slot(key)).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { JSONSlotEncoder(tree, emptied(ElementKey.super)) }
    func superEncoder(forKey key: Key) -> any Encoder { JSONSlotEncoder(tree, emptied(key)) }

    /// Returns the place of a key for a container that may write at any time, and repeatedly.
    private func slot(_ key: some CodingKey) -> CodingPlace {
        place.linked(tree.slot(tree.converted(key, at: place), in: place.index), key)
    }

    private func emptied(_ key: some CodingKey) -> CodingPlace {
        let slot = slot(key)
        tree.empty(slot.index)
        return slot
    }
}
