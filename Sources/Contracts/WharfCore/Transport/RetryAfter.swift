/// The field `Retry-After = HTTP-date / delay-seconds` (RFC 9110 §10.2.3).
package enum RetryAfter {
    /// Returns the pause that a server asks for.
    ///
    /// It is zero for a date in the past, and nil if the field is missing or malformed.
    package static func delay(in fields: HTTPFields, now: WallTime) -> Duration? {
        guard let text = fields[.retryAfter] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            // A number with too many digits still means a pause beyond any limit.
            return .seconds(Int64(text).map { min($0, 1 << 40) } ?? 1 << 40)
        }
        return WallTime(httpDate: text).map { max(.zero, $0 - now) }
    }
}
