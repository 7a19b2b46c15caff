extension EncodedTree {
    private static let mostCompared = 64

    /// What `complete` needs: the text of the key, and the slot that has it already.
    typealias Insertion = (key: Range<Int>, before: Int?)

    /// Writes the key of a value that comes next.
    @inline(__always) func prepare(_ slot: Int, _ key: String, in object: Int) -> Insertion {
        let range = appendKey(key)
        return (range, remember(slot, range, in: object))
    }

    /// For a value that could not be written.
    @inline(never) func forget(_ insertion: Insertion, in object: Int) {
        if insertion.before == nil { indexes[object]?[Array(text.bytes(insertion.key))] = nil }
    }

    /// Puts a slot into an object that has had, since it was empty, none but keys that differ.
    func insert(_ slot: Int, distinct key: String, into object: Int) {
        // What comes by another way looks through all of them.
        nodes[object].filter = .max
        nodes[slot].key = appendKey(key)
        append(slot, to: object)
    }

    /// Puts a slot into an object; what has the key already gives way.
    @inline(__always) func complete(_ insertion: Insertion, _ slot: Int, in object: Int) {
        if let before = insertion.before { return replace(before, by: slot) }
        nodes[slot].key = insertion.key
        append(slot, to: object)
    }

    @inline(__always) func insert(_ slot: Int, _ key: String, into object: Int) {
        complete(prepare(slot, key, in: object), slot, in: object)
    }

    private func replace(_ before: Int, by slot: Int) {
        let (key, next) = (nodes[before].key, nodes[before].next)
        nodes[before] = nodes[slot]
        (nodes[before].key, nodes[before].next) = (key, next)
        if !indexes.isEmpty { indexes[before] = indexes.removeValue(forKey: slot) }
    }

    /// Makes place for a new value of a key.
    func empty(_ slot: Int) {
        let (key, next, depth) = (nodes[slot].key, nodes[slot].next, nodes[slot].depth)
        nodes[slot] = Node(depth: depth)
        (nodes[slot].key, nodes[slot].next) = (key, next)
        indexes[slot] = nil
    }

    /// The slot of a key to which a container writes when it likes: the one there is, or a new one.
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

    /// The slot that has this key already; otherwise notes that `slot` will.
    @inline(__always) private func remember(_ slot: Int, _ key: Range<Int>, in object: Int) -> Int? {
        let bit = Self.bit(text.bytes(key))
        let isNew = nodes[object].filter & bit == 0
        nodes[object].filter |= bit
        if isNew, nodes[object].count < Self.mostCompared { return nil }
        return find(slot, key, in: object)
    }

    /// With its quotes and colon a key has at least three bytes.
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
        // Never empty: it has quotes.
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

    /// As the key strategy has it.
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
