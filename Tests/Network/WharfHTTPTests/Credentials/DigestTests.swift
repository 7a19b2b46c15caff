import Synchronization
import Testing
import WharfCore
import WharfFakes
import WharfHTTP

/// A minimal scheme like Digest (RFC 7616), which needs the request and the server's challenge. The
/// answer is no hash, but the text that would be hashed.
struct DigestTests {
    private final class DigestSignIn: CredentialsProvider {
        private struct State {
            var nonce: String?
            var count = 0
        }

        private let password: String
        private let state = Mutex(State())

        init(password: String) { self.password = password }

        func credential() -> Credential? { nil }

        func credential(for request: HTTPRequest) throws -> Credential? {
            let known = state.withLock { state -> (String, Int)? in
                state.count += 1
                return state.nonce.map { ($0, state.count) }
            }
            guard let (nonce, count) = known else { return nil }
            let path = request.path ?? "/"
            let response = "\(password):\(nonce):\(count):\(request.method):\(path)"
            return try Credential(
                authorization: "Digest nonce=\"\(nonce)\", nc=\(count), uri=\"\(path)\", response=\"\(response)\"")
        }

        func refresh(_ rejected: Credential) throws -> Credential {
            throw CredentialRejection(message: "expected a challenge")
        }

        func refresh(after refusal: CredentialRefusal) throws -> Credential {
            let challenge = refusal.challenges.first { $0.scheme == "digest" }
            guard let challenge, let nonce = challenge.parameters["nonce"],
                refusal.credential == nil || challenge.parameters["stale"] == "true"
            else { throw CredentialRejection(message: "the password is taken no more") }
            state.withLock { $0.nonce = nonce }
            guard let credential = try credential(for: refusal.request) else {
                throw CredentialRejection(message: "expected a nonce")
            }
            return credential
        }
    }

    /// An origin that accepts a nonce for a while, and each answer once.
    private final class DigestOrigin: Sendable {
        private struct State {
            var nonce = 1
            var seen: Set<String> = []
        }

        private let state = Mutex(State())

        func expire() { state.withLock { $0.nonce += 1 } }

        func answer(_ request: TransportRequest) -> StubAnswer {
            state.withLock { state in
                let sent = request.head.headerFields[.authorization] ?? ""
                let parameters = Self.parameters(of: sent)
                let nonce = "n\(state.nonce)"
                let expected =
                    "secret:\(nonce):\(parameters["nc"] ?? ""):\(request.head.method):\(request.head.path ?? "")"
                let isNew = state.seen.insert(sent).inserted
                if parameters["response"] == expected, isNew { return .ok("yes") }
                let stale = parameters["nonce"].map { $0 != nonce } ?? false
                let field = "Basic realm=\"r\", Digest realm=\"r\", nonce=\"\(nonce)\", stale=\(stale)"
                return .respond(.unauthorized, fields: [.wwwAuthenticate: field], "no")
            }
        }

        /// The field has the syntax of a challenge.
        private static func parameters(of authorization: String) -> [String: String] {
            let response = HTTPResponse(status: .unauthorized, headerFields: [.wwwAuthenticate: authorization])
            return response.authenticationChallenges.first?.parameters ?? [:]
        }
    }

    private let origin = DigestOrigin()
    private let base: StubTransport

    init() {
        let origin = origin
        base = StubTransport { origin.answer($0) }
    }

    private func transport(_ provider: any CredentialsProvider) throws -> any Transport {
        base.wrapped(in: [AuthenticationMiddleware(provider, for: try APIEnvironment("https://api.example.com"))])
    }

    @Test func theFirstChallengeIsAnsweredAndTheNextRequestNeedsNone() async throws {
        let transport = try transport(DigestSignIn(password: "secret"))
        #expect(try await transport.send(.api("/a?x=1")).head.status == .ok)
        #expect(base.requests.count == 2)
        #expect(try await transport.send(.api("/b", .put)).head.status == .ok)
        #expect(base.requests.count == 3)
        #expect(base.shown.first == .some(nil))
    }

    @Test func aStaleNonceIsReplaced() async throws {
        let transport = try transport(DigestSignIn(password: "secret"))
        _ = try await transport.send(.api("/a"))
        origin.expire()
        #expect(try await transport.send(.api("/b")).head.status == .ok)
        #expect(base.requests.count == 4)
    }

    @Test func theWrongPasswordIsARefusal() async throws {
        let transport = try transport(DigestSignIn(password: "guessed"))
        #expect(try await transport.send(.api("/a")).head.status == .unauthorized)
        #expect(try await transport.send(.api("/a")).head.status == .unauthorized)
        #expect(base.requests.count == 3)
    }

    @Test func concurrentRequestsAllAuthenticate() async throws {
        let transport = try transport(DigestSignIn(password: "secret"))
        let right = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<20 {
                group.addTask {
                    do { return try await transport.send(.api("/\(index % 4)")).head.status == .ok } catch {
                        return false
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(right == 20)
    }

    private struct Unreachable: CredentialsProvider {
        struct Failure: Error {}

        func credential() -> Credential? { nil }
        func refresh(_ rejected: Credential) throws -> Credential { throw Failure() }
        func refresh(after refusal: CredentialRefusal) throws -> Credential { throw Failure() }
    }

    /// A response that is stored without an account may differ from the one that this user would
    /// get.
    @Test(arguments: [nil, Account("ann")])
    func unreachableSignInServesKeptAnswerToAnAccountOnly(account: Account?) async throws {
        let origin = origin
        let script = StubTransport { $0.cache == .storedOnly ? .ok("kept") : origin.answer($0) }
        let base = Marked(script) { request, provenance in
            if request.cache == .storedOnly { provenance.source = .httpCache }
        }
        let transport = base.wrapped(in: [
            AuthenticationMiddleware(Unreachable(), for: try APIEnvironment("https://api.example.com"))
        ])
        var request = TransportRequest.api("/a")
        request.account = account
        do {
            #expect(try await transport.send(request).head.status == .ok && account != nil)
        } catch {
            #expect(error.code == .credentialUnavailable && account == nil)
        }
    }

    @Test func challengeIsNotRetriedIfTheProviderIgnoresIt() async throws {
        let tokens = try TestTokens(nil)
        #expect(try await transport(tokens).send(.api("/a")).head.status == .unauthorized)
        #expect(base.requests.count == 1)
        #expect(tokens.refreshes == 0)
    }
}
