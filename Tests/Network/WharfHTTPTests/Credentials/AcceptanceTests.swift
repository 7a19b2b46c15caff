import Synchronization
import Testing
import WharfCore
import WharfFakes
import WharfHTTP

/// The middleware reports when the server accepts a different credential.
struct AcceptanceTests {
    private struct Provider: CredentialsProvider {
        let current: @Sendable () -> Credential?
        func credential() async throws -> Credential? { current() }
        func refresh(_ rejected: Credential) async throws -> Credential { throw CredentialRejection(message: "ended") }
    }

    private final class Current: Sendable {
        let credential = Mutex<Credential?>(nil)
        let reported = Mutex(0)
    }

    /// Sends requests, each with its credential, and returns the number of reports.
    private func reported(_ requests: [(Credential?, HTTPResponse.Status)]) async throws -> Int {
        let current = Current()
        let answers = Mutex(requests.map(\.1)[...])
        let network = StubTransport { _ in .respond(answers.withLock { $0.popFirst() } ?? .ok) }
        let environment = try APIEnvironment("https://api.example.com")
        let provider = Provider { current.credential.withLock { $0 } }
        let client = APIClient(
            environment: environment, transport: network,
            middleware: [
                AuthenticationMiddleware(provider, for: environment) { current.reported.withLock { $0 += 1 } }
            ])
        for (credential, _) in requests {
            current.credential.withLock { $0 = credential }
            _ = await client.snapshot(.get("notes", decoding: .text))
        }
        return current.reported.withLock { $0 }
    }

    @Test func newCredentialAcceptedAfterARefusalIsReported() async throws {
        let (old, new) = (try Credential.bearer("old"), try Credential.bearer("new"))
        #expect(try await reported([(old, .ok), (old, .unauthorized), (new, .ok), (new, .ok)]) == 1)
        // The same after a time without a credential.
        #expect(try await reported([(old, .unauthorized), (nil, .unauthorized), (new, .ok)]) == 1)
    }

    /// One path may refuse a credential that others accept.
    @Test func refusedCredentialAcceptedElsewhereIsNotReported() async throws {
        let old = try Credential.bearer("old")
        #expect(try await reported([(old, .unauthorized), (old, .ok), (old, .unauthorized), (old, .ok)]) == 0)
    }

    @Test func answerThatChecksNoCredentialIsNotReported() async throws {
        let (old, new) = (try Credential.bearer("old"), try Credential.bearer("new"))
        let others: [HTTPResponse.Status] = [.tooManyRequests, .serviceUnavailable, .requestTimeout]
        #expect(try await reported([(old, .unauthorized)] + others.map { (new, $0) }) == 0)
        #expect(try await reported([(old, .unauthorized), (new, .serviceUnavailable), (new, .notFound)]) == 1)
    }
}
