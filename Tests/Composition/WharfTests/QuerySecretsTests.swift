import Testing
import Wharf
import WharfChecks
import WharfFakes
import WharfTestServer

/// Errors are logged, and URL queries may contain keys.
struct QuerySecretsTests {
    private static let paths = [
        "undecodable", "missing", "cut", "garbage", "dropped", "loop", "elsewhere", "nowhere", "escape", "large",
    ]

    private static func script(_ server: TestServer) {
        server.route(.get, "/undecodable", .json("{"))
        server.route(.get, "/cut", TestResponse.text("hello").truncated(after: 2))
        server.route(.get, "/garbage", .raw(Array("nonsense\r\n\r\n".utf8)))
        server.route(.get, "/dropped", .dropped)
        server.route(.get, "/loop", .redirect(to: "/loop?token=hunter2"))
        server.route(.get, "/elsewhere", .redirect(to: "ftp://h/?token=hunter2"))
        server.route(.get, "/nowhere", .redirect(to: "http://?token=hunter2"))
        server.route(.get, "/escape", .redirect(to: "/a%zz?token=hunter2"))
        server.route(.get, "/large", .text(String(repeating: "1", count: 1000)))
    }

    /// An error and its causes as in a log.
    private static func reported(_ failure: ReadFailure) -> String {
        var reported = "\(failure)"
        var cause = failure.cause
        while let error = cause {
            reported += " \(error)"
            cause = (error as? TransportError)?.cause ?? (error as? ReadFailure)?.cause
        }
        return reported
    }

    @Test(arguments: paths)
    func aFailureShowsNoValueOfTheQuery(path: String) async throws {
        try await TestServer.run { server in
            Self.script(server)
            let incidents = IncidentLog()
            var configuration = WharfStack.Configuration(baseURL: server.baseURL, cache: .memory(), retry: .never)
            configuration.onIncident = incidents.handler
            let stack = try await WharfStack.live(configuration)
            var request = Request<[Int]>.get(RequestPath(path), query: ["token": "hunter2"])
            request.maximumBodyBytes = 100
            let failure = try #require(await stack.client.snapshot(request).error)
            await stack.close()
            #expect(!Self.reported(failure).contains("hunter2"), "\(Self.reported(failure))")
            for incident in incidents.all { #expect(!incident.message.contains("hunter2")) }
        }
    }

    @Test func connectionFailureIsReportedWithoutQueryValues() async throws {
        try await TestServer.run { server in
            let stack = try await WharfStack.live(.init(baseURL: server.baseURL, cache: .memory(), retry: .never))
            await server.stop()
            let request = Request<[Int]>.get("x", query: ["token": "hunter2"])
            let failure = try #require(await stack.client.snapshot(request).error)
            await stack.close()
            #expect(Self.reported(failure).contains("token=***"))
            #expect(!Self.reported(failure).contains("hunter2"), "\(Self.reported(failure))")
        }
    }

    @Test func aStackReadsFilesByTheTransportOfThePlatform() async throws {
        try await TemporaryFolder.run { folder in
            try folder.write("[1, 2]", "numbers.json")
            let stack = try await WharfStack.live(.init(baseURL: "file://" + folder[""], cache: .memory()))
            let numbers: [Int] = try await stack.client.fetch(.get("numbers.json")).value
            await stack.close()
            #expect(numbers == [1, 2])
        }
    }
}
