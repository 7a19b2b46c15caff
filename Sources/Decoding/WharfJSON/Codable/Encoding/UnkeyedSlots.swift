/// An array that is being encoded.
struct UnkeyedSlots: UnkeyedEncodingContainer {
    private let tree: EncodedTree
    private let place: CodingPlace

    init(_ tree: EncodedTree, _ place: CodingPlace) {
        self.tree = tree
        self.place = place
    }

    var codingPath: [any CodingKey] { tree.path(place) }
    var count: Int { Int(tree.nodes[place.index].count) }

    func encodeNil() { scalar { $0.append("null") } }
    func encode(_ value: Bool) { scalar { $0.append(value ? "true" : "false") } }
    func encode(_ value: String) { scalar { $0.append(quoted: value, escapingSlashes: tree.escapesSlashes) } }
    func encode(_ value: Double) throws { try number { try tree.fill($0, value) { path(count) } } }
    func encode(_ value: Float) throws { try number { try tree.fill($0, value) { path(count) } } }
    func encode(_ value: Int) { scalar { $0.append(number: value) } }
    func encode(_ value: Int8) { scalar { $0.append(number: value) } }
    func encode(_ value: Int16) { scalar { $0.append(number: value) } }
    func encode(_ value: Int32) { scalar { $0.append(number: value) } }
    func encode(_ value: Int64) { scalar { $0.append(number: value) } }
    func encode(_ value: Int128) { scalar { $0.append(number: value) } }
    func encode(_ value: UInt) { scalar { $0.append(number: value) } }
    func encode(_ value: UInt8) { scalar { $0.append(number: value) } }
    func encode(_ value: UInt16) { scalar { $0.append(number: value) } }
    func encode(_ value: UInt32) { scalar { $0.append(number: value) } }
    func encode(_ value: UInt64) { scalar { $0.append(number: value) } }
    func encode(_ value: UInt128) { scalar { $0.append(number: value) } }

    func encode<Value: Encodable>(_ value: Value) throws {
        let slot = try tree.slot(encoding: value, element: count, in: place)
        tree.append(slot, to: place.index)
    }

    @inline(__always) private func scalar(_ write: (inout EncodedText) -> Void) {
        number { tree.fill($0, write) }
    }

    @inline(__always) private func number(_ fill: (Int) throws -> Void) rethrows {
        let slot = tree.detached(below: place.index)
        try fill(slot)
        tree.append(slot, to: place.index)
    }

    private func path(_ index: Int) -> [any CodingKey] { codingPath + [ElementKey(index: index)] }

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        JSONSlotEncoder(tree, nextPlace()).container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        JSONSlotEncoder(tree, nextPlace()).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { JSONSlotEncoder(tree, nextPlace()) }

    private func nextPlace() -> CodingPlace {
        let index = count
        let slot = tree.detached(below: place.index)
        tree.append(slot, to: place.index)
        return place.linked(slot, ElementKey(index: index))
    }
}
