import Logging
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfHTTP
import WharfHTTPLaws
import WharfRandom

@Suite struct MiddlewareLawTests {
    /// Wharf's own middleware.
    enum Kind: String, CaseIterable {
        case logging, retry, authentication

        var subject: MiddlewareLaws.Subject {
            Conformer(rawValue) {
                switch self {
                case .logging: LoggingMiddleware(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
                case .retry:
                    RetryMiddleware(
                        policy: RetryPolicy(attempts: 3), clock: Hurried(), random: SeededGenerator(seed: 1))
                case .authentication:
                    AuthenticationMiddleware(try TestTokens(), for: try APIEnvironment("https://api.example.com"))
                }
            }
        }
    }

    @Test(arguments: MiddlewareLaws.all, Kind.allCases)
    func everyMiddlewareKeeps(law: Law<MiddlewareLaws.Subject>, kind: Kind) async throws {
        try await law.check(kind.subject)
    }
}

/// A clock that advances as soon as a task sleeps on it.
private struct Hurried: Clock {
    private let clock = TestClock()

    var now: TestClock.Instant { clock.now }
    var minimumResolution: Duration { clock.minimumResolution }

    func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        clock.advance(by: clock.now.duration(to: deadline))
    }
}
