import WharfKillHarness

/// A process that enqueues and delivers from a data file, to be killed.
///
/// - `deliver file=… origin=… process=… round=… lanes=… entries=…`, then optionally
///   `[ends=empty] [uptime=still] [halt=LABEL:TIMES]`: enqueues the given number of entries into
///   each of the lanes. Meanwhile it delivers to `api` and `mirror` below the origin, and prints
///   each step. It ends when nothing more is due. With `ends=empty` it ends when nothing is left,
///   and prints the entities. Leases of earlier rounds have expired for it. With `uptime=still` no
///   lease ever expires.
/// - `drain file=… origin=… process=… round=… [uptime=still]`: delivers the due entries, and prints
///   their number.
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
