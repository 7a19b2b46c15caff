import Testing
import WharfCore
import WharfFakes
import WharfHTTP

struct AuthenticationMiddlewareTests {
    private let clock = TestClock()

    private func transport(_ base: any Transport, _ tokens: any CredentialsProvider) throws -> any Transport {
        base.wrapped(in: [
            AuthenticationMiddleware(tokens, for: try APIEnvironment("https://api.example.com/v1"), clock: clock)
        ])
    }

    @Test func theCurrentCredentialGoesWithTheRequest() async throws {
        let base = StubTransport.accepting("1")
        var request = TransportRequest.api()
        request.account = Account("ann")
        let response = try await transport(base, TestTokens()).send(request)
        #expect(response.head.status == .ok)
        #expect(base.shown == ["Bearer 1"])
        // The cache below decides by the authorization field and the account.
        #expect(base.requests.map(\.account) == [Account("ann")])
    }

    @Test func requestWithoutSignInCarriesNoCredential() async throws {
        let base = StubTransport.accepting("1")
        let tokens = try TestTokens(nil)
        #expect(try await transport(base, tokens).send(.api()).head.status == .unauthorized)
        #expect(base.shown == [nil])
        #expect(tokens.refreshes == 0)
    }

    @Test(arguments: [
        ("https", "other.example", false), ("http", "api.example.com", false), ("https", "api.example.com:8443", false),
        ("https", "api.example.com.evil.example", false), ("https", "evil@other.example", false),
        ("https", "API.example.com", true), ("https", "api.example.com:443", true),
    ])
    func credentialIsSentToTheClientsOriginOnly(_ scheme: String, _ authority: String, _ isOwn: Bool) async throws {
        let base = StubTransport { _ in .respond(.unauthorized) }
        let tokens = try TestTokens()
        _ = try await transport(base, tokens).send(.api(at: authority, scheme: scheme))
        #expect(base.shown == (isOwn ? ["Bearer 1", "Bearer 2"] : [nil]))
        #expect(tokens.refreshes == (isOwn ? 1 : 0))
    }

    @Test func redirectToAnotherOriginCarriesNoCredential() async throws {
        let base = StubTransport { request in
            request.head.authority == "api.example.com"
                ? .respond(.found, fields: [.location: "https://other.example/"]) : .respond(.unauthorized)
        }
        let tokens = try TestTokens()
        let response = try await transport(RedirectingTransport(base), tokens).send(.api())
        #expect(response.head.status == .unauthorized)
        #expect(base.shown == ["Bearer 1", nil])
        #expect(tokens.refreshes == 0)
    }

    @Test func requestWithOwnAuthorizationIsLeftAlone() async throws {
        let base = StubTransport.accepting("1")
        let tokens = try TestTokens()
        var request = TransportRequest.api()
        request.head.headerFields[.authorization] = "mine"
        #expect(try await transport(base, tokens).send(request).head.status == .unauthorized)
        #expect(base.shown == ["mine"])
        #expect(tokens.refreshes == 0)
    }

    @Test func secondUnauthorizedAnswerIsReturned() async throws {
        let base = StubTransport { _ in .respond(.unauthorized, "no") }
        let tokens = try TestTokens()
        let response = try await transport(base, tokens).send(.api())
        #expect(response.head.status == .unauthorized)
        #expect(try await response.body.collect() == Array("no".utf8))
        #expect(base.shown == ["Bearer 1", "Bearer 2"])
        #expect(tokens.refreshes == 1)
    }

    @Test func refusalOfFixedCredentialIsReturnedWithItsBody() async throws {
        let base = StubTransport { _ in .respond(.unauthorized, "no") }
        let fixed = FixedCredential(try .basic(user: "ann", password: "secret"))
        let response = try await transport(base, fixed).send(.api())
        #expect(try await response.body.collect() == Array("no".utf8))
        #expect(base.requests.count == 1)
    }

    @Test func aKeptRefusalIsNotRefreshed() async throws {
        let base = Marked(StubTransport.accepting("2")) { _, provenance in provenance.source = .httpCache }
        let tokens = try TestTokens()
        #expect(try await transport(base, tokens).send(.api()).head.status == .unauthorized)
        #expect(tokens.refreshes == 0)
    }

    @Test func bodyIsSentAgainAfterARefresh() async throws {
        let base = StubTransport.accepting("2")
        let request = TransportRequest.api("/", .post, body: .bytes([1, 2, 3]))
        #expect(try await transport(base, TestTokens()).send(request).head.status == .ok)
        for sent in base.requests {
            guard case .bytes(let bytes) = sent.body else { throw TestTokens.Expired() }
            #expect(bytes == [1, 2, 3])
        }
        #expect(base.requests.count == 2)
    }

    @Test func oneShotBodyIsNotReplayedAfterARefresh() async throws {
        let base = ReadingTransport { request in request.head.headerFields[.authorization] == "Bearer 2" }
        let request = TransportRequest.api("/", .post, body: .once(BodyStream([1, 2, 3])))
        let error = await #expect(throws: TransportError.self) {
            try await transport(base, TestTokens()).send(request)
        }
        #expect(error?.code == .bodyNotReplayable)
    }

    @Test func refreshWaitCountsTowardTheTimeout() async throws {
        let gate = Gate()
        let tokens = try TestTokens(gate: gate)
        let transport = try transport(StubTransport.accepting("2"), tokens)
        let task = Task { try await transport.send(.api(timeout: .seconds(10))) }
        await gate.arrivals()
        await clock.untilSleeping()
        clock.advance(by: .seconds(11))
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.code == .timedOut)
        gate.open()
    }

    @Test func refreshRequestCarriesNoCredential() async throws {
        let base = StubTransport.accepting("2")
        let line = Line()
        let tokens = try TestTokens {
            guard let transport = line.transport else { throw TestTokens.Expired() }
            _ = try await transport.send(.api("/token"))
        }
        let transport = try transport(base, tokens)
        line.transport = transport
        #expect(try await transport.send(.api()).head.status == .ok)
        #expect(base.shown == ["Bearer 1", nil, "Bearer 2"])
        #expect(tokens.refreshes == 1)
    }
}
