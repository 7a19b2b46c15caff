/// A duration in the notation of people.
enum DurationText {
    private static let units: [(suffix: String, seconds: Int64)] = [
        ("min", 60), ("s", 1), ("h", 3600), ("d", 86_400), ("w", 604_800),
    ]

    /// Parses `90s`, `5min`, `12h`, `30d` or `2w`; nil for other texts.
    static func parse(_ text: String) -> Duration? {
        guard let unit = units.first(where: { text.hasSuffix($0.suffix) }) else { return nil }
        let digits = text.dropLast(unit.suffix.count)
        guard digits.allSatisfy({ ("0"..."9").contains($0) }), let count = Int64(digits) else { return nil }
        let (seconds, overflow) = count.multipliedReportingOverflow(by: unit.seconds)
        // A hundred years: times are kept in nanoseconds, and a difference must not overflow.
        return overflow || seconds > 100 * 365 * 86_400 ? nil : .seconds(seconds)
    }
}
