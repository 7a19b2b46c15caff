import LiveTransport
import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfHTTP
import WharfTestServer

/// Uploads and downloads over a real connection.
struct TransferServerTests {
    private static let film = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

    private func client(_ server: TestServer, _ tokens: (any CredentialsProvider)? = nil) throws -> APIClient {
        let environment = try APIEnvironment(server.baseURL)
        return APIClient(
            environment: environment, transport: RedirectingTransport(liveTransport()),
            middleware: tokens.map { [AuthenticationMiddleware($0, for: environment)] } ?? [])
    }

    private func upload(_ body: RequestBody, _ method: HTTPRequest.Method = .put) -> Request<Void> {
        Request(method, .path("films/1"), fields: [.contentType: "video/mp4"], body: body, decoding: .ignored)
    }

    @Test func aFileArrivesWithItsLengthAndItsProgressEndsAtTheTotal() async throws {
        try await TestServer.run { server in
            server.route(.put, "/films/1", .status(.noContent))
            try await TemporaryFolder.contents { folder in
                try folder.write(Self.film, "film")
                let steps = Mutex<[TransferProgress]>([])
                let body = try RequestBody.file(folder["film"]).reporting { step in steps.withLock { $0.append(step) } }
                _ = try await client(server).fetch(upload(body))
                let seen = try await server.request(1)
                #expect(seen.body == Self.film)
                #expect(seen.fields[.contentLength] == "3000000" && seen.fields[.contentType] == "video/mp4")
                let reported = steps.withLock { $0 }
                #expect(reported.first == TransferProgress(completed: 0, total: 3_000_000))
                #expect(reported.last == TransferProgress(completed: 3_000_000, total: 3_000_000))
                #expect(reported.map(\.completed) == reported.map(\.completed).sorted())
                #expect(reported.count > 3)
                #expect(try folder.openFiles().isEmpty)
            }
        }
    }

    @Test func aFileIsSentAgainAfterARefusalAndARedirect() async throws {
        try await TestServer.run { server in
            server.route(.put, "/films/1", .redirect(to: "/moved", status: .temporaryRedirect))
            server.route(.put, "/moved") { request in
                .status(request.fields[.authorization] == "Bearer 2" ? .noContent : .unauthorized)
            }
            try await TemporaryFolder.contents { folder in
                let bytes = Array(Self.film[..<100_000])
                try folder.write(bytes, "film")
                let steps = Mutex<[Int64]>([])
                let body = try RequestBody.file(folder["film"]).reporting { step in
                    steps.withLock { $0.append(step.completed) }
                }
                _ = try await client(server, try TestTokens()).fetch(upload(body))
                #expect(server.requests.map(\.path) == ["/films/1", "/moved", "/films/1", "/moved"])
                #expect(server.requests.allSatisfy { $0.body == bytes })
                #expect(steps.withLock { $0.filter { $0 == 0 }.count } == 4)
                #expect(steps.withLock { $0.last } == 100_000)
            }
        }
    }

    @Test func theServerGetsTheFormAndItsLength() async throws {
        try await TestServer.run { server in
            server.route(.post, "/films", .json(#"{"id": 1, "name": "Ann"}"#))
            try await TemporaryFolder.contents { folder in
                try folder.write(Self.film, "film")
                var form = MultipartForm()
                form.append("title", "Metropolis")
                try form.append("film", file: folder["film"])
                let steps = Mutex<[TransferProgress]>([])
                let made: User = try await client(server).fetch(
                    .post("films", multipart: form) { step in steps.withLock { $0.append(step) } }
                ).value
                #expect(made == .ann)
                let seen = try await server.request(1)
                let parts = try FormParser.parts(seen.body, contentType: seen.fields[.contentType] ?? "")
                #expect(parts.map(\.body) == [Array("Metropolis".utf8), Self.film])
                #expect(seen.fields[.contentLength] == String(seen.body.count))
                let count = Int64(seen.body.count)
                #expect(steps.withLock { $0.last } == TransferProgress(completed: count, total: count))
            }
        }
    }

    @Test func aDownloadIsTheServersBytesAndItsProgressEndsAtTheTotal() async throws {
        try await TestServer.run { server in
            server.route(.get, "/film", TestResponse(body: Self.film))
            var steps: [TransferProgress] = []
            let contents = try await TemporaryFolder.contents { folder in
                let done = try await client(server).download(
                    Request<Void>.get("film", decoding: .ignored), to: folder["film"]
                ) { steps.append($0) }
                #expect(done.byteCount == 3_000_000)
            }
            #expect(contents == ["film": Self.film])
            #expect(steps.first == TransferProgress(completed: 0, total: 3_000_000))
            #expect(steps.last == TransferProgress(completed: 3_000_000, total: 3_000_000))
            #expect(steps.map(\.completed) == steps.map(\.completed).sorted())
        }
    }

    @Test func aConnectionThatBreaksHalfWayLeavesTheOldFile() async throws {
        try await TestServer.run { server in
            server.route(.get, "/film", TestResponse(body: Self.film).truncated(after: 1_000_000))
            let contents = try await TemporaryFolder.contents { folder in
                try folder.write("old", "film")
                let error = await #expect(throws: ReadFailure.self) {
                    try await client(server).download(
                        Request<Void>.get("film", decoding: .ignored), to: folder["film"])
                }
                #expect(error?.code == .connectionLost)
                #expect(error?.response?.status == .ok)
            }
            #expect(contents == ["film": Array("old".utf8)])
        }
    }

    @Test func aDownloadCancelledHalfWayClosesTheConnectionAndLeavesNothing() async throws {
        try await TestServer.run { server in
            let (reached, never) = (Gate(), Gate())
            server.route(
                .get, "/film", TestResponse(body: Self.film).heldInBody(after: 1_000_000) { await never.pass() })
            let contents = try await TemporaryFolder.contents { folder in
                let client = try client(server)
                let path = folder["film"]
                let task = Task {
                    try await client.download(Request<Void>.get("film", decoding: .ignored), to: path) { step in
                        guard step.completed == 1_000_000 else { return }
                        Task { await reached.pass() }
                    }
                }
                await reached.arrivals()
                #expect(try folder.contents().values.map(\.count) == [1_000_000])
                task.cancel()
                let error = await #expect(throws: ReadFailure.self) { try await task.value }
                #expect(error?.code == .cancelled)
                #expect(try folder.openFiles().isEmpty)
                #expect(try await server.outcome(of: 1) == .disconnected)
            }
            reached.open()
            #expect(contents.isEmpty)
        }
    }
}
