extension EncodedTree {
    private static let mostCompared = 64

    /// The state between `prepare` and `complete`: the key's text, and the slot that has the key
    /// already.
    typealias Insertion = (key: Range<Int>, before: Int?)

    /// Writes the key of the next value.
    @inline(__always) func prepare(_ slot: Int, _ key: String, in object: Int) -> Insertion {
        let range = appendKey(key)
        return (range, remember(slot, range, in: object))
    }

    /// Undoes `prepare` for a value that could not be written.
    @inline(never) func forget(_ insertion: Insertion, in object: Int) {
        // Only an index knows the key. The filter may keep its bit: it only causes a comparison.
        if insertion.before == nil { indexes[object]?[Array(text.bytes(insertion.key))] = nil }
    }

    /// Adds a slot to an object that got only distinct keys since it was empty.
    func insert(_ slot: Int, distinct key: String, into object: Int) {
        // The filter does not contain these keys. With all bits set, other insertions compare every
        // key.
        nodes[object].filter = .max
        nodes[slot].key = appendKey(key)
        append(slot, to: object)
    }

    /// Adds a slot to an object, and replaces an earlier value of the key.
    @inline(__always) func complete(_ insertion: Insertion, _ slot: Int, in object: Int) {
        if let before = insertion.before { return replace(before, by: slot) }
        nodes[slot].key = insertion.key
        append(slot, to: object)
    }

    @inline(__always) func insert(_ slot: Int, _ key: String, into object: Int) {
        complete(prepare(slot, key, in: object), slot, in: object)
    }

    private func replace(_ before: Int, by slot: Int) {
        // The new value takes the place of the old one. As in Foundation, the key keeps its
        // position.
        let (key, next) = (nodes[before].key, nodes[before].next)
        nodes[before] = nodes[slot]
        (nodes[before].key, nodes[before].next) = (key, next)
        if !indexes.isEmpty { indexes[before] = indexes.removeValue(forKey: slot) }
    }

    /// Empties a slot for a new value of its key.
    func empty(_ slot: Int) {
        let (key, next, depth) = (nodes[slot].key, nodes[slot].next, nodes[slot].depth)
        nodes[slot] = Node(depth: depth)
        (nodes[slot].key, nodes[slot].next) = (key, next)
        indexes[slot] = nil
    }

    /// Returns the slot of a key for a container that may write at any time.
    ///
    /// The slot is the existing one or a new one.
    func slot(_ key: String, in object: Int) -> Int {
        let range = appendKey(key)
        let slot = detached(below: object)
        if let before = remember(slot, range, in: object) { return before }
        nodes[slot].key = range
        append(slot, to: object)
        return slot
    }

    @inline(__always) private func appendKey(_ key: String) -> Range<Int> {
        let start = text.count
        text.append(quoted: key, escapingSlashes: escapesSlashes)
        text.append(0x3A as UInt8)
        return start..<text.count
    }

    /// Returns the slot that has this key already; otherwise notes that `slot` will have it.
    @inline(__always) private func remember(_ slot: Int, _ key: Range<Int>, in object: Int) -> Int? {
        let bit = Self.bit(text.bytes(key))
        let isNew = nodes[object].filter & bit == 0
        nodes[object].filter |= bit
        // A filter of 64 bits says little beyond so many keys.
        if isNew, nodes[object].count < Self.mostCompared { return nil }
        return find(slot, key, in: object)
    }

    /// A key has at least three bytes, as its quotes and colon are included.
    @inline(__always) private static func bit(_ key: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var mixed = UInt64(truncatingIfNeeded: key.count) ^ UInt64(key[1]) << 17
        for index in max(0, key.count - 7)..<key.count { mixed = mixed << 8 ^ UInt64(key[index]) }
        return 1 &<< (mixed &* 0x9E37_79B9_7F4A_7C15 >> 58)
    }

    @inline(never) private func find(_ slot: Int, _ key: Range<Int>, in object: Int) -> Int? {
        if nodes[object].count < Self.mostCompared {
            return search(key, in: object)
        }
        let bytes = Array(text.bytes(key))
        // Built once. From here on each lookup takes constant time instead of a walk over all keys.
        if indexes[object] == nil {
            var index: [[UInt8]: Int] = [:]
            for child in children(of: object) { index[Array(text.bytes(nodes[child].key))] = child }
            indexes[object] = index
        }
        if let before = indexes[object]?[bytes] { return before }
        indexes[object]?[bytes] = slot
        return nil
    }

    private func search(_ key: Range<Int>, in object: Int) -> Int? {
        // A key is never empty, as its quotes are included.
        let start = text.bytes(key).baseAddress.unsafelyUnwrapped
        var child = Int(nodes[object].first)
        while child != 0 {
            let other = nodes[child].key
            if other.count == key.count,
                RawKey.equal(text.bytes(other).baseAddress.unsafelyUnwrapped, start, key.count)
            {
                return child
            }
            child = Int(nodes[child].next)
        }
        return nil
    }

    func children(of parent: Int) -> UnfoldSequence<Int, Int> {
        sequence(state: Int(nodes[parent].first)) { child in
            guard child != 0 else { return nil }
            defer { child = Int(self.nodes[child].next) }
            return child
        }
    }

    /// Returns the key as the key strategy converts it.
    @inline(__always) func converted(_ key: some CodingKey, at place: CodingPlace) -> String {
        usesDefaultKeys ? key.stringValue : convertedElsewhere(key, at: place)
    }

    @inline(never) private func convertedElsewhere(_ key: any CodingKey, at place: CodingPlace) -> String {
        switch options.keyEncodingStrategy {
        case .useDefaultKeys: return key.stringValue
        case .convertToSnakeCase:
            let text = key.stringValue
            if let known = convertedKeys[text] { return known }
            let converted = SnakeCase.fromCamel(text)
            convertedKeys[text] = converted
            return converted
        case .custom(let convert): return convert(path(place) + [key]).stringValue
        }
    }
}
