import Testing
import WharfCache
import WharfCore
import WharfStorage

@Suite struct StorabilityTests {
    struct Row: Sendable, CustomStringConvertible {
        var control: String?
        var status = 200
        var request: HTTPFields = [:]
        var fields: HTTPFields = [:]
        var privately: Storability
        var shared: Storability?
        var description: String { "\(status) \(control ?? "-") \(fields.map { "\($0)" }) \(request.map { "\($0)" })" }
    }

    private static let range: HTTPFields = [.range: "bytes=0-1"]
    private static let place: HTTPFields = [.contentRange: "bytes 0-1/10", .contentLength: "2"]
    private static let part = tagged(eTag: "\"1\"")

    private static func tagged(eTag: String? = nil, modified: Int64? = nil, date offset: Int64? = nil) -> HTTPFields {
        var fields = place
        fields[.eTag] = eTag
        fields[.lastModified] = modified.map { date($0) }
        fields[.date] = offset.map { date($0) }
        return fields
    }

    @Test(
        arguments: [
            Row(control: "max-age=1", privately: .storable),
            Row(control: nil, privately: .storable),
            Row(control: "no-store", privately: .refused(.noStore)),
            Row(control: "NO-STORE, max-age=9", privately: .refused(.noStore)),
            Row(control: "no-cache", privately: .storable),
            Row(control: "private", privately: .storable, shared: .refused(.privateAnswer)),
            Row(control: "private=\"\"", privately: .storable, shared: .refused(.privateAnswer)),
            Row(control: "private=\"set-cookie\"", privately: .storable, shared: .storable),
            Row(control: "no-store", fields: [cdn: "max-age=9"], privately: .refused(.noStore), shared: .storable),
            Row(control: "max-age=9", fields: [cdn: "no-store"], privately: .storable, shared: .refused(.noStore)),
            Row(control: "max-age=9", fields: [cdn: "private"], privately: .storable, shared: .refused(.privateAnswer)),
            Row(
                control: "no-store", fields: [cdn: "max-age=9, &"], privately: .refused(.noStore),
                shared: .refused(.noStore)),
            Row(control: "max-age=9", request: [.cacheControl: "no-store"], privately: .refused(.requestNoStore)),
            Row(control: "max-age=9", fields: [.vary: "*"], privately: .refused(.varyAny)),
            Row(control: "max-age=9", fields: [.vary: "accept, *"], privately: .refused(.varyAny)),
            Row(control: "max-age=9", fields: [.vary: "accept"], privately: .storable),
            Row(control: "max-age=9", status: 206, privately: .refused(.part)),
            Row(control: "max-age=9", status: 206, request: Self.range, fields: Self.part, privately: .storable),
            Row(control: nil, status: 206, request: Self.range, fields: Self.part, privately: .storable),
            Row(
                control: "no-store", status: 206, request: Self.range, fields: Self.part, privately: .refused(.noStore)),
            // RFC 9111 §3.4: without a strong validator it could never be told from another
            // version.
            Row(control: "max-age=9", status: 206, request: Self.range, fields: Self.place, privately: .refused(.part)),
            Row(
                control: "max-age=9", status: 206, request: Self.range, fields: Self.tagged(eTag: "W/\"1\""),
                privately: .refused(.part)),
            Row(
                control: "max-age=9", status: 206, request: Self.range, fields: Self.tagged(eTag: "1"),
                privately: .refused(.part)),
            Row(
                control: "max-age=9", status: 206, request: Self.range, fields: Self.tagged(modified: -9, date: 0),
                privately: .storable),
            Row(
                control: "max-age=9", status: 206, request: Self.range, fields: Self.tagged(modified: -9),
                privately: .refused(.part)),
            Row(
                control: "max-age=9", status: 206, request: Self.range, fields: Self.tagged(modified: 0, date: 0),
                privately: .refused(.part)),
            // RFC 9110 §15.3.7: a part that was not asked for.
            Row(control: "max-age=9", status: 206, fields: Self.part, privately: .refused(.part)),
            // RFC 9110 §15.5.17: it is about the range, which is not in the key.
            Row(control: "max-age=9", status: 416, request: Self.range, privately: .refused(.status)),
            Row(control: "max-age=9", status: 304, privately: .refused(.status)),
            Row(control: "max-age=9", status: 103, privately: .refused(.status)),
            Row(control: "max-age=9", status: 599, privately: .storable),
            Row(control: nil, status: 599, fields: [.lastModified: date(-1_000)], privately: .refused(.noLifetime)),
            Row(control: "public", status: 599, privately: .storable),
            Row(control: "private", status: 599, privately: .storable, shared: .refused(.privateAnswer)),
            Row(control: "public", status: 302, privately: .storable),
            Row(control: nil, status: 302, privately: .refused(.noLifetime)),
            Row(control: nil, status: 302, fields: [.expires: date(9)], privately: .storable),
            Row(control: nil, status: 301, privately: .storable),
            Row(control: nil, status: 404, privately: .storable),
            Row(control: nil, status: 401, privately: .refused(.noLifetime)),
            Row(control: nil, status: 500, privately: .refused(.noLifetime)),
            Row(control: "public", status: 503, privately: .refused(.noLifetime)),
            Row(control: "max-age=9", status: 503, privately: .storable),
            Row(control: "s-maxage=9", status: 403, privately: .refused(.noLifetime), shared: .storable),
            // RFC 9111 §5.2.2.3.
            Row(control: "no-store, must-understand, max-age=9", privately: .storable),
            Row(
                control: "no-store, must-understand, max-age=9", status: 206, request: Self.range, fields: Self.part,
                privately: .storable),
            Row(control: "no-store, must-understand, max-age=9", status: 599, privately: .refused(.noStore)),
            Row(control: "must-understand, max-age=9", status: 599, privately: .refused(.notUnderstood)),
        ])
    func storabilityFollowsTheRFC(row: Row) throws {
        var fields = row.fields
        fields[.cacheControl] = row.control
        let answer = HTTPResponse(status: .init(code: row.status), headerFields: fields)
        let request = try #require(facts(row.request))
        #expect(Storability(request, answer, isShared: false) == row.privately)
        #expect(Storability(request, answer, isShared: true) == row.shared ?? row.privately)
    }

