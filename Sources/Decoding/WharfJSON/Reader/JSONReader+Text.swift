extension JSONReader {
    /// Reads a value that is written as a string from its bytes in the document.
    ///
    /// It creates a `String` only if there are escapes or bytes beyond ASCII.
    ///
    /// - Parameters:
    ///   - expected: for the note if the value is not a string, or `parse` returns nil.
    ///   - parse: must not let the pointer escape.
    @inlinable package mutating func text<Value>(
        expected: StaticString, _ parse: (UnsafeRawBufferPointer) -> Value?
    ) -> Value? {
        guard p.pointee == 0x22 else {
            noteMismatch(expected)
            return nil
        }
        let place = offset
        let start = p + 1
        var q = start
        var high: UInt64 = 0
        Self.skipPlain(&q, &high)
        let value: Value?
        if _fastPath(q.pointee == 0x22), _fastPath(high & 0x8080_8080_8080_8080 == 0) {
            p = q + 1
            value = parse(UnsafeRawBufferPointer(start: start, count: q - start))
        } else {
            guard var text = string() else { return nil }
            value = text.withUTF8 { parse(UnsafeRawBufferPointer($0)) }
        }
        return value ?? invalid(at: place, expected: expected.description)
    }
}
