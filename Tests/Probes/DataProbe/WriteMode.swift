#if SQLite
import WharfCore
import WharfSQLite
import WharfTesting

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
        let (entities, values) = (SQLiteEntityStore(file), SQLiteKeyValueStore(file))
        for serial in (seed * 10_000 + 1)... {
            ProbeProcess.say("begins \(serial)")
            try await entities.commit(Batch(serial: serial).changes)
            ProbeProcess.say("committed \(serial)")
            try await values.set(Array("\(serial)".utf8), for: "serial")
            ProbeProcess.say("set \(serial)")
            guard serial % 4 == 0 else { continue }
            let guest = EntityKey(account: Batch.guest, kind: "batch", id: "guest-\(serial)")
            try await entities.commit([
                .put(EntityRow(key: guest, bytes: Array("the guest's bytes".utf8), asOf: WallTime(nanoseconds: serial)))
            ])
            ProbeProcess.say("purges")
            try await entities.removeAll(of: Batch.guest)
            ProbeProcess.say("purged")
        }
    }
}
#endif
