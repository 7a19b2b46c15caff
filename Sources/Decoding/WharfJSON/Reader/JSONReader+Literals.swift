extension JSONReader {
    /// Skips the string at the cursor if it is exactly this text, without escapes.
    ///
    /// Otherwise the cursor stays. Use it for the values of an enumeration. A text that matches
    /// none may still be one of them with escapes, so compare ``string()`` last.
    ///
    /// - Parameter text: a literal without `"`, `\` and control characters.
    @inlinable @inline(__always) public mutating func take(_ text: StaticString) -> Bool {
        guard matches(text) else { return false }
        assert(JSONReader.isPlain(text), "expected a text that needs no escapes, found \(text)")
        p += text.utf8CodeUnitCount + 2
        return true
    }

    /// Whether the cursor is at this text in quotes.
    ///
    /// For a literal, the first 16 bytes fold to comparisons of one or two words with constants.
    /// That part has no branches: the compiler inlines before it folds, and gives up on code that
    /// looks large.
    @inlinable @inline(__always) func matches(_ text: StaticString) -> Bool {
        let start = text.utf8Start
        let count = text.utf8CodeUnitCount
        guard difference(start, count, 0) == 0, difference(start, count, 8) == 0 else { return false }
        return count <= 14 || tailMatches(start, count)
    }

    /// Compares the rest of a long text, after 16 equal bytes.
    ///
    @usableFromInline @inline(never) func tailMatches(_ start: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        // The whole text must lie inside the document.
        guard end - p >= count + 2 else { return false }
        var index = 15
        // Eight bytes from `start + index` lie inside the text.
        while index + 8 <= count {
            let expected = UInt64(littleEndian: UnsafeRawPointer(start + index).loadUnaligned(as: UInt64.self))
            guard word(index + 1) == expected else { return false }
            index += 8
        }
        while index < count {
            guard p[index + 1] == start[index] else { return false }
            index += 1
        }
        return p[count + 1] == 0x22
    }

    /// Returns the differing bits of eight bytes from `index` and the quoted text; zero after its
    /// end.
    @inlinable @inline(__always) func difference(_ start: UnsafePointer<UInt8>, _ count: Int, _ index: Int) -> UInt64 {
        (word(index) & Self.mask(count &+ 2 &- index)) ^ Self.quoted(start, count, index)
    }

    /// Returns a mask of the lowest `length` bytes of eight, for any length.
    @inlinable @inline(__always) static func mask(_ length: Int) -> UInt64 {
        // The number of bits above the text, from 0 to 64. It is split into two shifts, because one
        // shift by 64 would be masked to 0.
        let spare = (8 &- length) & ~((8 &- length) &>> 63)
        let bits = UInt64(truncatingIfNeeded: 4 &* (spare &+ ((8 &- spare) & ((8 &- spare) &>> 63))))
        return (~0 &>> bits) &>> bits
    }

    /// Returns eight bytes of the text in quotes, with zeros after them.
    @inlinable @inline(__always) static func quoted(
        _ start: UnsafePointer<UInt8>, _ count: Int, _ index: Int
    ) -> UInt64 {
        byte(start, count, index) | byte(start, count, index &+ 1) &<< 8 | byte(start, count, index &+ 2) &<< 16
            | byte(start, count, index &+ 3) &<< 24 | byte(start, count, index &+ 4) &<< 32
            | byte(start, count, index &+ 5) &<< 40 | byte(start, count, index &+ 6) &<< 48
            | byte(start, count, index &+ 7) &<< 56
    }

    /// Returns one byte of the text in quotes.
    ///
    /// The index read lies inside the text or on the zero that ends every literal.
    @inlinable @inline(__always) static func byte(
        _ start: UnsafePointer<UInt8>, _ count: Int, _ index: Int
    ) -> UInt64 {
        let position = index &- 1
        // Each mask is all ones if its condition holds, else zero.
        let isBefore = position &>> 63
        let isBehind = (count &- position &- 1) &>> 63
        let isFarBehind = (count &- position) &>> 63
        let inside = (position & ~isBefore & ~isBehind) | (count & isBehind)
        let quote = 0x22 & (isBefore | (isBehind & ~isFarBehind))
        return (UInt64(start[inside]) & UInt64(truncatingIfNeeded: ~isBefore)) | UInt64(truncatingIfNeeded: quote)
    }

    /// Whether JSON writes the text as it is.
    ///
    /// It is checked in debug builds only: another text would match input that is not JSON.
    @usableFromInline static func isPlain(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { $0.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C } }
    }
}
