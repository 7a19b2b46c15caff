import Testing
import WharfCache
import WharfCore
import WharfPrimitives

@Suite struct CacheControlTests {
    @Test(
        arguments: [
            ("max-age=30", 30), ("MAX-AGE=30", 30), ("max-age=\"30\"", 30), (" max-age = 30 ", 30),
            ("max-age=0030", 30),
            ("max-age=-1", 0), ("max-age=1.5", 0), ("max-age='30'", 0), ("max-age=30s", 0), ("max-age", 0),
            ("max-age=", 0),
            ("max-age=99999999999999999999", 1 << 31), ("max-age=2147483648", 1 << 31),
            ("max-age=2147483647", 2_147_483_647),
            ("max-age=10, max-age=20", 10), ("max-age=20, max-age=10", 10), ("max-age=20, max-age=x", 0),
            ("nothing-to-see-here=1, max-age=30", 30), ("a=\"max-age=1\", max-age=30", 30),
            ("a=\"b, max-age=1\",max-age=30", 30),
        ] as [(String, Int64)])
    func readsMaxAge(value: String, seconds: Int64) {
        #expect(CacheControl(value).maxAge == seconds)
    }

    @Test(
        arguments: [
            "", ",", "foo", "xmax-age=3", "max-agex=3", "a=\"max-age=3\"", "a=\"max-age=3", "max_age=3",
            "\"max-age=3\"",
        ])
    func malformedMaxAgeDirectiveIsIgnored(value: String) {
        #expect(CacheControl(value).maxAge == nil)
    }

    @Test(arguments: [
        "max-age=600, ext=\"x, no-store", "ext=\"x\\\", no-store", "ext=\", max-age=1, no-store , private",
    ])
    func unterminatedStringHidesNoDirective(value: String) {
        #expect(CacheControl(value).noStore)
    }

    @Test func readsEveryLineOfTheField() {
        var fields = HTTPFields()
        for value in ["max-age=9", "No-Store", "must-revalidate,PUBLIC"] {
            fields.append(HTTPField(name: .cacheControl, value: value))
        }
        let control = CacheControl(fields)
        #expect(control.maxAge == 9)
        #expect(control.noStore && control.mustRevalidate && control.isPublic)
        #expect(!control.noCache && !control.isPrivate && !control.proxyRevalidate)
    }

    @Test(
        arguments: [
            ("private", true, []), ("private=\"\"", true, []), ("private=\" , \"", true, []),
            ("private=\"Set-Cookie\"", false, ["set-cookie"]), ("private=\"a, B\"", false, ["a", "b"]),
            ("private=a", false, ["a"]),
            ("private=\"not a name\"", true, []), ("private=\"a", true, []), ("private=\"a\", private", true, ["a"]),
        ] as [(String, Bool, [String])])
    func readsPrivateWithAndWithoutFields(value: String, whole: Bool, names: [String]) {
        let control = CacheControl(value)
        #expect(control.isPrivate == whole)
        #expect(control.privateFields.map(\.canonicalName) == names)
        let noCache = CacheControl(value.replacing("private", with: "no-cache"))
        #expect(noCache.noCache == whole)
        #expect(noCache.noCacheFields.map(\.canonicalName) == names)
    }

    @Test func readsTheDirectivesOfRequests() {
        #expect(CacheControl("max-stale").maxStale == 1 << 31)
        #expect(CacheControl("max-stale=5").maxStale == 5)
        #expect(CacheControl("max-stale=x").maxStale == 0)
        #expect(CacheControl("min-fresh=5").minFresh == 5)
        #expect(CacheControl("min-fresh=x").minFresh == 1 << 31)
        #expect(CacheControl("only-if-cached").onlyIfCached)
        #expect(CacheControl("stale-if-error=7").staleIfError == 7)
    }
}