    @Test(
        arguments: [
            ("max-age=9", false), ("max-age=9, public", true), ("s-maxage=9", true),
            ("max-age=9, must-revalidate", true),
        ])
    func aSharedCacheKeepsAuthorizedAnswersOnlyWhenTheyPermitIt(control: String, isKept: Bool) throws {
        let request = try #require(facts([.authorization: "Bearer x"], .shared))
        let answer = HTTPResponse(status: .ok, headerFields: [.cacheControl: control])
        #expect((Storability(request, answer, isShared: true) == .storable) == isKept)
        let verdict = CachePolicy(.shared).verdict(
            CachePolicy(.shared).facts(stored([.cacheControl: control])), request, .reuse, at: noon
        )
        #expect((verdict == .fresh) == isKept)
    }

    @Test func answersToHeadAreNotKept() throws {
        let request = try #require(facts(method: .head))
        #expect(
            Storability(request, HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=9"]), isShared: false)
                == .refused(.head)
        )
    }

    @Test(
        arguments: [
            ([.cookie: "a=b"], .get),
            ([.authorization: "x"], .get),
            ([.authorization: "x"], .head), ([.range: "bytes=0-1, 3-4"], .get), ([.ifMatch: "\"a\""], .get),
            ([.ifUnmodifiedSince: date()], .get), ([:], .options), ([:], .post), ([:], .patch),
        ] as [(HTTPFields, HTTPRequest.Method)])
    func requestsOutsideItsScopePassBy(fields: HTTPFields, method: HTTPRequest.Method) {
        #expect(facts(fields, method: method) == nil)
    }

    @Test func credentialsOfAnAccountAreInScope() {
        #expect(facts([.authorization: "x"], account: Account("1"))?.key.account == Account("1"))
        #expect(facts([.cookie: "x=y"], account: Account("1"))?.key.account == Account("1"))
        #expect(facts([.cookie: "x=y"], .shared) == nil)
    }

    @Test func hopByHopAndPrivateFieldsAreNotStored() {
        var fields: HTTPFields = [
            .connection: "close, X-Hop", .transferEncoding: "chunked", .setCookie: "a=b", .eTag: "\"1\"",
            .upgrade: "h2c",
            .cacheControl: "max-age=9, no-cache=\"X-Secret\", private=\"X-Mine\"",
        ]
        for name in ["X-Hop", "X-Secret", "X-Mine", "Keep-Alive", "Proxy-Connection"] {
            fields.append(HTTPField(name: HTTPField.Name(name)!, value: "1"))
        }
        let answer = HTTPResponse(status: .ok, headerFields: fields)
        var withCookies = CacheConfiguration.shared
        withCookies.storesSetCookie = true
        for (policy, account, expected) in [
            (CachePolicy(.privateClient), Account("1"), ["Set-Cookie", "ETag", "Cache-Control", "X-Mine", "Date"]),
            (CachePolicy(.privateClient), nil, ["ETag", "Cache-Control", "X-Mine", "Date"]),
            (CachePolicy(.shared), nil, ["ETag", "Cache-Control", "Date"]),
            (CachePolicy(withCookies), nil, ["Set-Cookie", "ETag", "Cache-Control", "Date"]),
        ] {
            let exchange = CacheExchange(mode: .normal, isConditional: false, requestedAt: noon, respondedAt: noon)
            let head = facts(account: account).map { policy.stored(answer, $0, exchange) }
            #expect(Set(head?.response.headerFields.map(\.name.rawName) ?? []) == Set(expected))
            #expect(head?.response.headerFields[.date] == date())
        }
    }
}
