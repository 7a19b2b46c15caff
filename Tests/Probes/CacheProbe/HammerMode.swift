#if SQLite
import Synchronization
import WharfCore
import WharfKillHarness
import WharfRandom
import WharfSQLite

/// Four tasks that write, evict, remove and read on one file, each body verified.
struct HammerMode {
    struct Counts: Sendable {
        var reads = 0
        var hits = 0
        /// Hits on what the other process wrote.
        var foreign = 0
        var writes = 0
        var removals = 0
        var readErrors = 0
        var writeErrors = 0
        var wrong = 0
        var incidents = 0
        var first: String?

        mutating func note(_ what: String) { first = first ?? what }
    }

    let file: String
    let seconds: Int
    let seed: UInt64

    func run() async throws {
        let box = CountsBox()
        let store = try await SQLiteCacheStore.open(at: file, byteLimit: 600_000) { incident in
            box.change {
                $0.incidents += 1
                $0.note("\(incident.code): \(incident.message)")
            }
        }
        let end = ContinuousClock.now + .seconds(seconds)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask { @concurrent in await compete(UInt64(task), store, box, until: end) }
            }
        }
        try await store.close()
        let sum = box.value
        ProbeProcess.say(
            """
            reads \(sum.reads) hits \(sum.hits) foreign \(sum.foreign) writes \(sum.writes) removals \(sum.removals) readErrors \(sum.readErrors) \
            writeErrors \(sum.writeErrors) wrong \(sum.wrong) incidents \(sum.incidents)
            """
        )
        if sum.readErrors + sum.writeErrors + sum.wrong + sum.incidents > 0 {
            ProbeProcess.end(1, sum.first ?? "no word")
        }
    }

    private func compete(
        _ task: UInt64, _ store: any CacheStore, _ box: CountsBox, until end: ContinuousClock.Instant
    ) async {
        var random = SeededGenerator(seed: seed &* 16 &+ task)
        var serial = (seed &* 16 &+ task) &* 1_000_000
        while ContinuousClock.now < end {
            let key = Int(random.next() % UInt64(PredictableEntry.keyCount))
            switch random.next() % 10 {
            case 0..<3:
                serial += 1
                do {
                    try await PredictableEntry(key: key, serial: serial).keep(in: store)
                    box.change { $0.writes += 1 }
                } catch {
                    box.change {
                        $0.writeErrors += 1
                        $0.note("\(error)")
                    }
                }
            case 3 where random.next() % 4 == 0:
                do {
                    try await store.removeAll(under: CacheKey(target: PredictableEntry.target(key)))
                    box.change { $0.removals += 1 }
                } catch {
                    box.change {
                        $0.writeErrors += 1
                        $0.note("\(error)")
                    }
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
                    box.change {
                        if error is WrongBody { $0.wrong += 1 } else { $0.readErrors += 1 }
                        $0.note("\(error)")
                    }
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
#endif
