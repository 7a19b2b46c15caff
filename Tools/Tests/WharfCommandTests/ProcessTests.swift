import Foundation
import Testing
import Wharf
import WharfChecks
import WharfFakes
import WharfTestServer

/// The built binary as a child process.
@Suite(.serialized)
struct ProcessTests {
    @Test func cachedAnswerIsServedWhenTheServerIsGone() async throws {
        let folder = try TemporaryFolder()
        let caches = ["XDG_CACHE_HOME": folder.path("caches"), "HOME": folder.path("home")]
        try await TestServer.run { server in
            server.route(.get, "/users/1", .json("{\"id\": 1}").maxAge(0))
            let url = "\(server.baseURL)/users/1"
            let first = try await Child.run(["get", url], environment: caches)
            #expect(first.status == 0)
            #expect(first.output == Data("{\"id\": 1}".utf8))
            await server.stop()
            let second = try await Child.run(["get", url], environment: caches)
            #expect(second.status == 0)
            #expect(second.output == first.output)
            #expect(second.error.contains("from the HTTP cache"))
            #expect(second.error.contains("the refresh failed"))
            let strict = try await Child.run(["get", url, "--strict"], environment: caches)
            #expect(strict.status == 3)
            let only = try await Child.run(["get", url, "--policy", "network-only"], environment: caches)
            #expect(only.status == 7)
            #expect(only.output.isEmpty)
            #if !os(macOS)
            #expect(FileManager.default.fileExists(atPath: folder.path("caches/wharf/cache.sqlite")))
            #endif
        }
    }

    @Test func usageErrorExitsWith64() async throws {
        let result = try await Child.run(["get", "http://127.0.0.1:1/", "--policy", "fast"])
        #expect(result.status == 64)
        #expect(result.error.contains("--policy"))
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func aSignalLeavesNoFile(signal: Int32) async throws {
        let folder = try TemporaryFolder()
        try await TestServer.run { server in
            let gate = Gate()
            let body = [UInt8](repeating: 65, count: 2_000_000)
            server.route(.get, "/big", TestResponse(body: body).heldInBody(after: 1_200_000) { await gate.pass() })
            let child = Child([
                "get", "\(server.baseURL)/big", "-o", folder.path("out"), "--cache", folder.path("cache.sqlite"),
            ])
            await gate.arrivals(1)
            // The temporary file appears once the child has read some of the bytes sent.
            while try folder.names().isEmpty { try await Task.sleep(for: .milliseconds(1)) }
            let meanwhile = try folder.names()
            #expect(meanwhile.count == 1)
            child.signal(signal)
            let result = try await child.end()
            #expect(!result.wasSignalled)
            #expect(result.status == 128 + signal)
            #expect(result.error.contains("cancelled"))
            let left = try folder.names()
            #expect(left == [])
            gate.open()
        }
    }

    @Test func aKilledDownloadLeavesTheOldFile() async throws {
        let folder = try TemporaryFolder()
        try folder.write("before", to: "out")
        try await TestServer.run { server in
            let gate = Gate()
            let body = [UInt8](repeating: 65, count: 2_000_000)
            server.route(.get, "/big", TestResponse(body: body).heldInBody(after: 1_200_000) { await gate.pass() })
            let arguments = [
                "get", "\(server.baseURL)/big", "-o", folder.path("out"), "--cache", folder.path("cache.sqlite"),
            ]
            let child = Child(arguments)
            await gate.arrivals(1)
            child.signal(SIGKILL)
            let killed = try await child.end()
            let contents = try folder.contents("out")
            #expect(killed.wasSignalled && contents == "before")
            gate.open()
            let again = try await Child.run(arguments)
            #expect(again.status == 0)
            let whole = try folder.contents("out")
            #expect(whole.utf8.count == body.count)
        }
    }

    @Test func closedOutputPipeEndsTheCommandQuietly() async throws {
        let folder = try TemporaryFolder()
        try await TestServer.run { server in
            server.route(.get, "/big", TestResponse(body: [UInt8](repeating: 65, count: 3_000_000)))
            let result = try await Child.shell(
                """
                { "$WHARF" get \(server.baseURL)/big --cache '\(folder.path("cache.sqlite"))'; echo "exit $?" >&2; } \
                | head -c 10
                """)
            #expect(result.output.count == 10)
            #expect(result.error.contains("exit 0"))
            #expect(!result.error.lowercased().contains("pipe"))
        }
    }
}
