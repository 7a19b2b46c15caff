#if SQLite
import WharfCore
import WharfKillHarness
import WharfSQLite

/// A process of its own on a cache file, to be killed or to compete.
///
/// - `write FILE SEED [LABEL TIMES]`: writes, replaces, evicts and reads until it is killed, and
///   says each step. With a label it stops at that step for ever, the so-many-th time it comes
///   there.
/// - `check FILE`: opens the file and verifies every entry; says `has KEY SERIAL` for each.
/// - `hammer FILE ROUNDS SEED`: writes, evicts and reads at once, and counts. Exits 1 after an
///   error or a wrong body.
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
            default:
                ProbeProcess.end(
                    64, "usage: CacheProbe write FILE SEED [LABEL TIMES] | check FILE | hammer FILE ROUNDS SEED")
            }
        } catch {
            ProbeProcess.end(1, "\(error)")
        }
    }
}
#else
@main enum CacheProbe { static func main() {} }
#endif
