import Synchronization
import WharfCore
import WharfKillHarness
import WharfRandom
import WharfSQLite
import WharfStorage

/// Four tasks that write, evict, remove and read in one file, and verify each body.
struct HammerMode {
    struct Counts: Sendable {
        var reads = 0
        var hits = 0
        /// Hits on entries that the other process wrote.
        var foreign = 0
        var writes = 0
        var removals = 0
        /// Calls for which another process held the file longer than a cache waits. This is no
        /// error: SQLite's lock is not fair, and the machine may not schedule its holder.
        var busy = 0
        var readErrors = 0
        var writeErrors = 0
        var wrong = 0
        var incidents = 0
        var first: String?

        mutating func note(_ what: String) { first = first ?? what }

        /// Whether the process has read, written and removed entries, and read some of the other's.
        var isComplete: Bool { hits > 0 && foreign > 0 && writes > 0 && removals > 0 }

        /// - Parameter count: the counter of these errors.
        mutating func add(_ error: any Error, to count: WritableKeyPath<Counts, Int>) {
            if (error as? StoreError)?.code == .unavailable {
                busy += 1
            } else {
                self[keyPath: count] += 1
                note("\(error)")
            }
        }
    }

    let file: String
    /// The minimum number of operations of each task. A task continues until every counted event
    /// has happened.
    let rounds: Int
    let seed: UInt64

    func run() async throws {
        let box = CountsBox()
        let probe = SQLiteCacheProbe(rowLimit: PredictableEntry.rowLimit)
        let store = try await SQLiteCacheStore.open(at: file, byteLimit: 600_000, probe: probe) { incident in
            box.change {
                $0.incidents += 1
                $0.note("\(incident.code): \(incident.message)")
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask { @concurrent in await compete(UInt64(task), store, box) }
            }
        }
        try await store.close()
        let sum = box.value
        ProbeProcess.say(
            """
            reads \(sum.reads) hits \(sum.hits) foreign \(sum.foreign) writes \(sum.writes) removals \(sum.removals) busy \(sum.busy) readErrors \(sum.readErrors) \
            writeErrors \(sum.writeErrors) wrong \(sum.wrong) incidents \(sum.incidents)
            """
        )
        if sum.readErrors + sum.writeErrors + sum.wrong + sum.incidents > 0 {
            ProbeProcess.end(1, sum.first ?? "no word")
        }
    }

    private func compete(_ task: UInt64, _ store: any CacheStore, _ box: CountsBox) async {
        var random = SeededGenerator(seed: seed &* 16 &+ task)
        var serial = (seed &* 16 &+ task) &* 1_000_000
        var round = 0
        while round < rounds || !box.value.isComplete {
            round += 1
            let key = Int(random.next() % UInt64(PredictableEntry.keyCount))
            switch random.next() % 10 {
            case 0..<3:
                serial += 1
                do {
                    try await PredictableEntry(key: key, serial: serial).keep(in: store)
                    box.change { $0.writes += 1 }
                } catch {
                    box.change { $0.add(error, to: \.writeErrors) }
                }
            case 3 where random.next() % 4 == 0:
                do {
                    try await store.removeAll(under: CacheKey(target: PredictableEntry.target(key)))
                    box.change { $0.removals += 1 }
                } catch {
                    box.change { $0.add(error, to: \.writeErrors) }
                }
            default:
                do {
                    let found = try await PredictableEntry.read(key, from: store)
                    box.change {
                        $0.reads += 1
                        $0.hits += found == nil ? 0 : 1
                        if let found, found.serial / 16_000_000 != seed { $0.foreign += 1 }
                    }
                } catch {
                    box.change { $0.add(error, to: error is WrongBody ? \.wrong : \.readErrors) }
                }
            }
        }
    }
}

final class CountsBox: Sendable {
    private let storage = Mutex(HammerMode.Counts())
    var value: HammerMode.Counts { storage.withLock { $0 } }
    func change(_ body: (inout HammerMode.Counts) -> Void) { storage.withLock { body(&$0) } }
}
