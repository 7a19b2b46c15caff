/// HTTP-date (RFC 9110 §5.6.7), read and written without a calendar library.
///
/// A time is a number of seconds since 1970, without leap seconds.
package enum HTTPDate {
    /// Parses any of the three forms of RFC 9110 §5.6.7; nil for another text.
    ///
    /// Each form is parsed strictly. For example, these make a date invalid:
    ///
    /// - a two-digit year or a one-digit hour in a form that has none,
    /// - another zone than GMT,
    /// - a doubled space.
    ///
    /// Case does not matter (RFC 9111 §4.2).
    package static func secondsSince1970(_ text: String) -> Int64? {
        var reader = Reader(text)
        guard let date = reader.date(), reader.isAtEnd else { return nil }
        return date.seconds
    }

    /// Returns the preferred form, for example `Sun, 06 Nov 1994 08:49:37 GMT`.
    package static func text(secondsSince1970 seconds: Int64) -> String {
        let days = floorDivide(seconds, 86_400)
        let second = seconds - days * 86_400
        let (year, month, day) = civil(fromDays: days)
        // Day 0 was a Thursday. The second modulo serves days before 1970, where `%` is negative.
        let weekday = Int(((days + 4) % 7 + 7) % 7)
        return "\(weekdays[weekday]), \(two(day)) \(months[Int(month) - 1]) \(four(year)) "
            + "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60)) GMT"
    }

    /// Returns the form of RFC 3339 in UTC, for example `1994-11-06T08:49:37Z`.
    ///
    /// - Parameter nanoseconds: the fraction of the second; 0 for none.
    package static func rfc3339(secondsSince1970 seconds: Int64, nanoseconds: Int64) -> String {
        let days = floorDivide(seconds, 86_400)
        let second = seconds - days * 86_400
        let (year, month, day) = civil(fromDays: days)
        var fraction = ""
        if nanoseconds > 0 {
            let digits = "\(nanoseconds)"
            fraction = "." + String(repeating: "0", count: max(0, 9 - digits.count)) + digits
            while fraction.hasSuffix("0") { fraction.removeLast() }
        }
        return "\(four(year))-\(two(month))-\(two(day))T"
            + "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))\(fraction)Z"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let longWeekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    private static func four(_ number: Int64) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    private struct Fields {
        var year: Int64 = 0
        var month: Int64 = 0
        var day: Int64 = 0
        var hour: Int64 = 0
        var minute: Int64 = 0
        var second: Int64 = 0

        var seconds: Int64? {
            // 60 is a leap second, which does not exist in this time scale.
            guard hour < 24, minute < 60, second <= 60, day >= 1, day <= HTTPDate.days(in: month, of: year) else {
                return nil
            }
            let days = HTTPDate.days(fromCivil: year, month, day)
            return days * 86_400 + hour * 3600 + minute * 60 + min(second, 59)
        }
    }

    private struct Reader {
        private var rest: ArraySlice<UInt8>

        init(_ text: String) { rest = Array(text.lowercased().utf8)[...] }

        var isAtEnd: Bool { rest.isEmpty }

        mutating func date() -> Fields? {
            // Long names first: "sun" is a prefix of "sunday", and would leave "day" unread.
            if name(of: longWeekdays) != nil { return take(", ") ? rfc850() : nil }
            guard name(of: weekdays) != nil else { return nil }
            return take(", ") ? fixdate() : take(" ") ? asctime() : nil
        }

        private mutating func fixdate() -> Fields? {
            var fields = Fields()
            guard let day = digits(2), take(" "), let month = name(of: months), take(" "), let year = digits(4),
                take(" "), time(into: &fields), take(" gmt")
            else { return nil }
            (fields.year, fields.month, fields.day) = (year, Int64(month) + 1, day)
            return fields
        }

        /// RFC 9110 §5.6.7: a two-digit year more than 50 years ahead is in the past.
        ///
        /// There is no clock here, so 70 to 99 are in the last century.
        private mutating func rfc850() -> Fields? {
            var fields = Fields()
            guard let day = digits(2), take("-"), let month = name(of: months), take("-"), let year = digits(2),
                take(" "), time(into: &fields), take(" gmt")
            else { return nil }
            (fields.year, fields.month, fields.day) = (year + (year >= 70 ? 1900 : 2000), Int64(month) + 1, day)
            return fields
        }

        private mutating func asctime() -> Fields? {
            var fields = Fields()
            // The day of an asctime-date is padded with a space: two digits, or a space and one
            // digit.
            guard let month = name(of: months), take(" "), let day = take(" ") ? digits(1) : digits(2), take(" "),
                time(into: &fields), take(" "), let year = digits(4)
            else { return nil }
            (fields.year, fields.month, fields.day) = (year, Int64(month) + 1, day)
            return fields
        }

        private mutating func time(into fields: inout Fields) -> Bool {
            guard let hour = digits(2), take(":"), let minute = digits(2), take(":"), let second = digits(2) else {
                return false
            }
            (fields.hour, fields.minute, fields.second) = (hour, minute, second)
            return true
        }

        private mutating func take(_ expected: StaticString) -> Bool {
            let bytes = Array("\(expected)".utf8)
            guard rest.starts(with: bytes) else { return false }
            rest = rest.dropFirst(bytes.count)
            return true
        }

        private mutating func digits(_ count: Int) -> Int64? {
            guard rest.count >= count else { return nil }
            var number: Int64 = 0
            for byte in rest.prefix(count) {
                guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
                number = number * 10 + Int64(byte - UInt8(ascii: "0"))
            }
            rest = rest.dropFirst(count)
            return number
        }

        private mutating func name(of names: [String]) -> Int? {
            guard let index = names.firstIndex(where: { rest.starts(with: $0.lowercased().utf8) }) else { return nil }
            rest = rest.dropFirst(names[index].utf8.count)
            return index
        }
    }
}

// MARK: The proleptic Gregorian calendar, counted in eras of 400 years that begin on 1 March

extension HTTPDate {
    private static func floorDivide(_ a: Int64, _ b: Int64) -> Int64 { a >= 0 ? a / b : (a - b + 1) / b }

    private static func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    fileprivate static func days(in month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    fileprivate static func days(fromCivil year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        // A year that begins on 1 March has its leap day at the end, so no month after it shifts.
        let shifted = month <= 2 ? year - 1 : year
        let era = floorDivide(shifted, 400)
        let yearOfEra = shifted - era * 400
        // Five months from March have 153 days. The formula gives the days before a month without a
        // table.
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        // An era has 146,097 days. Day 719,468 of this calendar is 1 January 1970.
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    fileprivate static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        // The three terms remove the leap days of 4, 100 and 400 years, so that each year has 365
        // days.
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        // January and February belong to the year that began in the March before.
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }
}
