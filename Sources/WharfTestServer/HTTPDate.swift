#if TestServer
import WharfCore

/// The preferred form of a date in a field, IMF-fixdate (RFC 9110 §5.6.7).
enum HTTPDate {
    static func string(_ time: WallTime) -> String {
        let seconds = time.secondsSince1970
        let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let second = seconds - days * 86_400
        let (year, month, day) = civil(days)
        let weekday = weekdays[Int(((days + 4) % 7 + 7) % 7)]
        let clock = [second / 3600, second / 60 % 60, second % 60].map(padded).joined(separator: ":")
        return "\(weekday), \(padded(day)) \(months[Int(month) - 1]) \(year) \(clock) GMT"
    }

    /// The proleptic Gregorian date of a day counted from 1970-01-01, in eras of 400 years that begin on the first of March.
    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    private static func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
#endif
