import Synchronization
import Testing
import Wharf
import WharfTestServer

/// A stack for a service that requires a credential.
struct StackCredentialsTests {
    private struct Note: Codable, Sendable, Equatable, Identifiable {
        let id: Int
        let text: String
    }

    private struct Unreachable: Error {}

    private final class Tokens: CredentialsProvider {
        private let state: Mutex<(current: String, renewed: Result<String, any Error>, refreshes: Int)>

        init(_ current: String, renewed: Result<String, any Error> = .failure(Unreachable())) {
            state = Mutex((current, renewed, 0))
        }

        var refreshes: Int { state.withLock { $0.refreshes } }

        func set(_ current: String, renewed: Result<String, any Error> = .failure(Unreachable())) {
            state.withLock { state in
                state.current = current
                state.renewed = renewed
            }
        }

        func credential() async throws -> Credential? { try .bearer(state.withLock { $0.current }) }

        func refresh(_ rejected: Credential) async throws -> Credential {
            let renewed = state.withLock { state in
                state.refreshes += 1
                return state.renewed
            }
            let token = try renewed.get()
            state.withLock { $0.current = token }
            return try .bearer(token)
        }
    }

    @Test func failedRefreshKeepsTheCachedValueAndARejectionDoesNot() async throws {
        try await TestServer.run { server in
            server.route(.get, "/notes/1") { request in
                request.fields[.authorization] == "Bearer good"
                    ? .json(#"{"id": 1, "text": "kept"}"#).maxAge(0).etag("\"1\"") : .status(.unauthorized)
            }
            let tokens = Tokens("good")
            var configuration = WharfStack.Configuration(
                baseURL: server.baseURL, account: Account("ada"), cache: .memory(), retry: .never)
            configuration.credentials = tokens
            let stack = try await WharfStack.live(configuration)
            let request = Request<Note>.get("notes/1")
            let read = await stack.client.snapshot(request)
            tokens.set("old")
            let failed = await stack.client.snapshot(request)
            tokens.set("old", renewed: .failure(CredentialRejection(message: "revoked")))
            let rejected = await stack.client.snapshot(request)
            let cacheFirst = await stack.client.snapshot(request, policy: .cacheFirst)
            tokens.set("old", renewed: .success("good"))
            let renewed = await stack.client.snapshot(request)
            await stack.close()

            #expect(read.value?.text == "kept" && read.error == nil)
            #expect(failed.value?.text == "kept" && failed.kept?.source == .httpCache)
            #expect(failed.error?.code == .credentialUnavailable)
            #expect((failed.error?.cause as? TransportError)?.cause is Unreachable)
            #expect(rejected.kept == nil && rejected.error?.response?.status == .unauthorized)
            #expect(rejected.error?.isAnswer == true)
            #expect(cacheFirst.value?.text == "kept" && cacheFirst.error == nil)
            #expect(renewed.value?.text == "kept" && renewed.kept?.source == .revalidated && renewed.error == nil)
            #expect(tokens.refreshes == 3)
        }
    }

    @Test func repositoryKeepsItsValueOnAFailedRefreshOnly() async throws {
        try await TestServer.run { server in
            server.route(.get, "/notes/1") { request in
                request.fields[.authorization] == "Bearer good"
                    ? .json(#"{"id": 1, "text": "kept"}"#).cacheControl("no-store") : .status(.unauthorized)
            }
            let tokens = Tokens("good")
            var configuration = WharfStack.Configuration(
                baseURL: server.baseURL, account: Account("ada"), cache: .memory(), retry: .never)
            configuration.credentials = tokens
            let stack = try await WharfStack.live(configuration)
            let notes = stack.repository(at: "notes", payload: Note.self) { $0 }
            _ = try await notes.get(id: 1)
            tokens.set("old")
            let failed = await notes.snapshot(id: 1)
            tokens.set("old", renewed: .failure(CredentialRejection(message: "revoked")))
            let rejected = await notes.snapshot(id: 1)
            await stack.close()
            #expect(failed.value?.text == "kept" && failed.error?.code == .credentialUnavailable)
            #expect(rejected.kept == nil && rejected.error?.response?.status == .unauthorized)
        }
    }

    @Test func eachAttemptSendsTheCurrentCredential() async throws {
        try await TestServer.run { server in
            let tokens = Tokens("first")
            server.route(.get, "/notes/1") { request in
                guard request.fields[.authorization] == "Bearer second" else {
                    tokens.set("second")
                    return .status(.serviceUnavailable)
                }
                return .json(#"{"id": 1, "text": "read"}"#)
            }
            var configuration = WharfStack.Configuration(
                baseURL: server.baseURL, cache: .memory(), retry: RetryPolicy(attempts: 2, base: .zero, cap: .zero))
            configuration.credentials = tokens
            let stack = try await WharfStack.live(configuration)
            let note: Note = try await stack.client.fetch(.get("notes/1")).value
            await stack.close()
            #expect(note.text == "read")
            #expect(tokens.refreshes == 0)
        }
    }

    @Test func anotherOriginSeesNoCredential() async throws {
        try await TestServer.run { server in
            try await TestServer.run { other in
                other.route(.get, "/notes/1", .json(#"{"id": 1, "text": "read"}"#))
                var configuration = WharfStack.Configuration(baseURL: server.baseURL, cache: .memory())
                configuration.credentials = Tokens("secret")
                let stack = try await WharfStack.live(configuration)
                let request = Request<Note>(.get, .url("\(other.baseURL)/notes/1"), decoding: .json)
                _ = try await stack.client.fetch(request)
                await stack.close()
                #expect(other.requests.map { $0.fields[.authorization] } == [nil])
            }
        }
    }
}
