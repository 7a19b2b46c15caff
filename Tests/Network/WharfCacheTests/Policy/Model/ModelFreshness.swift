/// RFC 9111 §4.2, sentence by sentence.
struct ModelFreshness {
    let exchange: ModelExchange

    /// The directives that the cache obeys.
    ///
    /// RFC 9213 §2.2: with a valid, non-empty targeted field the cache MUST ignore `Cache-Control`
    /// and `Expires`. A private cache has no targeted field.
    var directives: ModelDirectives {
        if exchange.isShared, let targeted = exchange.targeted { return ModelDirectives([targeted]) }
        return ModelDirectives(ModelFields.values("Cache-Control", exchange.response))
    }

    var expires: [String] {
        if exchange.isShared, exchange.targeted != nil { return [] }
        return ModelFields.values("Expires", exchange.response)
    }

    /// RFC 9110 §6.6.1: a response without a valid `Date` has the time of its arrival.
    var dateValue: Int64 {
        let values = ModelFields.values("Date", exchange.response)
        guard values.count == 1, let date = exchange.dates[values[0]] else { return exchange.responseTime }
        return date
    }

    /// The lifetimes that §4.2.1 permits: the smallest and the largest.
    var lifetime: ClosedRange<Int64> {
        // "If the cache is shared and the s-maxage response directive is present, use its value,
        // or"
        if exchange.isShared, let seconds = directives.seconds("s-maxage") { return seconds...seconds }
        // "If the max-age response directive is present, use its value, or"
        if let seconds = directives.seconds("max-age") { return seconds...seconds }
        // "If the Expires response header field is present, use its value minus the value of the
        // Date response header field, or"
        if let first = expires.first {
            // §5.3: "A cache recipient MUST interpret invalid date formats […] as representing a
            // time in the past".
            let seconds = exchange.dates[first].map { max(0, $0 - dateValue) } ?? 0
            // "When there is more than one value present […], either the first occurrence should be
            // used or the response should be considered stale."
            return expires.count == 1 ? seconds...seconds : 0...seconds
        }
        // "Otherwise, no explicit expiration time is present in the response. A heuristic freshness
        // lifetime might be applicable".
        return heuristic
    }

    /// §4.2.2: "heuristics can only be used on responses without explicit freshness whose status
    /// codes are defined as heuristically cacheable […], and on responses without explicit
    /// freshness that have been marked as explicitly cacheable (e.g., with a public response
    /// directive)."
    private var heuristic: ClosedRange<Int64> {
        let isPermitted = Self.heuristicallyCacheable.contains(exchange.status) || directives.has("public")
        let values = ModelFields.values("Last-Modified", exchange.response)
        guard isPermitted, values.count == 1, let modified = exchange.dates[values[0]], modified < dateValue else {
            return 0...0
        }
        // "no more than some fraction of the interval since that time. A typical setting of this
        // fraction might be 10%." Wharf's limit is a day.
        let tenth = (dateValue - modified) / 10
        return min(tenth, 86_400)...min(tenth + 1, 86_400)
    }

    /// RFC 9110 §15.1.
    static let heuristicallyCacheable: Set<Int> = [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501]

    /// §5.1: "a cache encountering a message with a list-based Age field value SHOULD use the first
    /// member of the field value". An invalid value is ignored.
    private var ageValue: Int64 {
        let members = ModelFields.values("Age", exchange.response).flatMap(ModelFields.members)
        return members.first.flatMap(ModelFields.deltaSeconds) ?? 0
    }

    /// §4.2.3: `corrected_initial_age`.
    var initialAge: Int64 {
        let apparentAge = max(0, exchange.responseTime - dateValue)
        // A clock that was set back during the exchange shows no delay.
        let responseDelay = max(0, exchange.responseTime - exchange.requestTime)
        let correctedAgeValue = ageValue + responseDelay
        return max(apparentAge, correctedAgeValue)
    }

    /// §4.2.3: `current_age`. It assumes a clock that was not set back since the response.
    var currentAge: Int64 {
        let residentTime = exchange.now - exchange.responseTime
        return initialAge + residentTime
    }

    var wasClockSetBack: Bool { exchange.now < exchange.responseTime }
}
