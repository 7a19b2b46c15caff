#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A time limit for regular expressions that backtrack too much.
///
/// A search can't be stopped from inside the process.
enum TimeLimit {
    /// Ends the process after 2 s of CPU time, with the status of wrong usage.
    ///
    /// The load of the machine does not count.
    static func limited<Result, Failure: Error>(_ search: () throws(Failure) -> Result) throws(Failure) -> Result {
        signal(SIGVTALRM) { _ in
            // Only `write` and `_exit` are used, because little else is safe in a signal handler.
            let text: StaticString = """
                annotate-git-commit: the regular expression did not end its search within 2 s; \
                write it without a repetition inside a repetition\n
                """
            _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
            _exit(64)
        }
        set(seconds: 2)
        defer { set(seconds: 0) }
        return try search()
    }

    private static func set(seconds: Int) {
        var timer = itimerval()
        timer.it_value.tv_sec = seconds
        #if canImport(Glibc)
        setitimer(Int32(ITIMER_VIRTUAL.rawValue), &timer, nil)
        #else
        setitimer(ITIMER_VIRTUAL, &timer, nil)
        #endif
    }
}
