/// A number of bytes in the notation of people.
enum ByteCount {
    private static let units: [(suffix: String, factor: Int)] = [
        ("KIB", 1 << 10), ("MIB", 1 << 20), ("GIB", 1 << 30), ("KB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000),
        ("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30), ("B", 1),
    ]

    /// Parses `512`, `64K` (1024 each), `10MB` (1000 each) or `1.5G`.
    ///
    /// Nil for other texts, and for numbers beyond `Int`.
    static func parse(_ text: String) -> Int? {
        let upper = text.uppercased()
        let unit = units.first { upper.hasSuffix($0.suffix) }
        let digits = unit.map { upper.dropLast($0.suffix.count) } ?? upper[...]
        guard let first = digits.first, first.isASCII, first.isNumber else { return nil }
        let factor = unit?.factor ?? 1
        if let whole = Int(digits) {
            let (bytes, overflow) = whole.multipliedReportingOverflow(by: factor)
            return overflow ? nil : bytes
        }
        guard factor > 1, digits.allSatisfy({ $0 == "." || ("0"..."9").contains($0) }), let number = Double(digits)
        else { return nil }
        return Int(exactly: (number * Double(factor)).rounded())
    }
}
