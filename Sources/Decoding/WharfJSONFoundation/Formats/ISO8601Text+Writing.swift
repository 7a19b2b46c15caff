package import Foundation

extension ISO8601Text {
    /// Returns the date in UTC, with the fewest digits that read back as the same date.
    ///
    /// The fraction has 0, 3, 6 or 9 digits.
    ///
    /// - Returns: nil for a date outside the years 0000 to 9999, which need more digits than the
    ///   format has.
    package static func bytes(_ date: Date) -> [UInt8]? {
        let time = date.timeIntervalSinceReferenceDate
        // Beyond the years 0000 to 9999 by far, and small enough for the conversions to `Int`
        // below.
        guard time.magnitude < 1e12 else { return nil }
        let rounded = roundedFraction(time)
        // Rounded down, so that a time before 2001 has a positive time of day.
        let (days, seconds) = rounded.whole.floored(by: 86_400)
        guard let day = CalendarDay(daysSince2001: days), day.year <= 9999 else { return nil }
        var text: [UInt8] = []
        text.reserveCapacity(30)
        append(day.year / 100, 2, to: &text)
        append(day.year % 100, 2, to: &text)
        text.append(0x2D)
        append(day.month, 2, to: &text)
        text.append(0x2D)
        append(day.day, 2, to: &text)
        text.append(0x54)
        append(seconds / 3600, 2, to: &text)
        text.append(0x3A)
        append(seconds / 60 % 60, 2, to: &text)
        text.append(0x3A)
        append(seconds % 60, 2, to: &text)
        if rounded.digits > 0 {
            text.append(0x2E)
            append(rounded.fraction, rounded.digits, to: &text)
        }
        text.append(0x5A)
        return text
    }

    private static func roundedFraction(_ time: Double) -> (whole: Int, fraction: Int, digits: Int) {
        let floor = time.rounded(.down)
        var whole = Int(floor)
        var (fraction, digits, scale) = (0, 0, 1.0)
        while true {
            fraction = Int(((time - floor) * scale).rounded())
            whole = Int(floor)
            // The fraction was rounded up to a whole second.
            if fraction == Int(scale) { (whole, fraction) = (whole + 1, 0) }
            // This is the sum that the reader computes.
            if digits == 9 || Double(whole) + Double(fraction) / scale == time { break }
            digits += 3
            scale *= 1000
        }
        return (whole, fraction, fraction == 0 ? 0 : digits)
    }

    private static func append(_ number: Int, _ width: Int, to text: inout [UInt8]) {
        var divisor = 1
        for _ in 1..<width { divisor *= 10 }
        while divisor > 0 {
            text.append(0x30 + UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
    }
}
