/// The position of a reader in an array.
public struct JSONElements: Sendable {
    @usableFromInline var isFirst: Bool

    @inlinable init() {
        isFirst = true
    }
}

extension JSONReader {
    /// Enters an array.
    ///
    /// If another kind of value is at the cursor, it is noted and skipped, and the result is nil.
    ///
    /// ```swift
    /// guard var elements = json.beginArray() else { return nil }
    /// while json.next(&elements) { … }    // read one element
    /// ```
    @inlinable @inline(__always) public mutating func beginArray() -> JSONElements? {
        guard p.pointee == 0x5B else {
            noteMismatch("an array")
            return nil
        }
        guard enter() else { return nil }
        return JSONElements()
    }

    /// Moves to the next element.
    ///
    /// Returns false if the array ended, with the cursor after it, or nothing more can be read.
    @inlinable @inline(__always) public mutating func next(_ elements: inout JSONElements) -> Bool {
        // Only the first place may end the array at once. After a comma `]` is no value, so `[1,]`
        // fails there.
        if elements.isFirst {
            elements.isFirst = false
            if p.pointee == 0x5D {
                leave()
                return false
            }
            return true
        }
        skipWhitespace()
        if p.pointee == 0x2C {
            p += 1
            skipWhitespace()
            return true
        }
        if p.pointee == 0x5D {
            leave()
            return false
        }
        noteSyntax("',' or ']'")
        return false
    }
}
