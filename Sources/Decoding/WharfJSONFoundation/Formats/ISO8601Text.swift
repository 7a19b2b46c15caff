package import Foundation

/// Converts between dates and text by RFC 3339, the profile of ISO 8601 that services use.
package enum ISO8601Text {
    /// Returns the date; nil if the text does not have the format of ``ISO8601``.
    package static func date(_ text: UnsafeRawBufferPointer) -> Date? {
        // The shortest date is "2001-01-01T00:00:00Z".
        guard text.count >= 20, text[4] == 0x2D, text[7] == 0x2D, text[10] | 0x20 == 0x74, text[13] == 0x3A,
            text[16] == 0x3A, let century = pair(text, 0), let year = pair(text, 2), let month = pair(text, 5),
            let dayOfMonth = pair(text, 8), let hour = pair(text, 11), let minute = pair(text, 14),
            let second = pair(text, 17), hour < 24, minute < 60, second < 61,
            let day = CalendarDay(year: century * 100 + year, month: month, day: dayOfMonth)
        else { return nil }
        var index = 19
        guard let fraction = fraction(text, &index), let offset = offset(text, index) else { return nil }
        // A second of 60 gives the first moment of the next minute, as `Date` has no leap seconds.
        let whole = day.daysSince2001 * 86_400 + hour * 3600 + minute * 60 + second - offset
        if second == 60, !followsLeapSecond(whole) { return nil }
        let time = Double(whole) + fraction
        return writable.contains(time) ? Date(timeIntervalSinceReferenceDate: time) : nil
    }

    /// The years 0000 to 9999 in UTC, in seconds since 2001.
    ///
    /// An offset, a leap second or the rounding of a fraction may lead out of them.
    private static let writable = -63_145_526_400.0..<252_423_993_600.0

    package static func date(_ text: String) -> Date? {
        var text = text
        return text.withUTF8 { date(UnsafeRawBufferPointer($0)) }
    }

    /// Returns whether a leap second can precede a moment.
    ///
    /// Leap seconds end a month in UTC; the offset of the text does not matter (RFC 3339 §5.7).
    private static func followsLeapSecond(_ whole: Int) -> Bool {
        let (days, seconds) = whole.floored(by: 86_400)
        return seconds == 0 && CalendarDay(daysSince2001: days)?.day == 1
    }

    @inline(__always) private static func pair(_ text: UnsafeRawBufferPointer, _ index: Int) -> Int? {
        // The subtraction wraps for characters below "0", so one comparison covers both sides.
        let (tens, ones) = (text[index] &- 0x30, text[index + 1] &- 0x30)
        return tens <= 9 && ones <= 9 ? Int(tens) * 10 + Int(ones) : nil
    }

    /// Returns the fraction; 0 if there is none, nil if it has no digits.
    ///
    /// Digits after the 18th are below the precision of any `Date`.
    private static func fraction(_ text: UnsafeRawBufferPointer, _ index: inout Int) -> Double? {
        guard text[index] == 0x2E else { return 0 }
        index += 1
        let start = index
        var digits: UInt64 = 0
        var scale = 1.0
        while index < text.count, text[index] &- 0x30 <= 9 {
            // 18 digits fit into 64 bits.
            if index - start < 18 {
                digits = digits * 10 + UInt64(text[index] &- 0x30)
                scale *= 10
            }
            index += 1
        }
        // Powers of ten up to 10^22 are exact, so this division rounds once. The sum with whole
        // seconds rounds once more.
        return index > start ? Double(digits) / scale : nil
    }

    /// Returns the offset east of UTC in seconds, from `Z` or hours and minutes.
    ///
    /// It must be the rest of the text.
    private static func offset(_ text: UnsafeRawBufferPointer, _ index: Int) -> Int? {
        let left = text.count - index
        guard left > 0 else { return nil }
        let sign = text[index]
        if sign | 0x20 == 0x7A { return left == 1 ? 0 : nil }
        guard sign == 0x2B || sign == 0x2D, left >= 3, let hours = pair(text, index + 1), hours < 24 else { return nil }
        var minutes = 0
        // The sign with hours alone, with minutes, or with a colon and minutes.
        switch left {
        case 3: break
        case 5:
            guard let pair = pair(text, index + 3) else { return nil }
            minutes = pair
        case 6:
            guard text[index + 3] == 0x3A, let pair = pair(text, index + 4) else { return nil }
            minutes = pair
        default: return nil
        }
        guard minutes < 60 else { return nil }
        return (hours * 3600 + minutes * 60) * (sign == 0x2D ? -1 : 1)
    }
}

extension Int {
    /// Returns quotient and remainder, with a remainder that is never negative.
    func floored(by divisor: Int) -> (Int, Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
