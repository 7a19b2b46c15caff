/// The digits of a number, from the first to the last that is not zero, without its sign.
struct DecimalDigits {
    /// The digits as a whole number, cut after 19 digits.
    private(set) var significand: UInt64 = 0
    /// The number of digits.
    private(set) var count = 0
    /// The power of ten of the last digit.
    private(set) var exponent = 0
    private(set) var hasFractionOrExponent = false

    /// - Parameter text: a number by the grammar of JSON, or as `Double` prints itself.
    init(_ text: String) {
        var text = text
        self = text.withUTF8 { DecimalDigits($0) }
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>) {
        var point = 0
        var isBehindPoint = false
        // The zeros since the last other digit. They count only if another digit follows.
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

    /// Returns the exponent, saturated: a larger one is beyond every type, too.
    private static func exponent(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        var magnitude = 0
        for byte in bytes where byte >= UInt8(ascii: "0") { magnitude = min(magnitude * 10 + Int(byte) - 48, 9_999) }
        return bytes.first == UInt8(ascii: "-") ? -magnitude : magnitude
    }

    /// Returns whether the digits are equal, for numbers of up to 19 digits.
    func equals(_ other: DecimalDigits) -> Bool {
        count == other.count && significand == other.significand && (exponent == other.exponent || count == 0)
    }

    /// Returns whether these digits are the shortest form of a `Double`, or its form with 17
    /// digits.
    ///
    /// There must be 16 or 17 digits, and they must parse as that `Double`.
    ///
    /// - Returns: nil if 128 bits don't suffice, or the decision is exactly halfway.
    func isWritten(for value: Double) -> Bool? {
        // value = binary / 2^scale, and these digits are significand / 10^places.
        guard value.isNormal else { return nil }
        let (scale, places) = (52 - Int(value.exponent), -exponent)
        guard (0...64).contains(scale), (0...22).contains(places) else { return nil }
        let binary = UInt128(1 << 52 | value.significandBitPattern)
        guard binary.leadingZeroBitCount >= Self.bits[places] else { return nil }
        let power = Self.powers[places]
        let (exact, written) = (binary * power, UInt128(significand) << UInt128(scale))
        // Both are in units in which the last digit is 2^scale.
        let unit: UInt128 = 1 << UInt128(scale)
        if count == 16 {
            // If doubles are at least as dense as these digits, no other 16 digits parse as this
            // value. So 16 digits are the shortest form.
            return power <= unit ? true : nil
        }
        let distance = exact > written ? exact - written : written - exact
        return distance * 2 == unit ? nil : distance * 2 < unit
    }

    private static let powers: [UInt128] = (0...22).reduce(into: [1]) { powers, _ in
        powers.append((powers.last ?? 1) * 10)
    }
    /// The number of bits of each power.
    private static let bits = powers.map { 128 - $0.leadingZeroBitCount }
}
