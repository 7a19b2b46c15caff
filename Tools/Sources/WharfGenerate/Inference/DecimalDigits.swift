/// A number by its digits, from the first to the last that is not zero. Without its sign.
struct DecimalDigits {
    /// As a whole number, of which only 19 digits are kept.
    private(set) var significand: UInt64 = 0
    /// How many digits there are.
    private(set) var count = 0
    /// Of ten, behind the last digit.
    private(set) var exponent = 0
    private(set) var hasFractionOrExponent = false

    /// - Parameter text: by the grammar of JSON, or as `Double` writes itself.
    init(_ text: String) {
        var text = text
        self = text.withUTF8 { DecimalDigits($0) }
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>) {
        var point = 0
        var isBehindPoint = false
        // Those that are digits only if another follows.
        var zeros = 0
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "."): isBehindPoint = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if isBehindPoint { point += 1 }
                if byte != UInt8(ascii: "0") {
                    append(byte - UInt8(ascii: "0"), behind: zeros)
                    zeros = 0
                } else if count > 0 {
                    zeros += 1
                }
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                hasFractionOrExponent = true
                exponent = Self.exponent(bytes[index...])
                index = bytes.count
            default: continue
            }
        }
        if isBehindPoint { hasFractionOrExponent = true }
        exponent += zeros - point
    }

    private mutating func append(_ digit: UInt8, behind zeros: Int) {
        count += zeros + 1
        guard count <= 19 else { return }
        for _ in 0..<zeros { significand *= 10 }
        significand = significand * 10 + UInt64(digit)
    }

    /// Beyond what anything holds a saturated one is as good.
    private static func exponent(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        var magnitude = 0
        for byte in bytes where byte >= UInt8(ascii: "0") { magnitude = min(magnitude * 10 + Int(byte) - 48, 9_999) }
        return bytes.first == UInt8(ascii: "-") ? -magnitude : magnitude
    }

    /// For numbers of up to 19 digits.
    func equals(_ other: DecimalDigits) -> Bool {
        count == other.count && significand == other.significand && (exponent == other.exponent || count == 0)
    }

    /// Whether a `Double` is written by these digits, in the shortest way or in seventeen digits.
    /// They are sixteen or seventeen, and are read as that `Double`.
    ///
    /// - Returns: nil where that takes more than 128 bits, or is a close thing.
    func isWritten(for value: Double) -> Bool? {
        // value = binary / 2^scale, and these digits are significand / 10^places.
        guard value.isNormal else { return nil }
        let (scale, places) = (52 - Int(value.exponent), -exponent)
        guard (0...64).contains(scale), (0...22).contains(places) else { return nil }
        let binary = UInt128(1 << 52 | value.significandBitPattern)
        guard binary.leadingZeroBitCount >= Self.bits[places] else { return nil }
        let power = Self.powers[places]
        let (exact, written) = (binary * power, UInt128(significand) << UInt128(scale))
        // Both in units of a last digit that is 2^scale.
        let unit: UInt128 = 1 << UInt128(scale)
        if count == 16 {
            // Where a `Double` is no further from the next than a digit from the next, no other
            // sixteen digits are read as this one, and sixteen is the shortest.
            return power <= unit ? true : nil
        }
        let distance = exact > written ? exact - written : written - exact
        return distance * 2 == unit ? nil : distance * 2 < unit
    }

    private static let powers: [UInt128] = (0...22).reduce(into: [1]) { powers, _ in
        powers.append((powers.last ?? 1) * 10)
    }
    /// That they take.
    private static let bits = powers.map { 128 - $0.leadingZeroBitCount }
}
