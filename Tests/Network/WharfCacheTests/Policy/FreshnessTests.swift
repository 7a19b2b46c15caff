import Testing
import WharfCache
import WharfCore
import WharfStorage

@Suite struct FreshnessTests {
    struct Row: Sendable, CustomStringConvertible {
        var fields: HTTPFields
        var lifetime: Int64
        var basis: Freshness.Basis
        var age: Int64 = 0
        var isShared = false
        var status = HTTPResponse.Status.ok
        var description: String { "\(status.code) \(fields.map { "\($0)" }) shared \(isShared)" }
    }

    @Test(
        arguments: [
            Row(fields: [.cacheControl: "max-age=30"], lifetime: 30, basis: .maxAge),
            Row(fields: [.cacheControl: "max-age=30, s-maxage=9"], lifetime: 30, basis: .maxAge),
            Row(fields: [.cacheControl: "max-age=30, s-maxage=9"], lifetime: 9, basis: .sharedMaxAge, isShared: true),
            Row(
                fields: [.cacheControl: "max-age=30", .expires: date(99), .date: date()], lifetime: 30, basis: .maxAge),
            Row(fields: [.expires: date(99), .date: date(-1)], lifetime: 100, basis: .expires, age: 1),
            Row(fields: [.expires: date(99)], lifetime: 99, basis: .expires),
            Row(fields: [.expires: "0", .lastModified: date(-1_000)], lifetime: 0, basis: .expires),
            Row(fields: [.expires: date(-5), .date: date()], lifetime: 0, basis: .expires),
            Row(fields: [.lastModified: date(-1_000), .date: date()], lifetime: 100, basis: .heuristic),
            Row(fields: [.lastModified: date(-1_000)], lifetime: 100, basis: .heuristic),
            Row(fields: [.lastModified: date(-100_000_000)], lifetime: 86_400, basis: .heuristic),
            Row(fields: [.lastModified: date(5), .date: date()], lifetime: 0, basis: .none),
            Row(fields: [.lastModified: date(-1_000)], lifetime: 0, basis: .none, status: .init(code: 599)),
            Row(fields: [.lastModified: date(-1_000)], lifetime: 0, basis: .none, status: .found),
            // RFC 9111 §4.2.2: public marks the response as cacheable.
            Row(
                fields: [.lastModified: date(-1_000), .cacheControl: "public"], lifetime: 100, basis: .heuristic,
                status: .init(code: 599)),
            Row(
                fields: [.lastModified: date(-1_000), .cacheControl: "private"], lifetime: 0, basis: .none,
                status: .init(code: 599)),
            Row(fields: [.lastModified: date(-1_000)], lifetime: 100, basis: .heuristic, status: .partialContent),
            Row(fields: [.lastModified: date(-1_000)], lifetime: 100, basis: .heuristic, status: .notFound),
            Row(fields: [.cacheControl: "max-age=30"], lifetime: 30, basis: .maxAge, status: .init(code: 599)),
            Row(fields: [:], lifetime: 0, basis: .none),
            // RFC 9213 §2.2: a shared cache obeys the targeted field alone.
            Row(fields: [cdn: "max-age=9", .cacheControl: "max-age=30"], lifetime: 9, basis: .maxAge, isShared: true),
            Row(fields: [cdn: "max-age=9", .cacheControl: "max-age=30"], lifetime: 30, basis: .maxAge),
            Row(fields: [cdn: "max-age=9", .expires: date(99)], lifetime: 9, basis: .maxAge, isShared: true),
            Row(fields: [cdn: "public", .expires: date(99)], lifetime: 0, basis: .none, isShared: true),
            Row(
                fields: [cdn: "max-age=9, &", .cacheControl: "s-maxage=30"], lifetime: 30, basis: .sharedMaxAge,
                isShared: true),
            Row(fields: [cdn: "", .cacheControl: "max-age=30"], lifetime: 30, basis: .maxAge, isShared: true),
            Row(fields: [.cacheControl: "max-age=30", .age: "7"], lifetime: 30, basis: .maxAge, age: 7),
            Row(fields: [.cacheControl: "max-age=30", .age: "0, 0"], lifetime: 30, basis: .maxAge),
            Row(fields: [.cacheControl: "max-age=30", .age: "7, 9"], lifetime: 30, basis: .maxAge, age: 7),
            Row(fields: [.cacheControl: "max-age=30", .age: "seven"], lifetime: 30, basis: .maxAge),
            Row(fields: [.cacheControl: "max-age=30", .age: "-7"], lifetime: 30, basis: .maxAge),
            Row(fields: [.cacheControl: "max-age=30", .age: "7.5"], lifetime: 30, basis: .maxAge),
            Row(
                fields: [.cacheControl: "max-age=30", .age: "99999999999999"], lifetime: 30, basis: .maxAge,
                age: 1 << 31),
            Row(fields: [.cacheControl: "max-age=30", .date: date(-12)], lifetime: 30, basis: .maxAge, age: 12),
            Row(
                fields: [.cacheControl: "max-age=30", .date: date(-12), .age: "20"], lifetime: 30, basis: .maxAge,
                age: 20),
            Row(fields: [.cacheControl: "max-age=30", .date: date(500)], lifetime: 30, basis: .maxAge),
        ])
    func lifetimeAndAgeFollowTheRFC(row: Row) {
        let facts = CachePolicy(row.isShared ? .shared : .privateClient).facts(stored(row.fields, status: row.status))
        let freshness = facts.freshness(at: noon)
        #expect(freshness.freshnessLifetime == .seconds(row.lifetime))
        #expect(freshness.basis == row.basis)
        #expect(freshness.currentAge == .seconds(row.age))
    }

    @Test func subsecondDifferenceFromDateIsNoAge() {
        let came = noon + .milliseconds(900)
        let facts = CachePolicy(.privateClient).facts(
            StoredHead(
                response: HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=1", .date: date()]),
                requestedAt: came, respondedAt: came
            )
        )
        #expect(facts.freshness(at: came).currentAge == .zero)
        #expect(facts.freshness(at: came + .milliseconds(999)).isFresh)
    }

    @Test func ageCountsTheDelayOfTheResponseAndTheTimeSince() {
        let facts = CachePolicy(.privateClient).facts(
            stored([.cacheControl: "max-age=30", .age: "5"], delay: .seconds(4))
        )
        #expect(facts.freshness(at: noon + .seconds(3)).currentAge == .seconds(12))
        #expect(facts.freshness(at: noon + .seconds(20)).isFresh)
        #expect(!facts.freshness(at: noon + .seconds(21)).isFresh)
        #expect(facts.freshness(at: noon + .seconds(25)).staleness == .seconds(4))
    }

    @Test func clockSetBackByADayMakesAnAnswerStale() {
        let facts = CachePolicy(.privateClient).facts(stored([.cacheControl: "max-age=30"]))
        #expect(facts.freshness(at: noon - .milliseconds(5)).isFresh)
        #expect(!facts.freshness(at: noon - .seconds(86_400)).isFresh)
    }

    @Test func servesAgeAndLeavesDateAlone() {
        let facts = CachePolicy(.privateClient).facts(stored([.date: date(-9), .age: "3"]))
        for since in [Int64(0), 0, 1] {
            let head = facts.served(at: noon + .seconds(since) + .milliseconds(900))
            #expect(head.headerFields[.age] == "\(9 + since)")
            #expect(head.headerFields[.date] == date(-9))
        }
    }
}
