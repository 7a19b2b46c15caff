/// A time in the format of AVTransport: `H+:MM:SS[.F+]` or `H+:MM:SS[.F0/F1]`.
///
/// See AVTransport:1 section 2.2.13.
enum RelativeTime {
    /// Returns nil for other texts, above all `NOT_IMPLEMENTED`.
    ///
    /// It accepts a missing hour and a sign, because devices send both.
    static func parse(_ text: String) -> Duration? {
        var rest = Substring(text)
        let isNegative = rest.hasPrefix("-")
        if isNegative || rest.hasPrefix("+") { rest = rest.dropFirst() }
        let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let last = parts.last else { return nil }
        let pair = last.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let seconds = number(pair[0], below: 60), let minutes = number(parts[parts.count - 2], below: 60),
            let hours = parts.count == 3 ? number(parts[0], below: longest) : 0,
            let fraction = pair.count == 2 ? fraction(pair[1]) : .zero
        else { return nil }
        let time = Duration.seconds(hours * 3600 + minutes * 60 + seconds) + fraction
        return isNegative ? .zero - time : time
    }

    /// Returns the text of a time.
    ///
    /// The hour has at least two digits. Milliseconds are added if there are any.
    ///
    /// A negative time is printed as zero.
    static func print(_ time: Duration) -> String {
        let (seconds, attoseconds) = max(time, .zero).components
        let milliseconds = attoseconds / 1_000_000_000_000_000
        let whole = "\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
        return milliseconds == 0 ? whole : "\(whole).\(padded(milliseconds, 3))"
    }

    /// The exclusive limit in hours, more than a century. It prevents an overflow.
    private static let longest: Int64 = 1_000_000

    private static func padded(_ number: Int64, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(digits - text.count, 0)) + text
    }

    private static func number(_ text: Substring, below limit: Int64) -> Int64? {
        // `Int64` would accept a sign inside of a time.
        guard isDigits(text), let number = Int64(text), number < limit else { return nil }
        return number
    }

    private static func isDigits(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) }
    }

    private static func fraction(_ text: Substring) -> Duration? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2 {
            guard let above = number(parts[0], below: 1 << 31), let below = number(parts[1], below: 1 << 31),
                above < below
            else { return nil }
            return .seconds(1) * Double(above) / Double(below)
        }
        // Digits beyond nanoseconds are ignored.
        let digits = text.prefix(9)
        guard isDigits(text), var nanoseconds = Int64(digits) else { return nil }
        for _ in digits.count..<9 { nanoseconds *= 10 }
        return .nanoseconds(nanoseconds)
    }
}
