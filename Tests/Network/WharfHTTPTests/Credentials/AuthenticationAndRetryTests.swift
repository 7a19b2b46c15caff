import Testing
import WharfCore
import WharfFakes
import WharfHTTP
import WharfRandom

/// `[RetryMiddleware(), AuthenticationMiddleware(…)]`, the documented order.
struct AuthenticationAndRetryTests {
    private let clock = TestClock()

    private func transport(_ base: any Transport, _ tokens: any CredentialsProvider) throws -> any Transport {
        base.wrapped(in: [
            RetryMiddleware(
                policy: RetryPolicy(attempts: 3, base: .seconds(1), cap: .seconds(10)), clock: clock,
                wallClock: clock.wall, random: SeededGenerator(seed: 7)),
            AuthenticationMiddleware(tokens, for: try APIEnvironment("https://api.example.com"), clock: clock),
        ])
    }

    @Test func retrySendsTheCurrentCredential() async throws {
        let base = StubTransport([.respond(.serviceUnavailable), .ok("yes")])
        let tokens = try TestTokens("old")
        let transport = try transport(base, tokens)
        let task = Task { try await transport.send(.api()).head.status.code }
        await clock.untilSleeping()
        try tokens.set("new")
        clock.advance(by: .seconds(60))
        #expect(try await task.value == 200)
        #expect(base.shown == ["Bearer old", "Bearer new"])
    }

    @Test func credentialRefreshHappensWithinOneAttempt() async throws {
        let base = StubTransport([.respond(.unauthorized), .respond(.serviceUnavailable), .ok("yes")])
        let tokens = try TestTokens()
        let transport = try transport(base, tokens)
        let task = Task { try await transport.send(.api()).head.status.code }
        await clock.untilSleeping()
        clock.advance(by: .seconds(60))
        #expect(try await task.value == 200)
        #expect(base.shown == ["Bearer 1", "Bearer 2", "Bearer 2"])
        #expect(tokens.refreshes == 1)
    }

    @Test func aFailedRefreshIsNotTriedAgain() async throws {
        let base = StubTransport { _ in .respond(.unauthorized) }
        let tokens = try TestTokens()
        tokens.set(failure: TestTokens.Expired())
        let transport = try transport(base, tokens)
        let error = await #expect(throws: TransportError.self) { try await transport.send(.api()) }
        #expect(error?.code == .credentialUnavailable)
        #expect(tokens.refreshes == 1)
    }
}
