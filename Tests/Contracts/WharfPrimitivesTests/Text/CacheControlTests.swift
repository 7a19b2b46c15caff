import Testing
import WharfPrimitives
import WharfRandom

/// The grammar of RFC 9111 §5.2. WharfCacheTests has more tests, through the cache's own types.
@Suite struct CacheControlTests {
    @Test(arguments: [
        "no-cache=\"Set-Cookie\"", "max-age=5, NO-CACHE = \"set-cookie, x-a\"", "no-cache=Set-Cookie",
        "ext=\"no-cache, must-revalidate\"", "no-cached, x-must-revalidate", "private, proxy-revalidate", "",
    ])
    func staleUseIsAllowed(value: String) { #expect(!CacheControl(value).forbidsStaleUse) }

    @Test(arguments: [
        "no-cache", "No-Cache ,private", "must-revalidate", "no-cache=\"Set-Cookie\", no-cache",
        "no-cache=\"\"", "no-cache=\"not a name\"", "no-cache=\"Set-Cookie",
        "ext=\"x, must-revalidate", "no-cache=\"Set-Cookie\",MUST-REVALIDATE",
    ])
    func staleUseIsForbidden(value: String) { #expect(CacheControl(value).forbidsStaleUse) }

    @Test func qualifiedDirectivesKeepTheNamesOfTheirFields() {
        let control = CacheControl("no-cache=\"Set-Cookie, X-A\", private=X-B, private=\"a b, X-C\"")
        #expect(control.noCacheFieldNames == ["Set-Cookie", "X-A"] && !control.noCache)
        #expect(control.privateFieldNames == ["X-B", "X-C"] && control.isPrivate)
    }

    @Test func directivesInsideAStringAreIgnored() {
        let control = CacheControl("ext=\"a, no-store, max-age=1\", max-age=30")
        #expect(!control.noStore && control.maxAge == 30)
    }

    @Test func targetedFieldIsReadAsADictionary() throws {
        let control = try #require(
            CacheControl(targeted: "max-age=60, must-revalidate, no-cache=\"Set-Cookie\", private=?0, public;x=1"))
        #expect(control.maxAge == 60 && control.mustRevalidate && control.isPublic && !control.isPrivate)
        #expect(!control.noCache && control.noCacheFieldNames == ["Set-Cookie"])
    }

    @Test(arguments: ["max-age=\"60\"", "max-age=60.5", "max-age=x", "max-age", "max-age=-1"])
    func targetedMaxAgeOfAnotherTypeIsZero(value: String) { #expect(CacheControl(targeted: value)?.maxAge == 0) }

    @Test(arguments: ["", "  ", "max-age=60, &", "MAX-AGE=60", "max-age = 60"])
    func invalidOrEmptyTargetedFieldIsIgnored(value: String) { #expect(CacheControl(targeted: value) == nil) }

    @Test func aCombiningMarkBehindADelimiterHidesNothing() {
        #expect(CacheControl("ext=\"x,\u{301}y,no-store").noStore)
        #expect(CacheControl("max-age=\u{301}5").maxAge == 0)
    }

    /// A list of directives has the same meaning in any division into lines, and in any case and
    /// spacing.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func equivalentSpellingsParseTheSame(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let all = [
            "no-store", "no-cache", "no-cache=\"a,b\"", "private=\"c\"", "public", "must-revalidate", "max-age=\"60\"",
            "s-maxage=5", "stale-if-error=7", "ext=\"x\\\"y, no-store\"", "only-if-cached", "max-stale",
        ]
        let chosen = all.filter { _ in Bool.random(using: &random) }
        var (one, many) = (CacheControl(), CacheControl())
        one.read(chosen.joined(separator: ","))
        for directive in chosen {
            let name = directive.prefix { $0 != "=" }
            many.read(" \t\(name.uppercased())\(directive.dropFirst(name.count)) ,,")
        }
        #expect(one == many, "\(random): \(chosen)")
    }
}
