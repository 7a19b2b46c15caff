import WharfRandom

/// Random values for the families.
extension SeededGenerator {
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
    mutating func chance(_ one: Int) -> Bool { below(one) == 0 }
    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    mutating func text() -> String {
        let pieces = [
            "", "a", "value", "two words", "é", "日本", "😀", "\"", "\\", "/", "\n", "\u{1}", "\u{7f}", "e\u{301}", "<x>",
        ]
        return (0..<below(5)).map { _ in pick(pieces) }.joined()
    }

    mutating func integer<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number {
        switch below(5) {
        case 0: 0
        case 1: .max
        case 2: .min
        case 3: Number(truncatingIfNeeded: below(100))
        default: Number(truncatingIfNeeded: next())
        }
    }

    mutating func double() -> Double {
        switch below(7) {
        case 0: 0
        case 1: Double(below(1000))
        case 2: Double(below(100_000)) / 100
        case 3: -0.0
        case 4:
            pick([
                .leastNonzeroMagnitude, 1.7976931348623157e308, 2.2250738585072014e-308, 9007199254740992, 1e16, 1e-7,
                123456789012345680,
            ])
        default:
            { (value: Double) in value.isFinite ? value : 1.5 }(Double(bitPattern: next()))
        }
    }

    /// The text of a number with about as many digits as 64 bits hold. It is plain, or has a
    /// fraction, an exponent, or both.
    mutating func number() -> String {
        var digits = (0..<17 + below(6)).map { _ in chance(4) ? "0" : "\(1 + below(9))" }
        if digits[0] == "0" { digits[0] = "1" }
        // Often a whole number even so.
        if chance(3) { for index in 0..<below(digits.count) { digits[digits.count - 1 - index] = "0" } }
        if chance(2) { digits.insert(".", at: 1 + below(digits.count - 1)) }
        if chance(2) { digits.append(pick(["e", "E", "e+", "e-"]) + "\(below(24))") }
        return pick(["", "-"]) + digits.joined()
    }

    mutating func array<Element>(_ make: (inout SeededGenerator) -> Element) -> [Element] {
        (0..<below(4)).map { _ in make(&self) }
    }
    mutating func optional<Element>(_ make: (inout SeededGenerator) -> Element) -> Element? {
        chance(3) ? nil : make(&self)
    }
}
