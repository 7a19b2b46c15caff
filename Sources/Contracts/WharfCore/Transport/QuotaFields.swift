internal import WharfPrimitives

/// The fields by which a server says that a quota is exhausted, and for how long.
///
/// | field | source |
/// |---|---|
/// | `Retry-After` | RFC 9110 §10.2.3 |
/// | `RateLimit: "hour";r=0;t=30` | draft-ietf-httpapi-ratelimit-headers-10 §4 |
/// | `RateLimit: limit=100, remaining=0, reset=30` | the same, version 7 |
/// | `RateLimit-Remaining` and `RateLimit-Reset`, in seconds | the same, up to version 6 |
/// | `X-RateLimit-…`, `X-Rate-Limit-…`, in seconds or as a Unix time | GitHub, X and others |
package enum QuotaFields {
    /// Returns the time for which the server wants no requests.
    ///
    /// It is the longest of all fields. It is nil if a quota is left or no field says so.
    package static func pause(in fields: HTTPFields, now: WallTime) -> Duration? {
        [RetryAfter.delay(in: fields, now: now), resetTime(in: fields, now: now)].compactMap(\.self).max()
    }

    /// Returns the pause without `Retry-After`, which has another meaning in a success.
    package static func resetTime(in fields: HTTPFields, now: WallTime) -> Duration? {
        [structured(fields), named(fields, now: now)].compactMap(\.self).max()
    }

    private static func structured(_ fields: HTTPFields) -> Duration? {
        guard let value = HTTPField.Name("RateLimit").flatMap({ fields[$0] }) else { return nil }
        let members = FieldList.members(value)
        // In version 7 the members are the parameters of one quota, and there are no others.
        if members.first?.contains("limit=") == true { return pause(members, "remaining", "reset") }
        return members.compactMap { pause(FieldList.split($0, at: UInt8(ascii: ";")), "r", "t") }.max()
    }

    /// Returns the pause of one quota; nil if it is not exhausted.
    ///
    /// - Parameter parameters: such as `r=0` and `t=30`.
    private static func pause(_ parameters: [Substring], _ remaining: String, _ reset: String) -> Duration? {
        var found: [Substring: Int64] = [:]
        for parameter in parameters {
            let parts = FieldList.split(parameter, at: UInt8(ascii: "="))
            guard parts.count == 2, let number = Int64(FieldList.trimmed(parts[1])) else { continue }
            found[FieldList.trimmed(parts[0])] = number
        }
        // A quota that is left asks for no pause.
        guard found[remaining[...]] == 0, let reset = found[reset[...]], reset >= 0 else { return nil }
        // A bound, so that an absurd number does not overflow a `Duration`.
        return .seconds(min(reset, Self.most))
    }

    private static func named(_ fields: HTTPFields, now: WallTime) -> Duration? {
        let pauses = ["RateLimit", "X-RateLimit", "X-Rate-Limit"].map { prefix -> Duration? in
            guard number(prefix + "-Remaining", fields) == 0, let reset = number(prefix + "-Reset", fields), reset >= 0
            else { return nil }
            // A number of 30 years or more is a Unix time and not a duration.
            guard reset >= 1_000_000_000 else { return .seconds(reset) }
            // The clocks of server and device may differ, so the time may have passed.
            return max(.zero, WallTime(secondsSince1970: reset) - now)
        }
        return pauses.compactMap(\.self).max()
    }

    private static func number(_ name: String, _ fields: HTTPFields) -> Int64? {
        HTTPField.Name(name).flatMap { fields[$0] }.flatMap { Int64($0) }.map { min($0, Self.most) }
    }

    private static let most: Int64 = 1 << 40
}
