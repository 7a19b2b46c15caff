import WharfCache
import WharfCore
import WharfRandom

extension ModelExchange {
    private static let numbers = [
        "0", "1", "9", "10", "11", "60", "3600", "86400", "2147483647", "2147483648", "9223372036854775808",
        "99999999999999999999", "-1", "1.5", "x", "", "\"10\"", "\"\"", "010", "\"1", "+5", "5s",
    ]
    private static let times: [Int64] = [0, 1, 2, 8, 9, 10, 11, 12, 59, 60, 61, 3_600, 86_400, 100_000_000]

    /// Directives of responses and requests. `#` is a number.
    private static let said = [
        "max-age=#", "max-age=#", "MAX-AGE=#", "max-age = #", "max-age", "s-maxage=#", "no-store", "no-cache",
        "no-cache=\"Set-Cookie\"", "no-cache=\"\"", "private", "private=\"X-Mine, X-Yours\"", "public",
        "must-revalidate",
        "proxy-revalidate", "must-understand", "stale-if-error=#", "stale-while-revalidate=#", "immutable",
        "ext=\"max-age=1, no-store\"", "ext=#", "xmax-age=1", "", "=", "\"no-store\"",
    ]
    private static let asked = [
        "max-age=#", "max-stale=#", "max-stale", "min-fresh=#", "no-cache", "no-store", "only-if-cached",
        "stale-if-error=#", "no-transform", "ext=\"no-cache\"", "MAX-STALE=#", "Min-Fresh=#",
    ]
    /// Values of `CDN-Cache-Control`, each with its meaning (RFC 9213 §2.1, RFC 8941 §3.2).
    private static let targetedValues: [(value: String, meaning: String?)] = [
        ("max-age=10", "max-age=10"), ("max-age=60, must-revalidate", "max-age=60, must-revalidate"),
        ("max-age=10, max-age=60", "max-age=60"), ("max-age=60;x=1", "max-age=60"), ("no-store", "no-store"),
        ("private=?0, max-age=5", "max-age=5"), ("public", "public"), ("private", "private"), ("", nil),
        ("max-age=9, &", nil), ("MAX-AGE=5", nil), ("max-age=5,", nil),
        ("s-maxage=9, max-age=1", "s-maxage=9, max-age=1"),
        ("stale-while-revalidate=60, max-age=1", "stale-while-revalidate=60, max-age=1"), ("no-cache", "no-cache"),
        ("max-age=-1", "max-age=x"), ("max-age=1.5", "max-age=x"),
    ]

