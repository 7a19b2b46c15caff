import Testing
import WharfCache
import WharfCore
import WharfFakes

@Suite struct HitTests {
    private let fields: HTTPFields = [
        .cacheControl: "max-age=60", .eTag: "\"1\"", .lastModified: date(-100), .date: date(), .setCookie: "a=b",
        .connection: "X-Hop", .contentType: "text/plain",
    ]

    @Test func aHitReportsItsAgeAndKeepsDateWithoutCookies() async throws {
        let rig = Rig(.ok("hello", fields: fields))
        let first = try await rig.read()
        #expect(first.response.provenance.source == .network)
        #expect(first.response.provenance.cacheStatus?.fieldValue() == "wharf; fwd=uri-miss; fwd-status=200; stored")
        rig.clock.advance(by: .seconds(7))
        let (response, text) = try await rig.read()
        #expect(text == "hello")
        #expect(response.head.headerFields[.age] == "7")
        #expect(response.head.headerFields[.date] == date())
        #expect(first.response.head.headerFields[.setCookie] == "a=b")
        #expect(response.head.headerFields[.setCookie] == nil)
        #expect(response.head.headerFields[.connection] == nil)
        #expect(response.provenance.source == .httpCache)
        #expect(response.provenance.asOf == noon)
        #expect(response.provenance.staleAt == noon + .seconds(60))
        #expect(response.provenance.failure == nil)
        #expect(response.provenance.cacheStatus?.fieldValue() == "wharf; hit; ttl=53")
        #expect(response.provenance.freshness?.basis == .maxAge)
        #expect(rig.origin.requests.count == 1)
    }

    /// RFC 9111 §7.3. A 304 replaces the cookies, and does not add to them.
    @Test func setCookieIsServedFromTheStoreIfConfigured() async throws {
        var configuration = CacheConfiguration.shared
        configuration.storesSetCookie = true
        let rig = Rig(
            for: configuration, .ok("hello", fields: fields), .respond(.notModified, fields: [.setCookie: "c=d"]))
        var cookies: [[String]] = []
        for age in [0, 1, 60, 1] as [Int64] {
            rig.clock.advance(by: .seconds(age))
            cookies.append(try await rig.read().response.head.headerFields[values: .setCookie])
        }
        #expect(cookies == [["a=b"], ["a=b"], ["c=d"], ["c=d"]])
        #expect(rig.origin.requests.count == 2)
    }

    /// The cookies are those of the client whose request filled the cache.
    @Test func cookiesStoredBeforeTheSwitchIsOffAreNotServed() async throws {
        var configuration = CacheConfiguration.shared
        configuration.storesSetCookie = true
        let store = MemoryCacheStore()
        let before = Rig(for: configuration, store: store, .ok("hello", fields: fields))
        try await before.read()
        #expect(try await before.read().response.head.headerFields[.setCookie] == "a=b")
        let rig = Rig(for: .shared, store: store, .respond(.notModified, fields: [.setCookie: "c=d"]))
        for request in [get(), get([.range: "bytes=0-1"]), get([.ifNoneMatch: "\"1\""]), get(cache: .storedOnly)] {
            let answer = try await rig.read(request).response
            #expect(answer.provenance.source == .httpCache && answer.head.headerFields[.setCookie] == nil)
        }
        rig.clock.advance(by: .seconds(61))
        #expect(try await rig.read().response.head.headerFields[values: .setCookie] == ["c=d"])
    }

    @Test func anAnswerThatIsNotKeptReportsItsAgeToo() async throws {
        let rig = Rig(.ok("hello", fields: [.cacheControl: "no-store, max-age=9", .age: "5", .date: date(-2)]))
        let response = try await rig.read().response
        #expect(response.provenance.asOf == noon - .seconds(5))
        #expect(response.provenance.cacheStatus?.stored == false)
        #expect(try await rig.kept() == nil)
    }

    @Test func aHeadRequestIsAnsweredByAStoredGetAndNeverStored() async throws {
        let rig = Rig(
            .respond(.ok, fields: fields), .ok("hello", fields: fields), .respond(.ok, fields: [.eTag: "\"9\""]))
        try await rig.read(get(method: .head))
        #expect(try await rig.kept() == nil)
        try await rig.read()
        let (head, text) = try await rig.read(get(method: .head))
        #expect(head.provenance.source == .httpCache && head.head.headerFields[.eTag] == "\"1\"" && text == "")
        rig.clock.advance(by: .seconds(61))
        #expect(try await rig.read(get(method: .head)).response.provenance.source == .network)
        #expect(rig.origin.requests.last?.head.headerFields[.ifNoneMatch] == nil)
        #expect(try await rig.kept() == "hello")
    }

