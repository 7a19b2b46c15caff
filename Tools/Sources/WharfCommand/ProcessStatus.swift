/// The exit status of the process.
///
/// `wharf get --help` and `wharf outbox --help` list the values for users.
public struct ProcessStatus: Hashable, Sendable {
    /// The exit code.
    public let code: Int32

    private init(_ code: Int32) { self.code = code }

    /// Success: a value was delivered, fresh or cached, or the request was carried out.
    public static let delivered = ProcessStatus(0)
    /// Nothing was done to an outbox.
    ///
    /// It has no such entry, nothing of it is dead, or the user said no.
    public static let notDone = ProcessStatus(1)
    /// Damaged answers were found in a cache.
    public static let damaged = ProcessStatus(1)
    /// A document has errors.
    public static let payloadErrors = ProcessStatus(1)
    /// Sources do not compile.
    public static let notCompiled = ProcessStatus(2)
    /// Success, but deliveries are left in an outbox.
    public static let left = ProcessStatus(3)
    /// A stale value was delivered, and `--strict` was given.
    public static let stale = ProcessStatus(3)
    /// A document could not be read.
    public static let inputNotRead = ProcessStatus(3)
    /// No answer was available, or a delivery failed and will be retried.
    ///
    /// The network gave no complete answer, and none was cached.
    public static let noAnswer = ProcessStatus(7)
    /// The server answered with an error status, or refused a delivery.
    public static let errorStatus = ProcessStatus(22)
    /// The arguments are wrong (`EX_USAGE`).
    public static let usage = ProcessStatus(64)
    /// A data file does not exist, or can't be used (`EX_NOINPUT`).
    public static let noInput = ProcessStatus(66)
    /// A required program is missing (`EX_UNAVAILABLE`).
    public static let unavailable = ProcessStatus(69)
    /// An internal error of wharf (`EX_SOFTWARE`).
    public static let internalError = ProcessStatus(70)
    /// The output could not be written (`EX_IOERR`).
    public static let outputFailed = ProcessStatus(74)
    /// Interrupted by Ctrl-C.
    public static let cancelled = ProcessStatus(130)

    /// Returns the status of a child process that acts for this one.
    static func of(_ end: ChildProcess.End) -> ProcessStatus {
        switch end {
        case .exited(let code): ProcessStatus(code)
        case .signalled(let number): .signal(number)
        }
    }

    /// Returns the status for a signal, numbered as in shells.
    static func signal(_ number: Int32) -> ProcessStatus { ProcessStatus(128 + number) }
}
