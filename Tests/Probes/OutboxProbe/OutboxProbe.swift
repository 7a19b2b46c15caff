#if SQLite
import WharfKillHarness

/// A process of its own that enqueues and delivers from a data file, to be killed.
///
/// - `deliver file=… origin=… process=… round=… lanes=… entries=… [ends=empty] [uptime=still] [halt=LABEL:TIMES]`:
///   enqueues so many entries into each of so many lanes, while it delivers to `api` and `mirror`
///   below the origin, and says each step. It ends when nothing more is due. With `ends=empty` it
///   ends when nothing is left, and says what the entities are then. Leases of earlier rounds have
///   run out for it. With `uptime=still` no lease ever runs out.
/// - `drain file=… origin=… process=… round=… [uptime=still]`: delivers what is due, and says how
///   much.
@main enum OutboxProbe {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch arguments.first {
            case "deliver": try await DeliverMode(arguments.dropFirst()).run()
            case "drain": try await DeliverMode(arguments.dropFirst()).drain()
            default: ProbeProcess.end(64, "expected deliver or drain, found \(arguments)")
            }
        } catch {
            ProbeProcess.end(1, "\(error)")
        }
    }
}
#else
@main enum OutboxProbe { static func main() {} }
#endif
