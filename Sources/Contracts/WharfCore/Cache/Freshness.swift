/// The age of an answer and its lifetime, with the steps of RFC 9111 §4.2.
public struct Freshness: Sendable, Hashable {
    /// The source of the lifetime.
    public enum Basis: String, Sendable, Hashable {
        /// The directive `s-maxage` of `Cache-Control`.
        case sharedMaxAge = "s-maxage"
        /// The directive `max-age` of `Cache-Control`.
        case maxAge = "max-age"
        /// The field `Expires`.
        case expires = "Expires"
        /// A tenth of the time since `Last-Modified` (RFC 9111 §4.2.2).
        case heuristic
        /// There is neither an explicit nor a heuristic lifetime, so it is zero.
        case none
    }

    /// `max(0, response_time - date_value)`.
    public var apparentAge: Duration
    /// `age_value + response_delay`.
    public var correctedAge: Duration
    /// The time since the response arrived.
    public var residentTime: Duration
    /// `freshness_lifetime` of RFC 9111 §4.2.1.
    public var freshnessLifetime: Duration
    /// The source of the lifetime.
    public var basis: Basis

    /// Creates a freshness from the steps of the calculation.
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

    /// Whether the lifetime is greater than the current age.
    public var isFresh: Bool { freshnessLifetime > currentAge }

    /// The time since the answer became stale; zero while it is fresh.
    public var staleness: Duration { max(.zero, currentAge - freshnessLifetime) }
}
