import Testing
import WharfCore
import WharfFakes

@testable import WharfHTTP

struct SharedRefreshTests {
    private func transport(_ base: any Transport, _ tokens: any CredentialsProvider) throws -> any Transport {
        base.wrapped(in: [AuthenticationMiddleware(tokens, for: try APIEnvironment("https://api.example.com"))])
    }

    private func outcomes(_ count: Int, _ transport: any Transport) async -> [Result<Int, TransportError>] {
        await withTaskGroup(of: Result<Int, TransportError>.self) { group in
            for _ in 0..<count { group.addTask { await outcome(transport) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func outcome(_ transport: any Transport) async -> Result<Int, TransportError> {
        do throws(TransportError) {
            return .success(try await transport.send(.api()).head.status.code)
        } catch {
            return .failure(error)
        }
    }

    @Test func aHundredRefusedRequestsShareOneRefresh() async throws {
        let answers = Gate()
        let base = StubTransport.accepting("2", held: answers)
        let tokens = try TestTokens()
        let transport = try transport(base, tokens)
        async let all = outcomes(100, transport)
        await answers.arrivals(100)
        answers.open()
        let statuses = await all.map { try? $0.get() }
        #expect(statuses == Array(repeating: 200, count: 100))
        #expect(tokens.refreshes == 1)
        #expect(base.requests.count == 200)
    }

    @Test func failedRefreshIsSharedByAllWaitingRequests() async throws {
        let answers = Gate()
        let base = StubTransport.accepting("2", held: answers)
        let tokens = try TestTokens()
        tokens.set(failure: TestTokens.Expired())
        let transport = try transport(base, tokens)
        async let all = outcomes(100, transport)
        await answers.arrivals(100)
        answers.open()
        for outcome in await all {
            guard case .failure(let error) = outcome else {
                Issue.record("expected a failure, found \(outcome)")
                continue
            }
            #expect(error.code == .credentialUnavailable)
            #expect(error.cause is TestTokens.Expired)
            #expect(error.response?.status == .unauthorized)
            #expect(!error.isTransient)
        }
        #expect(tokens.refreshes == 1)
        #expect(base.requests.count { $0.cache != .storedOnly } == 100)
    }

    /// The two reads do not suspend, so no order can be forced. The test runs many rounds on all
    /// cores.
    @Test func requestRacingAFailedRefreshDoesNotRefreshAgain() async throws {
        let credential = try Credential.bearer("1")
        let refusal = CredentialRefusal(
            credential: credential, request: .init(method: .get, scheme: "https", authority: "a", path: "/"),
            response: .init(status: .unauthorized))
        for _ in 0..<300 {
            let tokens = try TestTokens()
            tokens.set(failure: TestTokens.Expired())
            let refresh = CredentialRefresh(tokens)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        let outcome = try? await refresh.replacement(after: refusal, sentAfter: 0).get()
                        #expect(outcome == nil)
                    }
                }
            }
            #expect(tokens.refreshes == 1)
        }
    }

    @Test func rejectedSignInReturnsEachRequestItsRefusal() async throws {
        let answers = Gate()
        let base = StubTransport.accepting("2", held: answers)
        let tokens = try TestTokens()
        tokens.set(failure: CredentialRejection(message: "revoked"))
        let transport = try transport(base, tokens)
        async let all = outcomes(100, transport)
        await answers.arrivals(100)
        answers.open()
        let statuses = await all.map { try? $0.get() }
        #expect(statuses == Array(repeating: 401, count: 100))
        #expect(tokens.refreshes == 1)
        #expect(base.requests.count == 100)
    }

    @Test func requestAfterAFailedRefreshRefreshesAgain() async throws {
        let tokens = try TestTokens()
        tokens.set(failure: TestTokens.Expired())
        let transport = try transport(StubTransport.accepting("3"), tokens)
        guard case .failure = await outcome(transport) else { throw TestTokens.Expired() }
        tokens.set(failure: nil)
        #expect(try await outcome(transport).get() == 200)
        #expect(tokens.refreshes == 2)
    }

    @Test func anOlderCredentialIsReplacedWithoutARefresh() async throws {
        let late = Gate()
        let base = StubTransport { request in
            let isAccepted = request.head.headerFields[.authorization] == "Bearer new"
            return isAccepted ? .ok("yes") : .respond(.unauthorized).held(by: late)
        }
        let tokens = try TestTokens("old")
        let transport = try transport(base, tokens)
        async let answer = outcome(transport)
        await late.arrivals()
        try tokens.set("new")
        late.open()
        #expect(try await answer.get() == 200)
        #expect(tokens.refreshes == 0)
        #expect(base.shown == ["Bearer old", "Bearer new"])
    }

    @Test func cancelledWaiterDoesNotDisturbTheOthers() async throws {
        let gate = Gate()
        let tokens = try TestTokens(gate: gate)
        let transport = try transport(StubTransport.accepting("2"), tokens)
        let leaver = Task { await outcome(transport) }
        await gate.arrivals()
        let stayer = Task { await outcome(transport) }
        leaver.cancel()
        guard case .failure(let error) = await leaver.value else { throw TestTokens.Expired() }
        #expect(error.code == .cancelled)
        gate.open()
        #expect(try await stayer.value.get() == 200)
        #expect(tokens.refreshes == 1)
    }

    @Test func refreshContinuesWhenAllWaitersAreCancelled() async throws {
        let gate = Gate()
        let tokens = try TestTokens(gate: gate)
        let transport = try transport(StubTransport.accepting("2"), tokens)
        let leaver = Task { await outcome(transport) }
        await gate.arrivals()
        leaver.cancel()
        guard case .failure = await leaver.value else { throw TestTokens.Expired() }
        gate.open()
        // It joins the running refresh, or finds its result.
        #expect(try await outcome(transport).get() == 200)
        #expect(tokens.refreshes == 1)
    }
}
