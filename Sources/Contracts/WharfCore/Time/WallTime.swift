internal import WharfPrimitives

/// A time of the wall clock, in nanoseconds since 1970-01-01T00:00:00Z.
///
/// Stored times and ages use it. Arithmetic saturates at the ends of the range (years 1677 and
/// 2262). An absurd `max-age` therefore means "for ever" and does not crash.
public struct WallTime: Sendable, Hashable, Comparable {
    /// The nanoseconds since 1970.
    public var nanoseconds: Int64

    /// Creates a time from nanoseconds since 1970.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Creates a time from seconds since 1970. It saturates at the ends of the range.
    public init(secondsSince1970 seconds: Int64) {
        self = WallTime(nanoseconds: 0) + .seconds(seconds)
    }

    /// The whole seconds since 1970, rounded down.
    public var secondsSince1970: Int64 {
        let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        // The division rounds toward zero, which is up for times before 1970.
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// The earliest time.
    public static let distantPast = WallTime(nanoseconds: .min)
    /// The latest time.
    public static let distantFuture = WallTime(nanoseconds: .max)

    public static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }

    /// Returns a later time. It saturates at the ends of the range.
    public static func + (time: Self, duration: Duration) -> Self {
        let (sum, overflow) = time.nanoseconds.addingReportingOverflow(duration.saturatedNanoseconds)
        guard overflow else { return Self(nanoseconds: sum) }
        return duration < .zero ? .distantPast : .distantFuture
    }

    /// Returns an earlier time. It saturates at the ends of the range.
    public static func - (time: Self, duration: Duration) -> Self {
        let nanoseconds = duration.saturatedNanoseconds
        let (difference, overflow) = time.nanoseconds.subtractingReportingOverflow(nanoseconds)
        guard overflow else { return Self(nanoseconds: difference) }
        // The duration is not negated and added: the least `Int64` has no positive counterpart.
        return nanoseconds < 0 ? .distantFuture : .distantPast
    }

    /// Returns the time from `b` to `a`; negative if `b` is later.
    public static func - (a: Self, b: Self) -> Duration {
        let (difference, overflow) = a.nanoseconds.subtractingReportingOverflow(b.nanoseconds)
        guard overflow else { return .nanoseconds(difference) }
        // The times are more than 292 years apart.
        return .nanoseconds(a < b ? Int64.min : Int64.max)
    }
}

extension WallTime {
    /// The present time of the system's clock.
    ///
    /// Code under test takes a ``WallClock`` instead.
    public static var now: WallTime { SystemWallClock().now() }
}

extension WallTime: CustomStringConvertible {
    /// The time in UTC by RFC 3339, such as `2026-11-27T21:18:02.5Z`.
    public var description: String {
        switch self {
        case .distantPast: return "the distant past"
        case .distantFuture: return "the distant future"
        default:
            let remainder = nanoseconds % 1_000_000_000
            return HTTPDate.rfc3339(
                secondsSince1970: secondsSince1970, nanoseconds: remainder < 0 ? remainder + 1_000_000_000 : remainder)
        }
    }
}

extension Duration {
    /// The nanoseconds, clamped to the range of `Int64` (292 years either way).
    package var saturatedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        // Both parts have one sign, so an overflow is at the end that the sign names.
        let (sum, carried) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard !carried else { return seconds < 0 ? .min : .max }
        return sum
    }

    /// The whole seconds, rounded toward zero.
    ///
    /// This is the unit of HTTP's ages and lifetimes (RFC 9111 §1.2.2).
    package var wholeSeconds: Int64 { components.seconds }
}
