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

    /// Whether the cursor stands at this text between quotes. With a literal the words compared are constants.
    ///
    /// It looks at most one word beyond bytes that are equal to the text's, none of which is a zero: that word is in the padding at
    /// the latest.
    @inlinable @inline(__always) func matches(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        let start = text.utf8Start
        return wordMatches(start, count, 0) && wordMatches(start, count, 8) && wordMatches(start, count, 16)
            && wordMatches(start, count, 24) && (count + 2 <= 32 || tailMatches(start, count))
    }

    @inlinable func tailMatches(_ start: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        var index = 32
        while index < count + 2 {
            guard wordMatches(start, count, index) else { return false }
            index += 8
        }
        return true
    }

    @inlinable @inline(__always) func wordMatches(_ start: UnsafePointer<UInt8>, _ count: Int, _ index: Int) -> Bool {
        if index >= count + 2 { return true }
        return word(index) & Self.mask(count, index) == Self.quoted(start, count, index)
    }

    /// Eight bytes of the text in its quotes. Written out, so that the compiler can fold it.
    @inlinable @inline(__always) static func quoted(
        _ start: UnsafePointer<UInt8>, _ count: Int, _ index: Int
    ) -> UInt64 {
        byte(start, count, index) | byte(start, count, index + 1) << 8 | byte(start, count, index + 2) << 16
            | byte(start, count, index + 3) << 24 | byte(start, count, index + 4) << 32
            | byte(start, count, index + 5) << 40 | byte(start, count, index + 6) << 48
            | byte(start, count, index + 7) << 56
    }

    @inlinable @inline(__always) static func byte(
        _ start: UnsafePointer<UInt8>, _ count: Int, _ index: Int
    ) -> UInt64 {
        if index == 0 || index == count + 1 { return 0x22 }
        return index <= count ? UInt64(start[index - 1]) : 0
    }

    @inlinable @inline(__always) static func mask(_ count: Int, _ index: Int) -> UInt64 {
        count + 2 >= index + 8 ? ~0 : (1 &<< UInt64(8 * (count + 2 - index))) &- 1
    }
}
