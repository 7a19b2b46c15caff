/// A number as sign, digits and a power of ten.
///
/// The text must match the grammar of RFC 8259 §6.
struct DecimalText {
    let isNegative: Bool
    /// The digits without the point, possibly with leading and trailing zeros.
    let digits: [UInt8]
    /// The power of ten of the last digit. Exponents beyond a billion are cut to a billion.
    let exponent: Int

    private enum Part { case whole, fraction, exponent }

    enum Fault: Error { case hasFraction, outOfRange }

    init(_ text: some Collection<UInt8>) {
        var isNegative = false
        var digits: [UInt8] = []
        var fraction = 0
        var exponent = 0
        var exponentIsNegative = false
        var part = Part.whole
        for byte in text {
            switch (byte, part) {
            case (0x2D, .exponent): exponentIsNegative = true
            case (0x2D, _): isNegative = true
            case (0x2E, _): part = .fraction
            case (0x65, _), (0x45, _): part = .exponent
            case (0x30...0x39, .exponent):
                // The cut keeps an exponent of any length from overflowing. No type has values of
                // that size, so the result is out of range anyway.
                if exponent < 100_000_000 { exponent = exponent * 10 + Int(byte - 0x30) }
            case (0x30...0x39, _):
                digits.append(byte - 0x30)
                if part == .fraction { fraction += 1 }
            default: break
            }
        }
        self.isNegative = isNegative
        self.digits = digits
        self.exponent = (exponentIsNegative ? -exponent : exponent) - fraction
    }

    /// Returns the exact value.
    func whole<Number: FixedWidthInteger>(as type: Number.Type) -> Result<Number, Fault> {
        // Zero in any form, such as `0e999`.
        guard let last = digits.lastIndex(where: { $0 != 0 }) else { return .success(0) }
        // The power of the last digit that is not zero. `1.50e1` is whole, though its exponent
        // alone is negative.
        let power = exponent + digits.count - 1 - last
        guard power >= 0 else { return .failure(.hasFraction) }
        var value: Number = 0
        func appended(_ digit: UInt8) -> Bool {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let digit = Number(truncatingIfNeeded: digit)
            let (sum, carry) =
                // A negative number is built downwards, as the magnitude of `Number.min` does not
                // fit.
                isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            value = sum
            return !overflow && !carry
        }
        for digit in digits[...last] where !appended(digit) { return .failure(.outOfRange) }
        // No integer type here has that many digits, so the loop ends soon.
        for _ in 0..<power where !appended(0) { return .failure(.outOfRange) }
        return .success(value)
    }
}
