/// A number of a document with all its digits, for comparison with any decoder's result. Its value
/// is `0.digits * 10^point`.
struct ExactNumber {
    let isNegative: Bool
    /// The digits from 0 to 9, without zeros at either end. Zero has none.
    let digits: [UInt8]
    let point: Int
    let hasExponent: Bool
    /// Whether the text has neither a fraction nor an exponent.
    let isPlain: Bool

    /// - Parameter text: any text. The result is nil if it is no number by RFC 8259 §6.
    init?(_ text: some Collection<UInt8>) {
        guard Grammar.accepts(Array(text)), let first = text.first, first == 0x2D || 0x30...0x39 ~= first else {
            return nil
        }
        let parts = text.split(omittingEmptySubsequences: false) { $0 | 0x20 == 0x65 }
        let halves = parts[0].split(separator: 0x2E)
        let whole = halves[0].filter { $0 != 0x2D }.map { $0 - 0x30 }
        let all = whole + (halves.count > 1 ? halves[1].map { $0 - 0x30 } : [])
        let significant = all.drop { $0 == 0 }
        let exponent = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : "0"
        // A larger exponent than any number here has digits.
        let power = Int(exponent) ?? (exponent.hasPrefix("-") ? -1_000_000 : 1_000_000)
        isNegative = first == 0x2D
        hasExponent = parts.count > 1
        isPlain = parts.count == 1 && halves.count == 1
        digits = Array(significant.reversed().drop { $0 == 0 }.reversed())
        point = digits.isEmpty ? 0 : whole.count - (all.count - significant.count) + power
    }

    init?(_ text: String) { self.init(Array(text.utf8)) }

    var isZero: Bool { digits.isEmpty }
    var isWhole: Bool { point >= digits.count }

    func magnitudeIsBelow(_ other: ExactNumber) -> Bool {
        guard !isZero, !other.isZero else { return !other.isZero }
        return point == other.point ? digits.lexicographicallyPrecedes(other.digits) : point < other.point
    }

    /// The text of the same whole number without a fraction or exponent.
    var plainText: String? {
        guard isWhole, point < 1000 else { return nil }
        let text = digits.map(String.init).joined() + String(repeating: "0", count: point - digits.count)
        return (isNegative ? "-" : "") + (text.isEmpty ? "0" : text)
    }

    /// Whether a type has this value, or rounds this to one. Returns nil if the type is not known
    /// here.
    func fits(_ type: String) -> Bool? {
        if let (least, most) = Self.integers[type] {
            guard let bound = ExactNumber(isNegative ? least : most) else { return nil }
            return isWhole && !bound.magnitudeIsBelow(self)
        }
        guard let bounds = Self.floats[type], let least = ExactNumber(bounds.least),
            let most = ExactNumber(bounds.most)
        else { return nil }
        return isZero || !magnitudeIsBelow(least) && magnitudeIsBelow(most)
    }

    static func isInteger(_ type: String) -> Bool { integers[type] != nil }

    private static let integers: [String: (String, String)] = {
        func row<Number: FixedWidthInteger>(_ type: Number.Type) -> (String, (String, String)) {
            ("\(type)", ("\(Number.min)", "\(Number.max)"))
        }
        return Dictionary(uniqueKeysWithValues: [
            row(Int.self), row(Int8.self), row(Int16.self), row(Int32.self), row(Int64.self), row(Int128.self),
            row(UInt.self), row(UInt8.self), row(UInt16.self), row(UInt32.self), row(UInt64.self), row(UInt128.self),
        ])
    }()

    /// The bounds of each type. For floating point, values up to half of the least number round to
    /// zero. Values from half a step above the largest number on round to infinity. For decimals
    /// these are the least number, and the successor of the largest.
    private static let floats = [
        "Double": (least: "2.4703282292062327208e-324", most: "1.7976931348623158079372897140530342e308"),
        "Float": (least: "7.0064923216240853546e-46", most: "3.4028235677973366163753939545814e38"),
        "Decimal": (least: "1e-128", most: "3.40282366920938463463374607431768211456e165"),
    ]
}

extension Token {
    /// The numbers of a document, with their ranges.
    static func numbers(in document: [UInt8]) -> [(range: Range<Int>, number: ExactNumber)] {
        all(in: document).compactMap { token in
            var range = token.range
            while let last = document[range].last, [0x20, 0x09, 0x0A, 0x0D].contains(last) { range.removeLast() }
            return ExactNumber(document[range]).map { (range, $0) }
        }
    }

    /// The document with some numbers written differently, or nil if none is.
    static func respelled(_ document: [UInt8], _ text: (ExactNumber) -> String?) -> [UInt8]? {
        var result = document
        var isChanged = false
        for (range, number) in numbers(in: document).reversed() {
            guard let text = text(number) else { continue }
            result.replaceSubrange(range, with: Array(text.utf8))
            isChanged = true
        }
        return isChanged ? result : nil
    }
}
