/// What the process ends with. `wharf get --help` and `wharf outbox --help` list them for people.
public struct ProcessStatus: Hashable, Sendable {
    public let code: Int32

    private init(_ code: Int32) { self.code = code }

    /// A value was delivered, also a kept one; what was asked for was done.
    public static let delivered = ProcessStatus(0)
    /// Nothing was done to an outbox: it has no such entry, nothing of it is dead, or the answer
    /// was no.
    public static let notDone = ProcessStatus(1)
    /// A document is not what it should be.
    public static let payloadErrors = ProcessStatus(1)
    /// Sources do not compile.
    public static let notCompiled = ProcessStatus(2)
    /// All went well, and something is left in an outbox.
    public static let left = ProcessStatus(3)
    /// A stale value was delivered, and `--strict` was given.
    public static let stale = ProcessStatus(3)
    /// A document could not be read.
    public static let inputNotRead = ProcessStatus(3)
    /// No whole answer came, and nothing kept could stand in; or a delivery failed that is tried
    /// again.
    public static let noAnswer = ProcessStatus(7)
    /// The server answered an error status, or refused a delivery.
    public static let errorStatus = ProcessStatus(22)
    /// The command line is not one (`EX_USAGE`).
    public static let usage = ProcessStatus(64)
    /// A data file is not there, or can't be used (`EX_NOINPUT`).
    public static let noInput = ProcessStatus(66)
    /// A program that is needed is not there (`EX_UNAVAILABLE`).
    public static let unavailable = ProcessStatus(69)
    /// Something inside wharf failed (`EX_SOFTWARE`).
    public static let internalError = ProcessStatus(70)
    /// The output could not be written (`EX_IOERR`).
    public static let outputFailed = ProcessStatus(74)
    /// Ctrl-C.
    public static let cancelled = ProcessStatus(130)

    /// What a program has ended with that stands for this one.
    static func of(_ end: ChildProcess.End) -> ProcessStatus {
        switch end {
        case .exited(let code): ProcessStatus(code)
        case .signalled(let number): .signal(number)
        }
    }

    /// Ended by a signal, as shells number it.
    static func signal(_ number: Int32) -> ProcessStatus { ProcessStatus(128 + number) }
}
