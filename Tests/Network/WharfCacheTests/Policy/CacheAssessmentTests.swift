import Testing
import WharfCache
import WharfCore
import WharfStorage

struct CacheAssessmentTests {
    private static let arrival = WallTime(secondsSince1970: 1_000_000)

    private static func assess(
        _ control: String, after seconds: Int64, by configuration: CacheConfiguration = .privateClient
    ) -> CacheAssessment {
        let head = StoredHead(
            response: HTTPResponse(status: .ok, headerFields: [.cacheControl: control]), requestedAt: arrival,
            respondedAt: arrival)
        return CacheAssessment(head, by: configuration, at: arrival + .seconds(seconds))
    }

    private static func refusal(_ use: CacheAssessment.Use) -> String? {
        guard case .refused(_, let section) = use else { return nil }
        return section
    }

    @Test func freshResponseIsUsedInEachCase() {
        let found = Self.assess("max-age=60", after: 59)
        #expect(found.freshness.isFresh && found.freshness.basis == .maxAge)
        #expect(found.use == .fresh && found.useWhenUnreachable == .fresh && found.useAfterServerFailure == .fresh)
    }

    @Test func staleResponseIsUsedAfterFailuresOnly() {
        let found = Self.assess("max-age=60", after: 61)
        #expect(Self.refusal(found.use) == "RFC 9111 §4.2.4")
        #expect(found.useWhenUnreachable == .stale && found.useAfterServerFailure == .stale)
    }

    @Test(arguments: [
        ("no-cache, max-age=60", 1, "RFC 9111 §5.2.2.4"), ("max-age=60, must-revalidate", 61, "RFC 9111 §5.2.2.2"),
    ])
    func prohibitionNamesItsSection(control: String, seconds: Int64, section: String) {
        let found = Self.assess(control, after: seconds)
        #expect(Self.refusal(found.use) == section && Self.refusal(found.useWhenUnreachable) == section)
    }

    @Test(arguments: [("max-age=60, proxy-revalidate", "RFC 9111 §5.2.2.8"), ("s-maxage=60", "RFC 9111 §5.2.2.10")])
    func sharedCacheObeysItsOwnDirectives(control: String, section: String) {
        #expect(Self.refusal(Self.assess(control, after: 61, by: .shared).useWhenUnreachable) == section)
        #expect(Self.assess(control, after: 61).useWhenUnreachable == .stale)
    }

    @Test func permissionToRevalidateInTheBackgroundIsNamed() {
        let control = "max-age=60, stale-while-revalidate=10"
        #expect(Self.assess(control, after: 70).use == .staleWhileRevalidating)
        #expect(Self.refusal(Self.assess(control, after: 71).use) != nil)
    }
}