    /// Values of `Content-Location`, and whether each is the target `https://example.com/a`.
    ///
    /// They are relative to the target (RFC 9110 §8.7, RFC 3986 §5.2), and compared as §4.2.3 says.
    /// The grammar of the field has no fragment.
    private static let locations: [(value: String, isTarget: Bool)] = [
        ("/a", true), ("/a", true), ("https://example.com/a", true), ("a", true), ("./a", true), ("../a", true),
        ("/b/../a", true), ("//example.com/a", true), ("", true), ("HTTPS://Example.COM:443/a", true),
        ("https://example.com:/a", true), ("/b", false), ("/A", false), ("/a/", false), ("/a?", false), ("?", false),
        ("/a#b", false), ("http://example.com/a", false), ("https://example.org/a", false),
        ("https://example.com:8443/a", false), ("https://user@example.com/a", false), ("https:/a", false),
        ("mailto:a@example.com", false),
    ]
    private static let otherMethods = ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "LINK", "get", "post"]

    static func random(_ random: inout SeededGenerator) -> ModelExchange {
        var exchange = ModelExchange()
        exchange.configuration = pick(
            [
                .privateClient, .shared, .shared,
                CacheConfiguration(isShared: false, staleOnFailure: .upTo(.seconds(9))),
                CacheConfiguration(isShared: true, staleOnFailure: .always),
                CacheConfiguration(isShared: false, staleOnFailure: .asPermitted),
            ], &random)
        exchange.method = pick(["GET", "GET", "GET", "HEAD", "POST", "POST"], &random)
        if odds(1, in: 16, &random) { exchange.method = pick(otherMethods, &random) }
        exchange.status = pick(
            [
                200, 200, 200, 200, 203, 204, 299, 300, 301, 302, 307, 308, 401, 403, 404, 405, 410, 414, 500, 501, 503,
                599,
            ],
            &random)
        // Most other statuses keep the answer to POST from being stored.
        if exchange.method == "POST", odds(1, in: 2, &random) { exchange.status = 200 }
        exchange.mode = pick([.normal, .normal, .normal, .normal, .storedOnly, .reload, .bypass], &random)
        exchange.isStored = odds(9, in: 10, &random)
        exchange.hasVariants = exchange.isStored || odds(1, in: 2, &random)
        exchange.setTimes(&random)
        exchange.addRequestFields(&random)
        exchange.addResponseFields(&random)
        return exchange
    }

    private mutating func setTimes(_ random: inout SeededGenerator) {
        responseTime = pick(Self.times, &random)
        // Now and then the clock was set back during the exchange, or since.
        requestTime = responseTime - pick([0, 0, 0, 1, 2, 9, 60, -1, -60], &random)
        now = responseTime + Self.pick(Self.times, &random)
        if Self.odds(1, in: 12, &random) { now = responseTime - Self.pick([1, 2, 60, 86_400], &random) }
    }

    private mutating func addRequestFields(_ random: inout SeededGenerator) {
        for _ in 0..<Self.pick([0, 0, 0, 1, 1, 2], &random) {
            request.append(Field(name: "Cache-Control", value: Self.line(Self.asked, &random)))
        }
        if Self.odds(1, in: 8, &random) { request.append(Field(name: "Authorization", value: "Bearer x")) }
    }

    private mutating func addResponseFields(_ random: inout SeededGenerator) {
        for _ in 0..<Self.pick([0, 1, 1, 1, 2], &random) {
            let name = Self.pick(["Cache-Control", "cache-control"], &random)
            response.append(Field(name: name, value: Self.line(Self.said, &random)))
        }
        if Self.odds(1, in: 4, &random) {
            let (value, meaning) = Self.pick(Self.targetedValues, &random)
            response.append(Field(name: "CDN-Cache-Control", value: value))
            targeted = meaning
        }
        if Self.odds(3, in: 4, &random) { addLocations(&random) }
        addDate("Date", around: responseTime, Self.pick([0, 1, 1, 1], &random), &random)
        addDate(
            "Expires", around: responseTime + Self.pick(Self.times, &random), Self.pick([0, 0, 1, 2], &random), &random)
        addDate(
            "Last-Modified", around: responseTime - Self.pick(Self.times, &random), Self.pick([0, 1, 1], &random),
            &random)
        for _ in 0..<Self.pick([0, 0, 1, 2], &random) {
            let more = Self.pick(["", ", 3", " , x"], &random)
            response.append(Field(name: "Age", value: Self.pick(Self.numbers, &random) + more))
        }
        if Self.odds(1, in: 8, &random) {
            response.append(
                Field(
                    name: "Vary", value: Self.pick(["*", "Accept", "a, *", "Authorization", "Accept,Cookie"], &random)))
        }
        response.shuffle(using: &random)
    }

    /// Adds a `Content-Location`. Two are malformed: the field is no list (RFC 9110 §5.3).
    private mutating func addLocations(_ random: inout SeededGenerator) {
        let count = Self.odds(1, in: 12, &random) ? 2 : 1
        for _ in 0..<count {
            let (value, isTarget) = Self.pick(Self.locations, &random)
            response.append(Field(name: "Content-Location", value: value))
            namesTarget = isTarget && count == 1
        }
    }

    private mutating func addDate(_ name: String, around time: Int64, _ count: Int, _ random: inout SeededGenerator) {
        for _ in 0..<count {
            if Self.odds(1, in: 6, &random) {
                let value = Self.pick(["0", "-1", "", "now", "Sun, 32 Jan 2001 00:00:00 GMT", "1000000000"], &random)
                response.append(Field(name: name, value: value))
            } else {
                let seconds = time + Self.pick([0, 0, 0, 1, -1, 9, -9, 60, -60, 86_400, -86_400], &random)
                let text = Self.time(seconds).httpDate
                dates[text] = seconds
                response.append(Field(name: name, value: text))
            }
        }
    }

    /// A line of `Cache-Control`; one in eight has a quote without an end.
    private static func line(_ directives: [String], _ random: inout SeededGenerator) -> String {
        let members = (0..<pick([0, 1, 1, 2, 2, 3, 4], &random)).map { _ in
            pick(directives, &random).replacing("#", with: pick(numbers, &random))
        }
        let line = members.joined(separator: pick([", ", ",", " , ", ",,", "\t,"], &random))
        return odds(1, in: 8, &random) ? "ext=\"x, " + line.replacing("\"", with: "") : line
    }

    private static func pick<Value>(_ values: [Value], _ random: inout SeededGenerator) -> Value {
        values[Int.random(in: values.indices, using: &random)]
    }

    private func pick<Value>(_ values: [Value], _ random: inout SeededGenerator) -> Value { Self.pick(values, &random) }

    private static func odds(_ part: Int, in whole: Int, _ random: inout SeededGenerator) -> Bool {
        Int.random(in: 0..<whole, using: &random) < part
    }
}
