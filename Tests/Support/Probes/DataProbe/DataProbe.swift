import WharfCore
import WharfKillHarness
import WharfSQLite
import WharfStorage

/// A process on a data file, to be killed or to notify another one.
///
/// - `write FILE SEED [LABEL TIMES]`: commits batches until it is killed, and prints each step.
///   With a label it stops for ever at that step, the given number of times it gets there.
/// - `check FILE`: opens the file and verifies that it contains one complete batch. It prints
///   `has SERIAL`.
/// - `put FILE ID`: commits one note.
/// - `purge FILE`: removes the rows that have no account.
@main enum DataProbe {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch (arguments.first, arguments.count) {
            case ("write", 3), ("write", 5):
                let halt = arguments.count == 5 ? (label: arguments[3], times: Int(arguments[4]) ?? 1) : nil
                try await WriteMode(path: arguments[1], seed: Int64(arguments[2]) ?? 0, halt: halt).run()
            case ("check", 2):
                let file = try await SQLiteDataFile.open(at: arguments[1])
                ProbeProcess.say("has \(try await Batch.check(file))")
                try await file.close()
                ProbeProcess.say("checked")
            case ("put", 3):
                let file = try await SQLiteDataFile.open(at: arguments[1])
                let key = EntityKey(kind: "note", id: arguments[2])
                try await SQLiteEntityStore(file).commit([
                    .put(EntityRow(key: key, bytes: [1], asOf: WallTime(nanoseconds: 1)))
                ])
                try await file.close()
            case ("purge", 2):
                let file = try await SQLiteDataFile.open(at: arguments[1])
                try await SQLiteEntityStore(file).removeAll(of: nil)
                try await file.close()
            default:
                ProbeProcess.end(
                    64, "usage: DataProbe write FILE SEED [LABEL TIMES] | check FILE | put FILE ID | purge FILE")
            }
        } catch {
            ProbeProcess.end(1, "\(error)")
        }
    }
}
