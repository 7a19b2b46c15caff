import WharfCore
import WharfKillHarness
import WharfRandom
import WharfSQLite

/// Writes until it is killed.
struct WriteMode {
    let file: String
    let seed: UInt64
    let halt: (label: String, times: Int)?

    func run() async throws {
        let steps = ProbeProcess.Steps(haltingAt: halt)
        let probe = SQLiteCacheProbe(rowLimit: PredictableEntry.rowLimit) { steps.reached($0.rawValue) }
        // The limit is small, so that nearly every commit evicts.
        let store = try await SQLiteCacheStore.open(at: file, byteLimit: 300_000, probe: probe) { incident in
            ProbeProcess.end(2, "\(incident.code): \(incident.message)")
        }
        ProbeProcess.say("open")
        var random = SeededGenerator(seed: seed)
        for serial in (seed * 1_000_000)... {
            let entry = PredictableEntry(key: Int(random.next() % UInt64(PredictableEntry.keyCount)), serial: serial)
            ProbeProcess.say("begins \(entry.key) \(serial)")
            try await entry.keep(in: store)
            ProbeProcess.say("kept \(entry.key) \(serial)")
            _ = try await PredictableEntry.read(Int(random.next() % UInt64(PredictableEntry.keyCount)), from: store)
        }
    }
}

/// Verifies all stored entries.
struct CheckMode {
    let file: String

    func run() async throws {
        let store = try await SQLiteCacheStore.open(at: file, byteLimit: 300_000) { incident in
            ProbeProcess.end(2, "\(incident.code): \(incident.message)")
        }
        for key in 0..<PredictableEntry.keyCount {
            guard let entry = try await PredictableEntry.read(key, from: store) else { continue }
            ProbeProcess.say("has \(entry.key) \(entry.serial)")
        }
        try await store.close()
        ProbeProcess.say("checked")
    }
}
