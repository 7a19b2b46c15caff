extension JSONWriter {
    /// Writes `null`.
    @inlinable public mutating func null() { put("null") }

    /// Writes `true` or `false`.
    @inlinable public mutating func bool(_ value: Bool) { put(value ? "true" : "false") }

    @inlinable @inline(__always) mutating func put(_ text: StaticString) {
        put(text.utf8Start, text.utf8CodeUnitCount)
    }

    /// Writes a whole number in decimal, exactly.
    @inlinable public mutating func integer<Number: FixedWidthInteger>(_ value: Number) {
        guard Number.bitWidth <= 64 else { return text(value.description) }
        reserve(20)
        if value < 0 { put(0x2D) }
        var rest = UInt64(value.magnitude)
        if rest < 10 { return put(0x30 + UInt8(truncatingIfNeeded: rest)) }
        var digits = 1
        var bound: UInt64 = 10
        while digits < 20, rest >= bound {
            digits += 1
            // 10^20 does not fit into 64 bits. A number of 20 digits ends the loop here.
            let (next, overflow) = bound.multipliedReportingOverflow(by: 10)
            if overflow { break }
            bound = next
        }
        // Writes from the last digit to the first, into the 20 bytes reserved above.
        var place = count + digits
        while place > count {
            place -= 1
            let quotient = rest / 10
            base[place] = 0x30 + UInt8(truncatingIfNeeded: rest - quotient * 10)
            rest = quotient
        }
        count += digits
    }

    /// Writes the shortest text that reads back as the same number.
    ///
    /// A whole number has no `.0`, as in JavaScript.
    public mutating func double(_ value: Double) { number(value, exactBelow: 0x1p53) }

    /// Writes the shortest text that reads back as the same `Float`.
    ///
    /// It is shorter than the text of the same number as a `Double`.
    public mutating func float(_ value: Float) { number(value, exactBelow: 0x1p24) }

    /// - Parameter limit: below it the type holds every whole number exactly, so that all digits
    ///   are significant.
    private mutating func number<Number: BinaryFloatingPoint & CustomStringConvertible>(
        _ value: Number, exactBelow limit: Number
    ) {
        guard value.isFinite else { return invalid(expected: "a finite number, as JSON has no \(value)") }
        // -0 keeps its sign as text, since no integer has one.
        if value.magnitude < limit, value.rounded(.towardZero) == value,
            !(value == 0 && value.sign == .minus)
        {
            return integer(Int64(value))
        }
        text(value.description)
    }

    /// Writes text without quotes and escapes.
    @usableFromInline mutating func text(_ text: String) {
        var text = text
        if text.hasSuffix(".0") { text.removeLast(2) }
        text.withUTF8 { bytes in
            if let start = bytes.baseAddress { put(start, bytes.count) }
        }
    }

    /// Writes a string in quotes.
    ///
    /// `"`, `\` and control characters become escapes (RFC 8259 §7); all else stays as it is.
    @inlinable public mutating func string(_ value: String) {
        var value = value
        value.withUTF8 { bytes in
            reserve(bytes.count + 2)
            put(0x22)
            if let start = bytes.baseAddress { putEscaped(start, bytes.count) }
            reserve(1)
            put(0x22)
        }
    }

    @usableFromInline mutating func putEscaped(_ start: UnsafePointer<UInt8>, _ length: Int) {
        var run = 0
        var index = 0
        while index < length {
            // `length - index >= 8`, so the word lies inside the text.
            while length - index >= 8 {
                let word = UInt64(littleEndian: UnsafeRawPointer(start + index).loadUnaligned(as: UInt64.self))
                let special = JSONReader.special(word)
                // The lowest set bit is in the first special byte, as the word is little-endian.
                index += special == 0 ? 8 : special.trailingZeroBitCount >> 3
                if special != 0 { break }
            }
            guard index < length else { break }
            let byte = start[index]
            if byte >= 0x20, byte != 0x22, byte != 0x5C {
                index += 1
                continue
            }
            put(start + run, index - run)
            putEscape(byte)
            index += 1
            run = index
        }
        put(start + run, length - run)
    }

    private mutating func putEscape(_ byte: UInt8) {
        switch byte {
        case 0x22: put("\\\"")
        case 0x5C: put("\\\\")
        case 0x08: put("\\b")
        case 0x09: put("\\t")
        case 0x0A: put("\\n")
        case 0x0C: put("\\f")
        case 0x0D: put("\\r")
        default:
            put("\\u00")
            reserve(2)
            put(byte < 16 ? 0x30 : 0x31)
            put(byte & 15 < 10 ? 0x30 + (byte & 15) : 0x57 + (byte & 15))
        }
    }

    /// Writes one value that is JSON already, byte for byte.
    ///
    /// - Parameter json: one whole value by RFC 8259. It is not checked.
    public mutating func raw(_ json: [UInt8]) {
        json.withUnsafeBufferPointer { bytes in
            if let start = bytes.baseAddress { put(start, bytes.count) }
        }
    }
}
