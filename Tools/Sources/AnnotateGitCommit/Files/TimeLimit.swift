#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An end for regular expressions that try too many ways: a search can't be stopped from inside the
/// process.
enum TimeLimit {
    /// After 2 s of computing, however long the machine takes for them, the process ends with the
    /// status of wrong usage.
    static func limited<Result, Failure: Error>(_ search: () throws(Failure) -> Result) throws(Failure) -> Result {
        signal(SIGVTALRM) { _ in
            // Nothing else is safe in a signal handler.
            let text: StaticString = """
                annotate-git-commit: expected the regular expression to end its search within 2 s, found it still trying; \
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