    @Test func variantsAreKeptSideBySide() async throws {
        let rig = Rig { request in
            let language = request.head.headerFields[.acceptLanguage] ?? "none"
            return .ok(language, fields: [.cacheControl: "max-age=60", .vary: "Accept-Language"])
        }
        for _ in 0..<2 {
            #expect(try await rig.text(get([.acceptLanguage: "de"])) == "de")
            #expect(try await rig.text(get([.acceptLanguage: "en"])) == "en")
            #expect(try await rig.text(get([.acceptLanguage: ""])) == "")
        }
        #expect(rig.origin.requests.count == 3)
        let other = try await rig.read(get([.acceptLanguage: "fr"])).response
        #expect(other.provenance.cacheStatus?.forward == .varyMiss)
        #expect(await code { try await rig.read(get([.acceptLanguage: "it"], cache: .storedOnly)) } == .nothingKept)
    }

    @Test func redirectsAndUnknownStatusesAreKeptWithALifetime() async throws {
        for status in [302, 404, 599] {
            let rig = Rig(.respond(.init(code: status), fields: [.cacheControl: "max-age=60", .location: "/b"]))
            try await rig.read()
            let again = try await rig.read().response
            #expect(again.head.status.code == status && again.provenance.source == .httpCache)
        }
    }

    @Test func aClientThatHasThisVersionGetsA304() async throws {
        let rig = Rig(.ok("hello", fields: fields))
        try await rig.read()
        let same = try await rig.read(get([.ifNoneMatch: "W/\"1\""]))
        #expect(same.response.head.status == .notModified && same.text == "")
        #expect(
            same.response.head.headerFields[.eTag] == "\"1\"" && same.response.head.headerFields[.contentType] == nil)
        let other = try await rig.read(get([.ifNoneMatch: "\"2\"", .ifModifiedSince: date()]))
        #expect(other.response.head.status == .ok && other.text == "hello")
        #expect(try await rig.read(get([.ifModifiedSince: date()])).response.head.status == .notModified)
        #expect(rig.origin.requests.count == 1)
    }

    @Test func onlyIfCachedOutsideTheCachesScopeGetsA504() async throws {
        let rig = Rig(.ok("from the network"))
        let only: HTTPFields = [.cacheControl: "only-if-cached"]
        for field in [HTTPField.Name.range, .cookie, .authorization] {
            var fields = only
            fields[field] = field == .range ? "bytes=0-1" : "x"
            #expect(try await rig.read(get(fields)).response.head.status == .gatewayTimeout)
        }
        #expect(rig.origin.requests.isEmpty)
    }

    @Test func onlyIfCachedGetsA504InPlaceOfTheNetwork() async throws {
        let rig = Rig(.ok("hello", fields: fields))
        let only = get([.cacheControl: "only-if-cached"])
        #expect(try await rig.read(only).response.head.status == .gatewayTimeout)
        try await rig.read()
        #expect(try await rig.text(only) == "hello")
        rig.clock.advance(by: .seconds(61))
        #expect(try await rig.read(only).response.head.status == .gatewayTimeout)
        #expect(rig.origin.requests.count == 1)
    }

    @Test func nothingIsKeptForCredentialsWithoutAnAccount() async throws {
        for credentials in [HTTPField.Name.authorization, .cookie] {
            let rig = Rig { request in .ok(request.account?.name ?? "-", fields: [.cacheControl: "max-age=60"]) }
            let request = get([credentials: "secret"])
            let response = try await rig.read(request).response
            #expect(response.provenance.cacheStatus?.fieldValue() == "wharf; fwd=bypass; fwd-status=200; stored=?0")
            #expect(try await rig.kept(request) == nil)
            #expect(try await rig.kept() == nil)
            for name in ["1", "2", "1", "2"] {
                #expect(try await rig.text(get([credentials: "secret"], account: Account(name))) == name)
            }
            #expect(rig.origin.requests.count == 3)
        }
    }

    @Test func nonHTTPRequestBypassesTheCache() async throws {
        let rig = Rig(.ok("file", fields: fields), .ok("file", fields: fields))
        let request = TransportRequest(
            HTTPRequest(method: .get, scheme: "file", authority: nil, path: "/tmp/x"), cache: .storedOnly
        )
        #expect(try await rig.read(request).response.provenance.cacheStatus == nil)
        #expect(try await rig.text(request) == "file")
    }
}
