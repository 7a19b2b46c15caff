/// `Retry-After = HTTP-date / delay-seconds` (RFC 9110 §10.2.3).
package enum RetryAfter {
    /// What a server asks to wait; zero for a date that is over, nil where the field is not there
    /// or means nothing.
    package static func delay(in fields: HTTPFields, now: WallTime) -> Duration? {
        guard let text = fields[.retryAfter] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            // Too many digits for a number are still a wait beyond any limit.
            return .seconds(Int64(text).map { min($0, 1 << 40) } ?? 1 << 40)
        }
        return WallTime(httpDate: text).map { max(.zero, $0 - now) }
    }
}
