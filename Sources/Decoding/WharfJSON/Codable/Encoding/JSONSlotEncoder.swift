/// The encoder that a type's `encode(to:)` gets: the slot of one value.
package struct JSONSlotEncoder: Encoder {
    let tree: EncodedTree
    let place: CodingPlace

    @inline(__always) init(_ tree: EncodedTree, _ place: CodingPlace) {
        self.tree = tree
        self.place = place
    }

    package var codingPath: [any CodingKey] { tree.path(place) }
    package var userInfo: [CodingUserInfoKey: Any] { tree.userInfo }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        tree.open(place.index, as: .object)
        return tree.container(keyedBy: type, at: place)
    }

    package func unkeyedContainer() -> any UnkeyedEncodingContainer {
        tree.open(place.index, as: .array)
        return UnkeyedSlots(tree, place)
    }

    package func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// Writes JSON as it is. It must be one whole value.
    package func encode(json: [UInt8]) {
        tree.fill(place.index) { text in json.withUnsafeBufferPointer { text.append($0) } }
    }

    /// Adds members to the object that is already here, with their keys and values as they are.
    func encode(members: [JSONMember]) throws {
        for member in members {
            let json = try JSON.encode(member.value)
            let slot = tree.detached(below: place.index)
            tree.fill(slot) { text in json.withUnsafeBufferPointer { text.append($0) } }
            tree.insert(slot, member.key, into: place.index)
        }
    }
}

extension JSONSlotEncoder: SingleValueEncodingContainer {
    package func encodeNil() { tree.fill(place.index) { $0.append("null") } }
    package func encode(_ value: Bool) { tree.fill(place.index) { $0.append(value ? "true" : "false") } }
    package func encode(_ value: String) {
        tree.fill(place.index) { [tree] in $0.append(quoted: value, escapingSlashes: tree.escapesSlashes) }
    }
    package func encode(_ value: Double) throws { try tree.fill(place.index, value) { tree.path(place) } }
    package func encode(_ value: Float) throws { try tree.fill(place.index, value) { tree.path(place) } }
    package func encode(_ value: Int) { tree.fill(place.index) { $0.append(number: value) } }
    package func encode(_ value: Int8) { tree.fill(place.index) { $0.append(number: value) } }
    package func encode(_ value: Int16) { tree.fill(place.index) { $0.append(number: value) } }
    package func encode(_ value: Int32) { tree.fill(place.index) { $0.append(number: value) } }
    package func encode(_ value: Int64) { tree.fill(place.index) { $0.append(number: value) } }
    package func encode(_ value: Int128) { tree.fill(place.index) { $0.append(number: value) } }
    package func encode(_ value: UInt) { tree.fill(place.index) { $0.append(number: value) } }
    package func encode(_ value: UInt8) { tree.fill(place.index) { $0.append(number: value) } }
    package func encode(_ value: UInt16) { tree.fill(place.index) { $0.append(number: value) } }
    package func encode(_ value: UInt32) { tree.fill(place.index) { $0.append(number: value) } }
    package func encode(_ value: UInt64) { tree.fill(place.index) { $0.append(number: value) } }
    package func encode(_ value: UInt128) { tree.fill(place.index) { $0.append(number: value) } }

    package func encode<Value: Encodable>(_ value: Value) throws { try tree.encode(value, at: place) }
}

extension EncodedTree {
    func encode<Value: Encodable>(root value: Value) throws {
        try encode(value, at: CodingPlace(node: UInt32(EncodedTree.root), depth: 0, linked: nil))
    }

    /// Encodes a value by its strategy, or by its own `encode(to:)`.
    @inline(__always) func encode<Value: Encodable>(_ value: Value, at place: CodingPlace) throws {
        let encoder = JSONSlotEncoder(self, place)
        if let route = encodingRoute(for: Value.self) {
            // The route was made for `Value`, so the pointer has the right type.
            return try withUnsafePointer(to: value) { value in
                try route._withUnsafeGuaranteedRef { try $0.write(UnsafeRawPointer(value), encoder) }
            }
        }
        try value.encode(to: encoder)
    }

    /// Encodes the value for a key into a slot that is not yet linked to the object.
    @inline(__always) func slot<Value: Encodable, Key: CodingKey>(
        encoding value: Value, _ key: Key, in parent: CodingPlace
    ) throws -> Int {
        try withUnsafePointer(to: key) { key in try slot(encoding: value, key, 0, in: parent) }
    }

    /// Encodes an element into a slot that is not yet linked to the array.
    @inline(__always) func slot<Value: Encodable>(
        encoding value: Value, element: Int, in parent: CodingPlace
    ) throws -> Int {
        try slot(encoding: value, nil as UnsafePointer<ElementKey>?, element, in: parent)
    }

    @inline(__always) private func slot<Value: Encodable, Key: CodingKey>(
        encoding value: Value, _ key: UnsafePointer<Key>?, _ element: Int, in parent: CodingPlace
    ) throws -> Int {
        let slot = detached(below: parent.index)
        // One level more than allowed for arrays and objects, as the value may be a scalar.
        guard Int(nodes[slot].depth) <= options.maximumDepth else { throw CodableJSONEncoder.unable(value, tooDeep) }
        if _slowPath(isStackUsedUp) {
            throw CodableJSONEncoder.unable(value, "more levels of arrays and objects than fit on the stack")
        }
        let node = UInt32(truncatingIfNeeded: slot)
        frames.push(node, key, element, below: parent)
        defer {
            frames.pop()
            extendLifetime(parent)
        }
        try encode(value, at: CodingPlace(node: node, depth: UInt32(truncatingIfNeeded: frames.count), linked: nil))
        return slot
    }

    @inline(__always) func fill(_ slot: Int, _ value: Double, _ path: () -> [any CodingKey]) throws {
        if _fastPath(value.isFinite) { return fill(slot) { $0.append(number: value) } }
        try fillNonConforming(slot, value, path())
    }

    @inline(__always) func fill(_ slot: Int, _ value: Float, _ path: () -> [any CodingKey]) throws {
        if _fastPath(value.isFinite) { return fill(slot) { $0.append(number: value) } }
        try fillNonConforming(slot, value, path())
    }

    @inline(never) private func fillNonConforming<Number: BinaryFloatingPoint>(
        _ slot: Int, _ value: Number, _ path: [any CodingKey]
    ) throws {
        guard case .convertToString(let infinity, let negative, let nan) = options.nonConformingFloatEncodingStrategy
        else {
            throw notEncodable(value, "Unable to encode \(Number.self).\(value) directly in JSON.", path)
        }
        let text = value.isNaN ? nan : value > 0 ? infinity : negative
        fill(slot) { $0.append(quoted: text, escapingSlashes: escapesSlashes) }
    }

    func notEncodable(_ value: Any, _ message: String, _ path: [any CodingKey]) -> EncodingError {
        let steps = path.map { key -> JSONPath.Step in
            if let element = key as? ElementKey, element.isIndex { return .index(element.intValue ?? 0) }
            return .key(key.stringValue)
        }
        let issue = JSONIssue(
            code: .notEncodable, path: JSONPath(steps), location: SourceLocation(offset: 0, line: 1, column: 1),
            expected: "a value that JSON can express", found: "\(value)", excerpt: SourceExcerpt())
        return .invalidValue(
            value,
            EncodingError.Context(codingPath: path, debugDescription: message, underlyingError: JSONError(issue)))
    }
}
