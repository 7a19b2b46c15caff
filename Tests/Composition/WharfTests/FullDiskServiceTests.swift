#if os(Linux)
import LiveTransport
import Testing
import Wharf
import WharfChecks
import WharfFakes
import WharfSQLite
import WharfStorage
import WharfTestServer

/// An outbox on a disk that is really full: a small file system in memory, which only root may
/// mount.
@Suite(.enabled(if: SmallDisk.isAvailable, "the system mounts no file system for this user"))
struct FullDiskServiceTests {
    private let clock = TestClock()

    /// Without leases in memory, no entry would be sent.
    @Test func entriesAreSentAndAreSettledOnceThereIsRoom() async throws {
        try await TestServer.run { server in
            server.route(.post, "/notes/:id") { _ in .status(.ok) }
            let disk = try SmallDisk(megabytes: 2)
            defer { disk.unmount() }
            let file = try await SQLiteDataFile.open(at: disk.path + "/data.sqlite")
            let client = APIClient(
                environment: try APIEnvironment(server.baseURL), transport: liveTransport(connections: 64))
            let incidents = IncidentLog()
            var configuration = OutboxEngine.Configuration(uptime: clock.uptime, timer: clock)
            configuration.onIncident = incidents.handler
            let outbox = OutboxEngine(
                store: SQLiteWriteStore(file, uptime: clock.uptime), destinations: [HTTPDestination("api", client)],
                configuration: configuration)
            try await outbox.enqueue((0..<60).map { entry("\($0)", lane: $0 % 20, outbox) }, changing: [])
            try disk.fill()
            await #expect {
                try await outbox.enqueue(entry(String(repeating: "x", count: 100_000), lane: 0, outbox))
            } throws: { ($0 as? StoreError)?.code == .full }
            outbox.start()
            await waitUntil { server.requests.count == 60 }
            #expect(incidents.codes.contains(.leasesInMemory))
            #expect(try await outbox.store.counts(of: nil).pending.values.reduce(0, +) > 0)
            disk.makeRoom()
            try await waitUntil {
                // Advances to the next commit attempt, but not so far that a lease expires.
                if let next = clock.nextDeadline, next <= clock.now.advanced(by: .seconds(15)) {
                    clock.advance(to: next)
                }
                return try await outbox.store.counts(of: nil).pending.isEmpty
            }
            await outbox.close()
            #expect(server.requests.count == 60)
            try await file.close()
        }
    }

    private func entry(_ body: String, lane: Int, _ outbox: OutboxEngine) -> OutboxEntry {
        OutboxRequest(.post, "notes/\(lane)", body: Array(body.utf8))
            .entry(outbox.newID(), lane: "\(lane)", to: "api", at: clock.wall.now())
    }
}
#endif
