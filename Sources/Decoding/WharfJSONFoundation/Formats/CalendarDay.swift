/// A day of the proleptic Gregorian calendar, which ISO 8601 uses before 1582.
struct CalendarDay {
    let year: Int
    let month: Int
    let day: Int

    /// Creates a day; nil if the calendar has no such day, as with 29 February 2100.
    init?(year: Int, month: Int, day: Int) {
        guard 1...12 ~= month, 1...Self.length(of: month, in: year) ~= day else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// - Parameter days: days since 1 January 2001. The year must not be before 0.
    init?(daysSince2001 days: Int) {
        let number = days + Self.daysBefore2001
        guard number >= 0 else { return nil }
        // This estimate is at most one year off, as years differ from their mean by less than a
        // day.
        var year = number * 400 / 146_097
        if Self.days(before: year) > number { year -= 1 }
        if Self.days(before: year + 1) <= number { year += 1 }
        var day = number - Self.days(before: year) + 1
        var month = 1
        while day > Self.length(of: month, in: year) {
            day -= Self.length(of: month, in: year)
            month += 1
        }
        self.year = year
        self.month = month
        self.day = day
    }

    var daysSince2001: Int {
        // The leap day lies before March, so only later months count it.
        let leapDay = month > 2 && Self.isLeap(year) ? 1 : 0
        return Self.days(before: year) + Self.daysBeforeMonth(month) + leapDay + day - 1 - Self.daysBefore2001
    }

    private static let daysBefore2001 = days(before: 2001)

    /// Returns the days from 1 January of the year 0, which is a leap year.
    private static func days(before year: Int) -> Int {
        // The leap years before `year`: multiples of 4, less those of 100, plus those of 400. Each
        // is rounded up, as year 0 is one of them.
        365 * year + (year + 3) / 4 - (year + 99) / 100 + (year + 399) / 400
    }

    private static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func length(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the days before a month, in a year without a leap day.
    private static func daysBeforeMonth(_ month: Int) -> Int {
        switch month {
        case 1: 0
        case 2: 31
        case 3: 59
        case 4: 90
        case 5: 120
        case 6: 151
        case 7: 181
        case 8: 212
        case 9: 243
        case 10: 273
        case 11: 304
        default: 334
        }
    }
}
