#if SQLite && os(Linux)
import Foundation
import Glibc
import LiveTransport
import Testing
import Wharf
import WharfChecks
import WharfFakes
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
            let outbox = OutboxEngine(
                store: SQLiteWriteStore(file, uptime: clock.uptime), destinations: [HTTPDestination("api", client)],
                uptime: clock.uptime, timer: clock, onIncident: incidents.handler)
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

private struct SmallDisk {
    static let isAvailable: Bool = {
        guard geteuid() == 0, let disk = try? SmallDisk(megabytes: 1) else { return false }
        disk.unmount()
        return true
    }()

    struct Failure: Error {}

    let path: String
    private var filler: String { path + "/filler" }

    init(megabytes: Int) throws {
        path = NSTemporaryDirectory() + "/wharf-disk-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(megabytes)m") == 0 else {
            try? FileManager.default.removeItem(atPath: path)
            throw Failure()
        }
    }

    func fill() throws {
        let file = open(filler, O_WRONLY | O_CREAT, 0o600)
        guard file >= 0 else { throw Failure() }
        defer { close(file) }
        let page = [UInt8](repeating: 0, count: 4_096)
        while write(file, page, page.count) > 0 {}
    }

    func makeRoom() { unlink(filler) }

    func unmount() {
        umount2(path, Int32(MNT_DETACH))
        try? FileManager.default.removeItem(atPath: path)
    }
}
#endif
