import Testing
import WharfCache
import WharfCore

/// The table of permitted uses: the stored response is fresh for 10 seconds, and `age` seconds old.
@Suite struct StaleUseTests {
    struct Row: Sendable, CustomStringConvertible {
        var control: String
        var age: Int64
        var request: String?
        var configuration = CacheConfiguration.privateClient
        var reuse: StaleUse.Decision
        var storedOnly: StaleUse.Decision
        var unreachable: StaleUse.Decision
        var serverFailed: StaleUse.Decision
        var description: String { "\(control), \(age) s, \(request ?? "-"), \(configuration)" }

        /// A missing verdict equals `reuse`. A missing verdict for a failing server equals that for
        /// an unreachable one.
        init(
            _ control: String, age: Int64, request: String? = nil,
            of configuration: CacheConfiguration = .privateClient,
            _ reuse: StaleUse.Decision, only: StaleUse.Decision? = nil, down: StaleUse.Decision? = nil,
            failed: StaleUse.Decision? = nil
        ) {
            self.control = control
            self.age = age
            self.request = request
            self.configuration = configuration
            self.reuse = reuse
            self.storedOnly = only ?? reuse
            self.unreachable = down ?? reuse
            self.serverFailed = failed ?? down ?? reuse
        }
    }

    private static let stale = StaleUse.Decision.refused(.stale)
    private static let bounded = CacheConfiguration(isShared: false, staleOnFailure: .upTo(.seconds(5)))

    static let rows: [Row] = [
        Row("max-age=10", age: 9, .fresh),
        Row("max-age=10", age: 10, stale, only: .permitted, down: .permitted),
        Row("max-age=10", age: 1_000_000, stale, only: .permitted, down: .permitted),
        Row("max-age=10, no-cache", age: 1, .refused(.noCache)),
        Row("max-age=10, no-cache, stale-if-error=99", age: 11, .refused(.noCache)),
        Row("max-age=10, must-revalidate", age: 9, .fresh),
        Row("max-age=10, must-revalidate", age: 11, .refused(.mustRevalidate)),
        Row("max-age=10, must-revalidate, stale-if-error=99", age: 11, .refused(.mustRevalidate)),
        Row("max-age=10, must-revalidate", age: 11, request: "max-stale", .refused(.mustRevalidate)),
        Row("max-age=10, proxy-revalidate", age: 11, stale, only: .permitted, down: .permitted),
        Row("s-maxage=10, max-age=10", age: 11, stale, only: .permitted, down: .permitted),

        Row(
            "max-age=10", age: 9, request: "no-cache", .refused(.requestNoCache), only: .fresh,
            down: .refused(.requestNoCache)),
        Row("max-age=10", age: 9, request: "max-age=8", .refused(.tooOld), only: .fresh, down: .fresh),
        Row("max-age=10", age: 8, request: "max-age=8", .fresh),
        Row("max-age=10", age: 9, request: "min-fresh=2", .refused(.notFreshEnough), only: .fresh, down: .fresh),
        Row("max-age=10", age: 8, request: "min-fresh=2", .fresh),
        // RFC 5861 §3.
        Row("max-age=10, stale-while-revalidate=5", age: 9, .fresh),
        Row("max-age=10, stale-while-revalidate=5", age: 15, .whileRevalidating, only: .permitted, down: .permitted),
        Row("max-age=10, stale-while-revalidate=5", age: 16, stale, only: .permitted, down: .permitted),
        Row("max-age=10, stale-while-revalidate=5, must-revalidate", age: 11, .refused(.mustRevalidate)),
        Row("max-age=10, stale-while-revalidate=5, no-cache", age: 11, .refused(.noCache)),
        Row(
            "max-age=10, stale-while-revalidate=5", age: 11, request: "max-age=5", .refused(.tooOld), only: .permitted,
            down: .permitted),
        Row(
            "max-age=10, stale-while-revalidate=5", age: 11, request: "max-stale=1", .permitted, only: .permitted,
            down: .permitted),
        Row(
            "max-age=10, stale-while-revalidate=5", age: 12, request: "max-stale=1", .whileRevalidating,
            only: .permitted, down: .permitted),
        Row("max-age=10", age: 15, request: "max-stale=5", .permitted, only: .permitted, down: .permitted),
        Row("max-age=10", age: 16, request: "max-stale=5", .refused(.staleTooLong), only: .permitted, down: .permitted),
        Row("max-age=10", age: 16, request: "max-stale", .permitted, only: .permitted, down: .permitted),

        Row("max-age=10", age: 15, of: bounded, stale, only: .permitted, down: .permitted),
        Row("max-age=10", age: 16, of: bounded, stale, only: .permitted, down: .refused(.staleTooLong)),
        Row("max-age=10, stale-if-error=60", age: 70, of: bounded, stale, only: .permitted, down: .permitted),

        Row(
            "max-age=10", age: 11, of: .shared, stale, only: .permitted, down: .permitted,
            failed: .refused(.notPermitted)),
        Row("max-age=10, stale-if-error=60", age: 70, of: .shared, stale, only: .permitted, down: .permitted),
        Row(
            "max-age=10, stale-if-error=60", age: 71, of: .shared, stale, only: .permitted,
            down: .refused(.staleTooLong)),
        Row(
            "max-age=10", age: 11, request: "stale-if-error=60", of: .shared, stale, only: .permitted, down: .permitted,
            failed: .permitted),
        Row("max-age=10, proxy-revalidate", age: 11, of: .shared, .refused(.proxyRevalidate)),
        Row("s-maxage=10", age: 11, of: .shared, .refused(.sharedMaxAge)),
        Row("s-maxage=10", age: 9, of: .shared, .fresh),
    ]

    @Test(arguments: rows)
    func prohibitionsBeatPermissions(row: Row) throws {
        let policy = CachePolicy(row.configuration)
        let response = policy.facts(stored([.cacheControl: row.control]))
        var fields = HTTPFields()
        fields[.cacheControl] = row.request
        let request = try #require(facts(fields, row.configuration))
        for (occasion, expected) in [
            (StaleUse.Cause.reuse, row.reuse), (.storedOnly, row.storedOnly), (.unreachable, row.unreachable),
            (.serverFailed, row.serverFailed),
        ] {
            let verdict = policy.verdict(response, request, occasion, at: noon + .seconds(row.age))
            #expect(verdict == expected, "\(occasion)")
        }
    }

    @Test func staleServerFailureIsNeverServed() throws {
        let policy = CachePolicy(.privateClient)
        let response = policy.facts(stored([.cacheControl: "max-age=10"], status: .serviceUnavailable))
        let request = try #require(facts())
        #expect(policy.verdict(response, request, .reuse, at: noon) == .fresh)
        #expect(policy.verdict(response, request, .unreachable, at: noon + .seconds(11)) == .refused(.serverFailure))
    }
}
