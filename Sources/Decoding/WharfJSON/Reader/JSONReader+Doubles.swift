/// A scanned number: `mantissa * 10^power`.
@usableFromInline struct ScannedDecimal {
    @usableFromInline var mantissa: UInt64
    @usableFromInline var power: Int
    @usableFromInline var isNegative: Bool
    @usableFromInline var end: UnsafePointer<UInt8>

    @inlinable init(mantissa: UInt64, power: Int, isNegative: Bool, end: UnsafePointer<UInt8>) {
        self.mantissa = mantissa
        self.power = power
        self.isNegative = isNegative
        self.end = end
    }
}

extension JSONReader {
    /// Reads a number, rounded once to the nearest `Double`.
    ///
    /// A number too large for a `Double` is noted and gives nil. A number too small is zero.
    @inlinable public mutating func double() -> Double? {
        guard let scanned = Self.scannedDecimal(p), let value = Decimals.double(scanned.mantissa, scanned.power) else {
            return doubleElsewise()
        }
        p = scanned.end
        return scanned.isNegative ? -value : value
    }

    /// Reads a number, rounded once to the nearest `Float`, not by way of a `Double`.
    public mutating func float() -> Float? {
        guard let scanned = Self.scannedDecimal(p), let value = Decimals.float(scanned.mantissa, scanned.power) else {
            return number(of: Float.self) { Float($0) }
        }
        p = scanned.end
        return scanned.isNegative ? -value : value
    }

    /// Returns nil if there is no number, or it has more than 19 digits, which may not fit into 64
    /// bits.
    @inlinable @inline(__always) static func scannedDecimal(_ p: UnsafePointer<UInt8>) -> ScannedDecimal? {
        var q = p
        let isNegative = q.pointee == 0x2D
        if isNegative { q += 1 }
        let start = q
        var mantissa: UInt64 = 0
        appendDigits(&q, &mantissa)
        var count = q - start
        // RFC 8259 §6 allows no leading zeros: the slow path reports them.
        guard _fastPath(count == 1 || (count > 1 && start.pointee != 0x30)) else { return nil }
        var power = 0
        if q.pointee == 0x2E {
            q += 1
            let fraction = q
            appendDigits(&q, &mantissa)
            power = fraction - q
            // At least one digit must follow the point.
            guard power < 0 else { return nil }
            count -= power
        }
        if q.pointee | 0x20 == 0x65 {
            q += 1
            let isSmall = q.pointee == 0x2D
            if isSmall || q.pointee == 0x2B { q += 1 }
            let first = q
            var exponent = 0
            while isDigit(q.pointee) {
                // The cut keeps a long exponent from overflowing; it is far outside the range
                // already.
                if exponent < 100_000 { exponent = exponent &* 10 &+ Int(q.pointee &- 0x30) }
                q += 1
            }
            guard q > first else { return nil }
            power += isSmall ? -exponent : exponent
        }
        // 10^19 - 1 fits into 64 bits; with 20 digits the mantissa may have wrapped.
        guard _fastPath(count <= 19) else { return nil }
        return ScannedDecimal(mantissa: mantissa, power: power, isNegative: isNegative, end: q)
    }

    /// Appends digits; after more than 19 of them `mantissa` means nothing.
    @inlinable @inline(__always) static func appendDigits(_ q: inout UnsafePointer<UInt8>, _ mantissa: inout UInt64) {
        while true {
            let digit = UInt64(q.pointee &- 0x30)
            if digit > 9 { return }
            mantissa = mantissa &* 10 &+ digit
            q += 1
        }
    }

    /// The slow path, for long and extreme numbers and for other values.
    @usableFromInline @inline(never) mutating func doubleElsewise() -> Double? {
        number(of: Double.self) { Double($0) }
    }

    private mutating func number<Number: BinaryFloatingPoint>(
        of type: Number.Type, _ parse: (Substring) -> Number?
    ) -> Number? {
        let start = offset
        guard let text = numberText() else { return nil }
        guard let value = parse(text[...]), value.isFinite else {
            return invalid(
                at: start, .outOfRange,
                expected:
                    "a number between \(-Number.greatestFiniteMagnitude) and \(Number.greatestFiniteMagnitude) (\(Number.self))"
            )
        }
        return value
    }

    /// Reads the text of a number, for values that no binary number holds.
    public mutating func numberText() -> String? {
        guard p.pointee == 0x2D || Self.isDigit(p.pointee) else {
            noteMismatch("a number")
            return nil
        }
        let start = p
        skipNumber()
        guard !notes.isFatal else { return nil }
        return String(ascii: start, count: p - start)
    }
}
