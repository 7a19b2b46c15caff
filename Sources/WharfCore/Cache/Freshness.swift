/// How old an answer is and how long it may be used, with the steps of the arithmetic (RFC 9111
/// §4.2).
public struct Freshness: Sendable, Hashable {
    /// What the lifetime rests on.
    public enum Basis: String, Sendable, Hashable {
        case sharedMaxAge = "s-maxage"
        case maxAge = "max-age"
        case expires = "Expires"
        /// A tenth of the time since `Last-Modified` (RFC 9111 §4.2.2).
        case heuristic
        /// Neither explicit nor heuristic: the lifetime is zero.
        case none
    }

    /// `max(0, response_time - date_value)`.
    public var apparentAge: Duration
    /// `age_value + response_delay`.
    public var correctedAge: Duration
    /// Time since the response came.
    public var residentTime: Duration
    /// `freshness_lifetime` of RFC 9111 §4.2.1.
    public var freshnessLifetime: Duration
    public var basis: Basis

    public init(
        apparentAge: Duration, correctedAge: Duration, residentTime: Duration, freshnessLifetime: Duration, basis: Basis
    ) {
        self.apparentAge = apparentAge
        self.correctedAge = correctedAge
        self.residentTime = residentTime
        self.freshnessLifetime = freshnessLifetime
        self.basis = basis
    }

    /// `current_age` of RFC 9111 §4.2.3.
    public var currentAge: Duration { max(apparentAge, correctedAge) + residentTime }

    public var isFresh: Bool { freshnessLifetime > currentAge }

    /// Time since it became stale; zero while it is fresh.
    public var staleness: Duration { max(.zero, currentAge - freshnessLifetime) }
}
