internal import Foundation

/// The time that a comparison measures.
public enum MeasuredTime: Sendable {
    /// The time that passes, waits for disks and other processes included.
    case wall
    /// The CPU time of all threads of this process.
    case cpu

    /// The nanoseconds since a fixed moment in the past.
    var nanoseconds: Int {
        var time = timespec()
        clock_gettime(self == .wall ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &time)
        return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    }
}
