internal import WharfCore

/// Reads and prints times, sizes, rates and shares of the text form of a plan.
enum Quantity {
    private static let times: [(unit: String, nanoseconds: Int64)] = [
        ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000), ("ns", 1),
    ]
    private static let sizes: [(unit: String, factor: Int)] = [
        ("MiB", 1 << 20), ("KiB", 1 << 10), ("MB", 1_000_000), ("kB", 1_000), ("B", 1), ("", 1),
    ]
    private static let rates: [(unit: String, factor: Int)] = [
        ("Gbps", 1_000_000_000), ("Mbps", 1_000_000), ("kbps", 1_000), ("bps", 1),
    ]

    // MARK: Reading

    /// Reads a time: `200ms`, `1.5s`, `30us`, `7ns`.
    static func time(_ text: Substring) -> Duration? {
        let (number, unit) = split(text)
        guard let factor = times.first(where: { $0.unit == unit })?.nanoseconds else { return nil }
        return scaled(number, by: Int(factor)).map { .nanoseconds($0) }
    }

    /// Reads a size in bytes: `512`, `64kB`, `1MiB`.
    static func size(_ text: Substring) -> Int? {
        let (number, unit) = split(text)
        return sizes.first { $0.unit == unit }.flatMap { scaled(number, by: $0.factor) }
    }

    /// Reads a rate in bits per second: `780kbps`, `2Mbps`.
    static func rate(_ text: Substring) -> Int? {
        let (number, unit) = split(text)
        return rates.first { $0.unit == unit }.flatMap { scaled(number, by: $0.factor) }
    }

    /// Reads a share between 0 and 1: `30%` or `0.3`.
    static func share(_ text: Substring) -> Double? {
        let isPercent = text.last == "%"
        // Excludes signs, "nan" and "0x1p-1", which `Double` would accept.
        guard let first = text.first, first.isASCII, first.isNumber, !text.contains("x"),
            let number = Double(isPercent ? text.dropLast() : text)
        else { return nil }
        let share = isPercent ? number / 100 : number
        return (0...1).contains(share) ? share : nil
    }

    // MARK: Writing

    static func text(_ time: Duration) -> String {
        let nanoseconds = time.saturatedNanoseconds
        let unit = times.first { nanoseconds % $0.nanoseconds == 0 } ?? ("ns", 1)
        return "\(nanoseconds / unit.nanoseconds)\(unit.unit)"
    }

    static func text(bitsPerSecond rate: Int) -> String {
        let unit = rates.first { rate % $0.factor == 0 } ?? ("bps", 1)
        return "\(rate / unit.factor)\(unit.unit)"
    }

    static func text(_ share: Double) -> String {
        let text = "\(share)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    // MARK: Numbers

    private static func split(_ text: Substring) -> (number: Substring, unit: Substring) {
        let number = text.prefix { ("0"..."9").contains($0) || $0 == "." }
        return (number, text[number.endIndex...])
    }

    private static func scaled(_ number: Substring, by factor: Int) -> Int? {
        // Whole numbers stay exact: a `Double` would round large ones.
        if let whole = Int(number) {
            let (product, overflow) = whole.multipliedReportingOverflow(by: factor)
            return overflow ? nil : product
        }
        guard number.first != ".", number.last != ".", let value = Double(number) else { return nil }
        return Int(exactly: (value * Double(factor)).rounded())
    }
}
