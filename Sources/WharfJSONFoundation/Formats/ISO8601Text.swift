package import Foundation

/// Dates as text by RFC 3339, the profile of ISO 8601 that services use.
package enum ISO8601Text {
    /// nil for what is no such date. See ``ISO8601`` for what is one.
    package static func date(_ text: UnsafeRawBufferPointer) -> Date? {
        // "2001-01-01T00:00:00Z" is the shortest.
        guard text.count >= 20, text[4] == 0x2D, text[7] == 0x2D, text[10] | 0x20 == 0x74, text[13] == 0x3A,
            text[16] == 0x3A, let century = pair(text, 0), let year = pair(text, 2), let month = pair(text, 5),
            let dayOfMonth = pair(text, 8), let hour = pair(text, 11), let minute = pair(text, 14),
            let second = pair(text, 17), hour < 24, minute < 60, second < 61,
            let day = CalendarDay(year: century * 100 + year, month: month, day: dayOfMonth)
        else { return nil }
        var index = 19
        guard let fraction = fraction(text, &index), let offset = offset(text, index) else { return nil }
        let whole = day.daysSince2001 * 86_400 + hour * 3600 + minute * 60 + second - offset
        if second == 60, !followsLeapSecond(whole) { return nil }
        let time = Double(whole) + fraction
        return writable.contains(time) ? Date(timeIntervalSinceReferenceDate: time) : nil
    }

    /// The years 0000 to 9999 in UTC, in seconds since 2001. An offset, a leap second or the
    /// rounding of a fraction may lead out of them.
    private static let writable = -63_145_526_400.0..<252_423_993_600.0

    package static func date(_ text: String) -> Date? {
        var text = text
        return text.withUTF8 { date(UnsafeRawBufferPointer($0)) }
    }

    /// Leap seconds are put in before a month begins in UTC, whatever the offset that they are
    /// written with (RFC 3339 §5.7).
    private static func followsLeapSecond(_ whole: Int) -> Bool {
        let (days, seconds) = whole.floored(by: 86_400)
        return seconds == 0 && CalendarDay(daysSince2001: days)?.day == 1
    }

    @inline(__always) private static func pair(_ text: UnsafeRawBufferPointer, _ index: Int) -> Int? {
        let (tens, ones) = (text[index] &- 0x30, text[index + 1] &- 0x30)
        return tens <= 9 && ones <= 9 ? Int(tens) * 10 + Int(ones) : nil
    }

    /// 0 where there is none. Digits after the 18th are less than any `Date` holds.
    private static func fraction(_ text: UnsafeRawBufferPointer, _ index: inout Int) -> Double? {
        guard text[index] == 0x2E else { return 0 }
        index += 1
        let start = index
        var digits: UInt64 = 0
        var scale = 1.0
        while index < text.count, text[index] &- 0x30 <= 9 {
            if index - start < 18 {
                digits = digits * 10 + UInt64(text[index] &- 0x30)
                scale *= 10
            }
            index += 1
        }
        // Powers of ten up to 10^22 are exact, so this rounds once; so does the sum with whole
        // seconds.
        return index > start ? Double(digits) / scale : nil
    }

    /// `Z`, or hours and minutes east of UTC, in seconds; they must be all that is left.
    private static func offset(_ text: UnsafeRawBufferPointer, _ index: Int) -> Int? {
        let left = text.count - index
        guard left > 0 else { return nil }
        let sign = text[index]
        if sign | 0x20 == 0x7A { return left == 1 ? 0 : nil }
        guard sign == 0x2B || sign == 0x2D, left >= 3, let hours = pair(text, index + 1), hours < 24 else { return nil }
        var minutes = 0
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
    /// Quotient and remainder, the remainder never negative.
    func floored(by divisor: Int) -> (Int, Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
