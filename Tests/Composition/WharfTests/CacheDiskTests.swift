#if os(Linux)
import LiveTransport
import Testing
import Wharf
import WharfCache
import WharfFakes
import WharfSQLite
import WharfStorage
import WharfTestServer

/// A cache file on a disk that is full or read-only, over real sockets.
@Suite(.enabled(if: SmallDisk.isAvailable, "the system mounts no file system for this user"))
struct CacheDiskTests {
    private let incidents = IncidentLog()

    private func read(
        _ path: String, _ server: TestServer, _ store: any CacheStore
    ) async throws -> (text: String, source: Source) {
        let transport = CachingTransport(liveTransport(), store: store, onIncident: incidents.handler)
        let request = HTTPRequest(method: .get, scheme: "http", authority: server.authority, path: path)
        let response = try await transport.send(TransportRequest(request))
        return (String(decoding: try await response.body.collect(), as: UTF8.self), response.provenance.source)
    }

    @Test func fullDiskKeepsNoNewAnswerAndServesTheStoredOnes() async throws {
        try await TestServer.run { server in
            let long = String(repeating: "x", count: 300_000)
            server.route(.get, "/:n") { .text("\($0.parameters["n"] ?? "") \(long)").maxAge(600) }
            let disk = try SmallDisk(megabytes: 4)
            defer { disk.unmount() }
            let store = try await SQLiteCacheStore.open(
                at: disk.path + "/cache.sqlite", onIncident: incidents.handler)
            #expect(try await read("/1", server, store).source == .network)
            #expect(try await read("/1", server, store) == ("1 \(long)", .httpCache))
            try disk.fill()
            #expect(incidents.codes.isEmpty)
            for _ in 0..<2 { #expect(try await read("/2", server, store) == ("2 \(long)", .network)) }
            #expect(Set(incidents.codes) == [.storeFailed])
            #expect(try await read("/1", server, store) == ("1 \(long)", .httpCache))
            disk.makeRoom()
            #expect(try await read("/2", server, store).source == .network)
            #expect(try await read("/2", server, store) == ("2 \(long)", .httpCache))
            try await store.close()
        }
    }

    @Test func readOnlyDiskIsUnavailableAndTheStackReadsWithoutIt() async throws {
        try await TestServer.run { server in
            server.route(.get, "/1", .text("hello").maxAge(600))
            let disk = try SmallDisk(megabytes: 4)
            defer { disk.unmount() }
            let path = disk.path + "/cache.sqlite"
            let store = try await SQLiteCacheStore.open(at: path, onIncident: incidents.handler)
            #expect(try await read("/1", server, store).source == .network)
            try await store.close()
            try disk.protect()
            let error = await #expect(throws: StoreError.self) {
                try await SQLiteCacheStore.open(at: path, onIncident: incidents.handler)
            }
            #expect(error?.code == .unavailable, "\(error?.message ?? "")")
            #expect(error?.message.contains(path) == true, "\(error?.message ?? "")")
            #expect(incidents.codes.isEmpty)

            var configuration = WharfStack.Configuration(baseURL: server.baseURL, cache: .file(path))
            configuration.onIncident = incidents.handler
            let stack = try await WharfStack.live(configuration)
            #expect(incidents.codes == [.storeUnavailable])
            #expect(stack.cachePath == nil)
            let kept = try await stack.client.fetch(Request(.get, .path("1"), decoding: .text))
            #expect(kept.value == "hello")
            await stack.close()
        }
    }
}
#endif
