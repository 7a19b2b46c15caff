extension JSONReader {
    /// Passes the string at the cursor if it is exactly this text, written without escapes; otherwise stays. For the values of an
    /// enumeration; what is left at the end may still be one of them with escapes, so compare ``string()`` last.
    ///
    /// - Parameter text: a literal without `"`, `\` and control characters.
    @inlinable @inline(__always) public mutating func take(_ text: StaticString) -> Bool {
        guard matches(text) else { return false }
        p += text.utf8CodeUnitCount + 2
        return true
    }

    /// Whether the cursor stands at this text between quotes.
    ///
    /// With a literal all of this folds to comparisons of words with constants, and of no more words than the text has: so it is
    /// written without a branch, which the compiler would have to fold before it inlines. It looks 32 bytes ahead, which is inside
    /// of the padding; and further only behind 32 bytes that are equal to the text's, none of which is a zero.
    @inlinable @inline(__always) func matches(_ text: StaticString) -> Bool {
        let start = text.utf8Start
        let count = text.utf8CodeUnitCount
        guard difference(start, count, 0) == 0 else { return false }
        let rest =
            difference(start, count, 8) | difference(start, count, 16) | difference(start, count, 24)
        return rest == 0 && (count + 2 <= 32 || tailMatches(start, count))
    }

    @inlinable func tailMatches(_ start: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        var index = 32
        while index < count + 2 {
            guard difference(start, count, index) == 0 else { return false }
            index += 8
        }
        return true
    }

    /// What of eight bytes, from `index` on, differs from those of the quoted text; zero behind its end.
    @inlinable @inline(__always) func difference(_ start: UnsafePointer<UInt8>, _ count: Int, _ index: Int) -> UInt64 {
        var mask: UInt64 = 0
        var quoted: UInt64 = 0
        Self.append(start, count, index, 0, &quoted, &mask)
        Self.append(start, count, index, 1, &quoted, &mask)
        Self.append(start, count, index, 2, &quoted, &mask)
        Self.append(start, count, index, 3, &quoted, &mask)
        Self.append(start, count, index, 4, &quoted, &mask)
        Self.append(start, count, index, 5, &quoted, &mask)
        Self.append(start, count, index, 6, &quoted, &mask)
        Self.append(start, count, index, 7, &quoted, &mask)
        return (word(index) & mask) ^ quoted
    }

    /// One byte of the quoted text: a quote at 0 and behind the end, nothing further on.
    ///
    /// The byte is read at an index that lies inside of the text or on the zero that ends every literal.
    @inlinable @inline(__always) static func append(
        _ start: UnsafePointer<UInt8>, _ count: Int, _ index: Int, _ place: Int, _ quoted: inout UInt64,
        _ mask: inout UInt64
    ) {
        let position = index &+ place &- 1
        // All ones where it holds, else zero.
        let isBefore = position &>> 63
        let isBehind = (count &- position) &>> 63
        let clamped = (position & ~isBefore & ~isBehind) | (count & isBehind)
        let isQuote = isBefore | ~(((position ^ count) | (0 &- (position ^ count))) &>> 63)
        let text = UInt64(start[clamped]) & UInt64(bitPattern: Int64(~isBefore & ~isBehind))
        let byte = text | (0x22 & UInt64(bitPattern: Int64(isQuote)))
        quoted |= byte &<< UInt64(truncatingIfNeeded: place &* 8)
        mask |= (0xFF & UInt64(bitPattern: Int64(~isBehind))) &<< UInt64(truncatingIfNeeded: place &* 8)
    }
}
