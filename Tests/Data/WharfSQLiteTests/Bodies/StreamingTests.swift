import Testing
import WharfCache
import WharfCore
import WharfFakes
import WharfStorage

@testable import WharfSQLite

/// A large body between the origin, its reader and the disk.
@Suite struct StreamingTests {
    private let body = LargeBody.bytes(2 << 20)
    private let request = TransportRequest(
        HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: "/1"))

    private func cache(_ store: SQLiteCacheStore, _ incidents: IncidentLog) -> (CachingTransport, StubTransport) {
        let chunks = stride(from: 0, to: body.count, by: 32_768).map { Array(body[$0..<$0 + 32_768]) }
        let origin = StubTransport { _ in
            StubAnswer(
                head: HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=60"]), chunks: chunks)
        }
        return (CachingTransport(origin, store: store, onIncident: incidents.handler), origin)
    }

    @Test func largeBodyIsWrittenWhileItIsRead() async throws {
        let folder = try Scratch()
        let incidents = IncidentLog()
        let store = try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler)
        let (cache, origin) = cache(store, incidents)
        var chunks = try await cache.send(request).body.makeAsyncIterator()
        for _ in 0..<20 { #expect(try await chunks.next(isolation: nil)?.count == 32_768) }
        let name = try #require(try folder.bodies.first)
        #expect(name.hasSuffix(".part"))
        let size = Disk.size(folder.path("cache.sqlite-bodies/\(name)"))
        // Ten pieces of 64 KiB, each with its checksum.
        #expect(size == 655_440)
        while try await chunks.next(isolation: nil) != nil {}
        #expect(try folder.bodies.map { $0.hasSuffix(".body") } == [true])

        var ranged = request
        ranged.head.headerFields[.range] = "bytes=1000000-1000009"
        let part = try await cache.send(ranged)
        #expect(part.head.status == .partialContent)
        #expect(try await part.body.collect() == Array(body[1_000_000...1_000_009]))
        #expect(try await cache.send(request).body.collect() == body)
        #expect(origin.requests.count == 1)
        #expect(incidents.all.isEmpty)
        try await store.close()
    }

    @Test func bodyAbandonedByItsReaderLeavesNoFile() async throws {
        let folder = try Scratch()
        let incidents = IncidentLog()
        let store = try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler)
        let (cache, _) = cache(store, incidents)
        do {
            var chunks = try await cache.send(request).body.makeAsyncIterator()
            for _ in 0..<20 { _ = try await chunks.next(isolation: nil) }
            #expect(try folder.bodies.count == 1)
        }
        #expect(try folder.bodies.isEmpty)
        #expect(incidents.all.isEmpty)
        try await store.close()
    }

    @Test func damagedBodyIsFetchedAgain() async throws {
        let folder = try Scratch()
        let incidents = IncidentLog()
        let store = try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler)
        let (cache, origin) = cache(store, incidents)
        #expect(try await cache.send(request).body.collect() == body)
        try folder.tamper("cache.sqlite", "UPDATE body_file SET token = token + 1")
        #expect(try await cache.send(request).body.collect() == body)
        #expect(origin.requests.count == 2)
        #expect(incidents.codes == [.entryDropped])
        try await store.close()
    }
}
