extension JSONReader {
    /// Reads a whole number exactly, with all 64 or 128 bits.
    ///
    /// It may be written as `1.0` or `12e3`. A number with a fraction or out of range is noted and
    /// gives nil.
    @inlinable public mutating func integer<Number: FixedWidthInteger>(
        _ type: Number.Type = Number.self
    ) -> Number? {
        var q = p
        let isNegative = q.pointee == 0x2D
        if isNegative { q += 1 }
        let start = q
        var digit = UInt64(q.pointee &- 0x30)
        guard digit <= 9 else { return integerElsewise() }
        var magnitude = digit
        q += 1
        while true {
            digit = UInt64(q.pointee &- 0x30)
            // The subtraction wraps for characters below "0", so one comparison covers both sides.
            if digit > 9 { break }
            magnitude = magnitude &* 10 &+ digit
            q += 1
        }
        let count = q - start
        // Any number of up to 18 digits fits into 64 bits.
        guard _fastPath(count <= 18), _fastPath(start.pointee != 0x30 || count == 1), q.pointee != 0x2E,
            q.pointee | 0x20 != 0x65
        else { return integerElsewise() }
        // The magnitude has at most 18 digits here, so neither sign overflows.
        let signed = isNegative ? 0 &- Int64(truncatingIfNeeded: magnitude) : Int64(truncatingIfNeeded: magnitude)
        guard let number = Number(exactly: signed) else { return integerElsewise() }
        p = q
        return number
    }

    /// The slow path, for long numbers, fractions, exponents and other values.
    @usableFromInline @inline(never) mutating func integerElsewise<Number: FixedWidthInteger>() -> Number? {
        guard p.pointee == 0x2D || Self.isDigit(p.pointee) else {
            noteMismatch(with: "a whole number (\(Number.self))")
            return nil
        }
        let start = p
        skipNumber()
        guard !notes.isFatal else { return nil }
        let text = UnsafeBufferPointer(start: start, count: p - start)
        switch DecimalText(text).whole(as: Number.self) {
        case .success(let number): return number
        case .failure(.hasFraction):
            return invalid(at: start - base, .typeMismatch, expected: "a whole number (\(Number.self))")
        case .failure(.outOfRange):
            return invalid(
                at: start - base, .outOfRange,
                expected: "a whole number from \(Number.min) to \(Number.max) (\(Number.self))"
            )
        }
    }
}
