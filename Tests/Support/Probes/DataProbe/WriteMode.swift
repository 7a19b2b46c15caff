import WharfCore
import WharfKillHarness
import WharfSQLite
import WharfStorage

/// Commits until it is killed.
struct WriteMode {
    let path: String
    let seed: Int64
    let halt: (label: String, times: Int)?

    func run() async throws {
        let steps = ProbeProcess.Steps(haltingAt: halt)
        let probe = SQLiteDataProbe { steps.reached($0.rawValue) }
        let file = try await SQLiteDataFile.open(at: path, probe: probe)
        ProbeProcess.say("open")
        let (store, values) = (SQLiteWriteStore(file, uptime: SeededUptime(seed: seed)), SQLiteKeyValueStore(file))
        for serial in (seed * 10_000 + 1)... {
            ProbeProcess.say("begins \(serial)")
            let batch = Batch(serial: serial)
            try await store.commit(Commit(entities: batch.changes, enqueued: [batch.entry]))
            ProbeProcess.say("committed \(serial)")
            try await values.set(Array("\(serial)".utf8), for: "serial")
            ProbeProcess.say("set \(serial)")
            if serial % 3 == 0, let last = try await deliver(from: store) { ProbeProcess.say("delivered \(last)") }
            guard serial % 4 == 0 else { continue }
            let guest = EntityKey(account: Batch.guest, kind: "batch", id: "guest-\(serial)")
            let row = EntityRow(
                key: guest, bytes: Array("the guest's bytes".utf8), asOf: WallTime(nanoseconds: serial))
            try await store.commit(Commit(entities: [.put(row)], enqueued: [batch.guestsEntry]))
            ProbeProcess.say("purges")
            try await store.removeAll(of: Batch.guest)
            ProbeProcess.say("purged")
        }
    }

    /// Settles all entries but the newest, by which ``Batch/check(_:)`` detects missing ones.
    ///
    /// - Returns: the serial of the last entry that was settled.
    private func deliver(from store: SQLiteWriteStore) async throws -> Int64? {
        let request = LeaseRequest(
            account: Batch.account, destinations: [.init("api", kinds: ["batch"])], now: .distantFuture)
        guard let lane = try await store.lease(request).lanes.first else { return nil }
        let settled = lane.deliveries.dropLast()
        var commit = Commit()
        commit.settled = settled.map {
            Settlement($0.id, under: lane.lease, .delivered, attempts: 1, attemptedAt: .distantPast)
        }
        commit.released = [lane.lease]
        try await store.commit(commit)
        return settled.last.flatMap { Batch.serial($0.entry.id) }
    }
}

/// A different boot per process, so that the leases of the killed process have expired.
private struct SeededUptime: UptimeClock {
    let boot: String

    init(seed: some CustomStringConvertible) { boot = seed.description }

    func now() -> Uptime { Uptime(boot: boot, nanoseconds: 0) }
}
