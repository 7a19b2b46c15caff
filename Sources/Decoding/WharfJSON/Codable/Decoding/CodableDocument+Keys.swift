extension CodableDocument {
    /// Returns the value for a key; ``Tape/absent`` if there is none.
    ///
    /// The keys of the object must be plain and distinct.
    ///
    /// Fields are mostly read in the order of the document. So the search starts at the key after
    /// the last one found.
    @inline(__always) func value(for key: String, in object: Int) -> Int {
        let found = key.utf8.withContiguousStorageIfAvailable { search($0, in: object) }
        if let found { return found }
        // The string is bridged and has no contiguous storage.
        var copy = key
        return copy.withUTF8 { search($0, in: object) }
    }

    @inline(__always) private func search(_ key: UnsafeBufferPointer<UInt8>, in object: Int) -> Int {
        guard let start = key.baseAddress else { return searchEmpty(in: object) }
        let first = object + 2
        let stop = Int(nodes[object].end)
        // The second node of an object holds the key to try first. Documents mostly have the order
        // of the fields.
        let predicted = Int(nodes[object + 1].end)
        if predicted < stop, isKey(predicted, start, key.count) { return found(predicted, in: object) }
        return searchElsewhere(start, key.count, in: object, from: first, to: stop)
    }

    @inline(never) private func searchElsewhere(
        _ key: UnsafePointer<UInt8>, _ count: Int, in object: Int, from first: Int, to stop: Int
    ) -> Int {
        // From the start and not from the prediction: types may read their keys in any order.
        var index = first
        while index < stop {
            if isKey(index, key, count) { return found(index, in: object) }
            index = following(index + 1)
        }
        return Tape.absent
    }

    private func searchEmpty(in object: Int) -> Int {
        var index = object + 2
        while index < Int(nodes[object].end) {
            if nodes[index].start == nodes[index].end { return index + 1 }
            index = following(index + 1)
        }
        return Tape.absent
    }

    @inline(__always) private func found(_ index: Int, in object: Int) -> Int {
        // Only a hint. A wrong one costs a search and changes no result.
        nodes[object + 1].end = UInt32(truncatingIfNeeded: following(index + 1))
        return index + 1
    }

    /// Compares a key of the document with `count` bytes at `key`.
    @inline(__always) private func isKey(_ index: Int, _ key: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        let node = nodes[index]
        return Int(node.end - node.start) == count && RawKey.equal(base + Int(node.start), key, count)
    }

    /// Calls `body` with each key of an object and the index of its value.
    func forEachKey(of object: Int, _ body: (String, Int) throws -> Void) rethrows {
        var index = object + 2
        while index < Int(nodes[object].end) {
            try body(text(nodes[index]), index + 1)
            index = following(index + 1)
        }
    }
}

/// The keys of an object as text, converted by the key strategy.
///
/// It is used if comparing bytes can't find a key.
final class KeyIndex {
    /// The values by key. If keys are equal, or canonically equivalent, the first counts.
    let values: [String: Int]
    /// The keys in the order of the document.
    let keys: [String]

    init(_ object: Int, of document: CodableDocument, at place: CodingPlace) {
        let count = Int(document.nodes[object].count)
        var values = [String: Int](minimumCapacity: count)
        var keys: [String] = []
        keys.reserveCapacity(count)
        let convert = document.keyConversion(at: place)
        document.forEachKey(of: object) { text, value in
            let key = convert(text)
            // As in Foundation, the first of equal keys counts.
            guard values[key] == nil else { return }
            values[key] = value
            keys.append(key)
        }
        self.values = values
        self.keys = keys
    }
}

extension CodableDocument {
    fileprivate func keyConversion(at place: CodingPlace) -> (String) -> String {
        switch options.keyDecodingStrategy {
        case .useDefaultKeys: return { $0 }
        case .convertFromSnakeCase:
            return { key in
                if let known = self.convertedKeys[key] { return known }
                let converted = SnakeCase.toCamel(key)
                self.convertedKeys[key] = converted
                return converted
            }
        case .custom(let convert):
            let path = path(place)
            return { convert(path + [ElementKey(stringValue: $0)]).stringValue }
        }
    }
}
