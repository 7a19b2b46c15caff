internal import WharfCore

/// `Retry-After = HTTP-date / delay-seconds` (RFC 9110 §10.2.3).
enum RetryAfter {
    /// What a server asks to wait; zero for a date that is over, nil where the field is not there or means nothing.
    static func delay(in fields: HTTPFields, now: WallTime) -> Duration? {
        guard let text = fields[.retryAfter] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            // Too many digits for a number are still a wait beyond any limit.
            return .seconds(Int64(text).map { min($0, 1 << 40) } ?? 1 << 40)
        }
        return HTTPDate.parse(text).map { max(.zero, $0 - now) }
    }
}

/// The three forms of a date in HTTP, all in UTC (RFC 9110 §5.6.7). Senders use the first; recipients must read them all.
enum HTTPDate {
    static func parse(_ text: String) -> WallTime? {
        let words = text.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
        switch words.count {
        case 6 where words[5] == "GMT" && words[0].hasSuffix(","):
            // Sun, 06 Nov 1994 08:49:37 GMT
            guard words[1].utf8.count == 2, words[3].utf8.count == 4 else { return nil }
            return time(day: words[1], month: words[2], year: number(words[3]), clock: words[4])
        case 4 where words[3] == "GMT" && words[0].hasSuffix(","):
            // Sunday, 06-Nov-94 08:49:37 GMT: 70 to 99 are of the last century.
            let date = words[1].split(separator: "-").map(String.init)
            guard date.count == 3, date[2].utf8.count == 2, let year = number(date[2]) else { return nil }
            return time(day: date[0], month: date[1], year: year + (year < 70 ? 2000 : 1900), clock: words[2])
        case 5:
            // Sun Nov  6 08:49:37 1994
            guard words[4].utf8.count == 4 else { return nil }
            return time(day: words[2], month: words[1], year: number(words[4]), clock: words[3])
        default:
            return nil
        }
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func time(day: String, month: String, year: Int64?, clock: String) -> WallTime? {
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, parts.allSatisfy({ $0.utf8.count == 2 }), let hour = number(parts[0]),
            let minute = number(parts[1]), let second = number(parts[2]), hour < 24, minute < 60, second <= 60,
            let year, let day = number(day), (1...31).contains(day), let month = months.firstIndex(of: month)
        else { return nil }
        let days = daysSince1970(year: year, month: Int64(month) + 1, day: day)
        return WallTime(secondsSince1970: days * 86_400 + hour * 3600 + minute * 60 + second)
    }

    private static func number(_ text: String) -> Int64? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int64(text)
    }

    /// Of the proleptic Gregorian calendar, counted in years that begin in March so that leap days come last.
    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}
