import WharfCore
import WharfKillHarness
import WharfSQLite

/// A process on a cache file, to be killed or to compete with another one.
///
/// - `write FILE SEED [LABEL TIMES]`: writes, replaces, evicts and reads until it is killed, and
///   prints each step. With a label it stops for ever at that step, the given number of times it
///   gets there.
/// - `check FILE`: opens the file and verifies every entry. It prints `has KEY SERIAL` for each.
/// - `hammer FILE ROUNDS SEED`: writes, evicts and reads concurrently, and prints counts. It exits
///   with 1 after an error or a wrong body.
/// - `stream FILE MEGABYTES`: passes a body of this size through a cache, and reads it and a part
///   from the file. It prints by how many KiB its memory grew.
@main enum CacheProbe {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch (arguments.first, arguments.count) {
            case ("write", 3), ("write", 5):
                let halt = arguments.count == 5 ? (label: arguments[3], times: Int(arguments[4]) ?? 1) : nil
                try await WriteMode(file: arguments[1], seed: UInt64(arguments[2]) ?? 0, halt: halt).run()
            case ("check", 2):
                try await CheckMode(file: arguments[1]).run()
            case ("hammer", 4):
                let rounds = Int(arguments[2]) ?? 1
                try await HammerMode(file: arguments[1], rounds: rounds, seed: UInt64(arguments[3]) ?? 0).run()
            case ("stream", 3):
                try await StreamMode(file: arguments[1], megabytes: Int(arguments[2]) ?? 1).run()
            default:
                ProbeProcess.end(
                    64,
                    "usage: CacheProbe write FILE SEED [LABEL TIMES] | check FILE | hammer FILE ROUNDS SEED | "
                        + "stream FILE MEGABYTES")
            }
        } catch {
            ProbeProcess.end(1, "\(error)")
        }
    }
}
