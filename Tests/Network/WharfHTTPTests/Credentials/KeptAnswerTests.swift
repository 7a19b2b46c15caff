import Testing
import WharfCore
import WharfFakes
import WharfHTTP

/// The stored responses that a client shows while the server accepts no credential.
struct KeptAnswerTests {
    private let request = Request<User>.get("users/1")

    /// A client whose cache has Ann if `isKept`. The network answers 401 with a reason.
    private func client(
        _ tokens: any CredentialsProvider, isKept: Bool = true, account: Account? = Account("ann"),
        policy: ReadPolicy = .standard
    ) throws -> (APIClient, StubTransport) {
        let script = StubTransport { request in
            guard request.cache == .storedOnly else { return .respond(.unauthorized, "signed out") }
            return isKept ? .ann : .failure(.nothingKept)
        }
        let cache = Marked(script) { request, provenance in
            guard request.cache == .storedOnly else { return }
            provenance = Provenance(source: .httpCache, asOf: WallTime(secondsSince1970: 7))
        }
        let environment = try APIEnvironment("https://api.example.com")
        let client = APIClient(
            environment: environment, transport: cache,
            middleware: [AuthenticationMiddleware(tokens, for: environment)],
            account: account, policy: policy)
        return (client, script)
    }

    private func tokens(
        refresh: any Error = TestTokens.Expired(), credential: (any Error)? = nil
    ) throws -> TestTokens {
        let tokens = try TestTokens()
        tokens.set(failure: refresh)
        if let credential { tokens.set(absence: credential) }
        return tokens
    }

    @Test(arguments: [ReadPolicy.standard, .networkFirst, .cacheThenNetwork])
    func failedRefreshServesTheKeptAnswerBesideTheError(_ policy: ReadPolicy) async throws {
        let (client, script) = try client(tokens(), policy: policy)
        let snapshot = await client.snapshot(request)
        #expect(snapshot.value == .ann)
        #expect(snapshot.kept?.source == .httpCache)
        #expect(snapshot.error?.code == .credentialUnavailable)
        #expect(snapshot.error?.isAnswer == false)
        #expect((snapshot.error?.cause as? TransportError)?.cause is TestTokens.Expired)
        #expect(script.shown == ["Bearer 1", "Bearer 1"])
    }

    @Test(arguments: [ReadPolicy.standard, .networkFirst, .cacheThenNetwork, .networkOnly])
    func rejectedSignInIsAnsweredUnauthorizedWithoutKeptAnswer(_ policy: ReadPolicy) async throws {
        let (client, script) = try client(tokens(refresh: CredentialRejection(message: "revoked")), policy: policy)
        let snapshot = await client.snapshot(request)
        #expect(snapshot.kept == nil)
        #expect(snapshot.error?.code == .status)
        #expect(snapshot.error?.response?.status == .unauthorized)
        #expect(snapshot.error?.excerpt == Array("signed out".utf8))
        #expect(snapshot.error?.isAnswer == true)
        #expect(script.requests.count == 1)
    }

    @Test(arguments: [TestTokens.Expired() as any Error & Sendable, CredentialRejection(message: "revoked")])
    func unavailableFirstCredentialServesTheKeptAnswer(_ absence: any Error & Sendable) async throws {
        let (client, script) = try client(tokens(credential: absence))
        let snapshot = await client.snapshot(request)
        #expect(snapshot.value == .ann)
        #expect(snapshot.error?.code == .credentialUnavailable)
        #expect(script.requests.map(\.cache) == [.storedOnly])
        #expect(script.shown == [nil])
    }

    @Test func unavailableCredentialWithoutAccountServesNoKeptAnswer() async throws {
        let (client, script) = try client(tokens(credential: TestTokens.Expired()), account: nil)
        let snapshot = await client.snapshot(request)
        #expect(snapshot.kept == nil)
        #expect(snapshot.error?.code == .credentialUnavailable)
        #expect(script.requests.isEmpty)
    }

    @Test func cacheFirstServesTheKeptAnswerWithoutARefresh() async throws {
        let tokens = try tokens()
        let (client, script) = try client(tokens, policy: .cacheFirst)
        let snapshot = await client.snapshot(request)
        #expect(snapshot.value == .ann && snapshot.error == nil)
        #expect(script.requests.map(\.cache) == [.storedOnly])
        #expect(tokens.refreshes == 0)
    }

    @Test(arguments: [ReadPolicy.standard, .cacheFirst])
    func failedRefreshWithoutKeptAnswerIsTheErrorAlone(_ policy: ReadPolicy) async throws {
        let (client, _) = try client(tokens(), isKept: false, policy: policy)
        let snapshot = await client.snapshot(request)
        #expect(snapshot.kept == nil)
        #expect(snapshot.error?.code == .credentialUnavailable)
        #expect(snapshot.error?.response?.status == .unauthorized)
    }

    @Test func networkOnlyNeverServesTheKeptAnswer() async throws {
        let (client, script) = try client(tokens(), policy: .networkOnly)
        let snapshot = await client.snapshot(request)
        #expect(snapshot.kept == nil)
        #expect(snapshot.error?.code == .credentialUnavailable)
        #expect(script.requests.map(\.cache) == [.bypass])
    }

    @Test func unsafeRequestIsNeverAnsweredFromTheCache() async throws {
        let (client, script) = try client(tokens())
        let snapshot = await client.snapshot(Request<User>.delete("users/1", decoding: .json))
        #expect(snapshot.kept == nil)
        #expect(snapshot.error?.code == .credentialUnavailable)
        #expect(script.requests.count == 1)
    }

    @Test func refreshTimeoutServesTheKeptAnswer() async throws {
        let (clock, gate) = (TestClock(), Gate())
        let script = StubTransport { $0.cache == .storedOnly ? .ann : .respond(.unauthorized) }
        let cache = Marked(script) { request, provenance in
            if request.cache == .storedOnly { provenance.source = .httpCache }
        }
        let environment = try APIEnvironment("https://api.example.com")
        let tokens = try TestTokens(gate: gate)
        let client = APIClient(
            environment: environment, transport: cache,
            middleware: [AuthenticationMiddleware(tokens, for: environment, clock: clock)])
        async let snapshot = client.snapshot(request)
        await gate.arrivals()
        await clock.untilSleeping()
        clock.advance(by: .seconds(61))
        #expect(await snapshot.value == .ann)
        #expect(await snapshot.error?.code == .timedOut)
        gate.open()
    }

    @Test func keptUnauthorizedAnswerIsNeverServed() async throws {
        let cache = Marked(StubTransport { _ in .respond(.unauthorized, "kept") }) { request, provenance in
            if request.cache == .storedOnly { provenance.source = .httpCache }
        }
        let environment = try APIEnvironment("https://api.example.com")
        let client = APIClient(
            environment: environment, transport: cache,
            middleware: [AuthenticationMiddleware(try tokens(), for: environment)])
        #expect(await client.snapshot(request).error?.code == .credentialUnavailable)
    }

    @Test func observerKeepsItsValueUnlessTheSignInIsRejected() async throws {
        for (failure, last) in [
            (TestTokens.Expired() as any Error, User?.some(.ann)), (CredentialRejection(message: "revoked"), nil),
        ] {
            let (client, _) = try client(tokens(refresh: failure))
            var values: [User?] = []
            for await snapshot in client.observe(request) { values.append(snapshot.value) }
            #expect(values == [.ann, last])
        }
    }
}
