/// A growing buffer of bytes, with the text of scalars.
///
/// Invariant: the memory is allocated here and freed in `deinit`. Its first `count` bytes are
/// initialised, and `count <= capacity`.
struct EncodedText: ~Copyable {
    private var base: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int = 4096) {
        self.capacity = capacity
        base = .allocate(capacity: capacity)
    }

    deinit {
        base.deallocate()
    }

    var array: [UInt8] { Array(UnsafeBufferPointer(start: base, count: count)) }

    /// - Parameter range: below `count`. The result is valid until the next append.
    func bytes(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
    }

    @inline(__always) private mutating func reserve(_ more: Int) {
        if _slowPath(capacity - count < more) { grow(more) }
    }

    @inline(never) private mutating func grow(_ more: Int) {
        let larger = max(capacity * 2, count + more)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        moved.moveInitialize(from: base, count: count)
        base.deallocate()
        base = moved
        capacity = larger
    }

    @inline(__always) mutating func append(_ byte: UInt8) {
        reserve(1)
        base[count] = byte
        count += 1
    }

    @inline(__always) mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count)
        (base + count).initialize(from: start, count: bytes.count)
        count += bytes.count
    }

    @inline(__always) mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    mutating func append(number: some FixedWidthInteger) {
        guard let small = Int64(exactly: number) else { return append(text: String(number)) }
        var magnitude = small.magnitude
        if small < 0 { append(0x2D as UInt8) }
        var digits = 1
        var bound: UInt64 = 10
        // 19 is the most digits of an `Int64`, and 10^19 still fits into `bound`.
        while digits < 19, magnitude >= bound {
            digits += 1
            bound = bound &* 10
        }
        reserve(digits)
        var index = count + digits
        repeat {
            index -= 1
            let (quotient, digit) = magnitude.quotientAndRemainder(dividingBy: 10)
            base[index] = 0x30 + UInt8(truncatingIfNeeded: digit)
            magnitude = quotient
        } while index > count
        count += digits
    }

    /// Appends the shortest decimal that rounds to the number, without a fraction of zero.
    mutating func append(number: Double) {
        // Below 2^53 each whole number is exact. Zero is left to the text, for its sign.
        if number.magnitude < 9_007_199_254_740_992, let whole = Int64(exactly: number), whole != 0 {
            return append(number: whole)
        }
        appendShortest(number.description)
    }

    mutating func append(number: Float) { appendShortest(number.description) }

    private mutating func appendShortest(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            let isWhole = bytes.count > 2 && bytes[bytes.count - 2] == 0x2E && bytes[bytes.count - 1] == 0x30
            append(UnsafeBufferPointer(rebasing: bytes[..<(bytes.count - (isWhole ? 2 : 0))]))
        }
    }

    /// Appends a quoted string, with the escapes that Foundation writes.
    mutating func append(quoted text: String, escapingSlashes: Bool) {
        var text = text
        text.withUTF8 { bytes in
            reserve(bytes.count + 2)
            append(0x22 as UInt8)
            var from = 0
            while let special = Self.firstSpecial(bytes, from, escapingSlashes) {
                append(UnsafeBufferPointer(rebasing: bytes[from..<special]))
                escape(bytes[special])
                from = special + 1
            }
            append(UnsafeBufferPointer(rebasing: bytes[from...]))
            append(0x22 as UInt8)
        }
    }

    private static func firstSpecial(_ bytes: UnsafeBufferPointer<UInt8>, _ from: Int, _ slashes: Bool) -> Int? {
        guard let start = bytes.baseAddress else { return nil }
        var index = from
        while index < bytes.count {
            // The word lies inside the buffer if eight bytes are left.
            if bytes.count - index >= 8 {
                let word = UnsafeRawPointer(start + index).loadUnaligned(as: UInt64.self)
                let slash = word ^ 0x2F2F_2F2F_2F2F_2F2F
                // The usual test for a zero byte, on the difference from `/`.
                let hasSlash = slashes ? (slash &- 0x0101_0101_0101_0101) & ~slash & 0x8080_8080_8080_8080 : 0
                if JSONReader.special(word) | hasSlash == 0 {
                    index += 8
                    continue
                }
            }
            let byte = bytes[index]
            if byte < 0x20 || byte == 0x22 || byte == 0x5C || (byte == 0x2F && slashes) { return index }
            index += 1
        }
        return nil
    }

    private mutating func escape(_ byte: UInt8) {
        append(0x5C as UInt8)
        switch byte {
        case 0x08: append(0x62 as UInt8)
        case 0x0C: append(0x66 as UInt8)
        case 0x0A: append(0x6E as UInt8)
        case 0x0D: append(0x72 as UInt8)
        case 0x09: append(0x74 as UInt8)
        case ..<0x20:
            append("u00")
            append(byte < 0x10 ? 0x30 : 0x31 as UInt8)
            append(byte & 0xF < 10 ? 0x30 + (byte & 0xF) : 0x57 + (byte & 0xF))
        default: append(byte)
        }
    }
}
