import Testing
import WharfCore
import WharfFakes

/// The time for which a server wants no request, by the header fields in use.
@Suite struct QuotaFieldsTests {
    /// 2001-09-09 01:46:40.
    private let now = WallTime(secondsSince1970: 1_000_000_000)

    private func pause(_ fields: [(String, String)]) throws -> Duration? {
        var head = HTTPFields()
        for (name, value) in fields { head.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value)) }
        return QuotaFields.pause(in: head, now: now)
    }

    @Test(
        arguments: [
            // draft-ietf-httpapi-ratelimit-headers-10
            ([("RateLimit", "\"default\";r=0;t=30")], 30),
            ([("RateLimit", "\"default\"; r=0; t=30")], 30),
            ([("RateLimit", "\"default\";t=30;r=0;pk=:QQ==:")], 30),
            ([("RateLimit", "\"default\";r=50;t=30")], nil),
            ([("RateLimit", "\"minute\";r=0;t=30, \"day\";r=7;t=4000")], 30),
            ([("RateLimit", "\"minute\";r=0;t=30, \"day\";r=0;t=4000")], 4_000),
            ([("RateLimit", "\"a;r=0;t=9\";r=1;t=30")], nil),
            ([("RateLimit", "\"default\";r=0")], nil),
            // Version 7 of the same draft.
            ([("RateLimit", "limit=100, remaining=0, reset=50")], 50),
            ([("RateLimit", "limit=100, remaining=3, reset=50")], nil),
            ([("RateLimit-Remaining", "0"), ("RateLimit-Reset", "40")], 40),
            ([("RateLimit-Remaining", "1"), ("RateLimit-Reset", "40")], nil),
            ([("RateLimit-Remaining", "0")], nil),
            // In seconds, and as a Unix time.
            ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "40")], 40),
            ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1000000060")], 60),
            ([("x-rate-limit-remaining", "0"), ("x-rate-limit-reset", "1000000015")], 15),
            ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1000000000")], 0),
            ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "-5")], nil),
            ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "soon")], nil),
            // The longest pause counts.
            ([("Retry-After", "120"), ("RateLimit", "\"default\";r=0;t=30")], 120),
            ([("Retry-After", "10"), ("RateLimit", "\"default\";r=0;t=30")], 30),
            ([("RateLimit", "")], nil), ([("RateLimit", ";;=,,r=0;t=")], nil), ([], nil),
        ] as [([(String, String)], Int64?)])
    func longestNamedPauseIsUsed(fields: [(String, String)], seconds: Int64?) throws {
        #expect(try pause(fields) == seconds.map { .seconds($0) })
    }

    @Test func hugeResetTimeIsAVeryLongPause() throws {
        let pause = try #require(try pause([("RateLimit", "\"default\";r=0;t=9223372036854775807")]))
        #expect(pause > .seconds(1 << 30))
    }

    /// A success may have `Retry-After` for another reason (RFC 9110 §15.3.3).
    @Test func retryAfterOfASuccessIsIgnored() {
        #expect(QuotaFields.resetTime(in: [.retryAfter: "9"], now: now) == nil)
    }

    @Test func a403WithAQuotaThatIsUsedUpIsARateLimit() throws {
        var limited = HTTPResponse(status: .forbidden)
        limited.headerFields[try #require(HTTPField.Name("X-RateLimit-Remaining"))] = "0"
        limited.headerFields[try #require(HTTPField.Name("X-RateLimit-Reset"))] = "1000000060"
        #expect(Delivery.Verdict(limited, now: now).name == "rate limited 60")
        #expect(Delivery.Verdict(HTTPResponse(status: .forbidden), now: now).name == "rejected")
    }
}
