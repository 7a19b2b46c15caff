internal import WharfCore

/// The `sendmail` program, which reads a message from its standard input.
///
/// The recipients are its arguments.
public struct Sendmail: Sendable {
    /// Starts a program, writes its input, and waits for its exit.
    ///
    /// Throws if the program can't be started.
    public typealias Run = @Sendable (_ path: String, _ arguments: [String], _ input: [UInt8]) async throws -> Exit

    /// The result of a run.
    public struct Exit: Hashable, Sendable {
        /// The exit code; nil if a signal ended the program.
        public var code: Int32?
        /// The text that the program wrote to standard error.
        public var complaint: String

        /// Creates a result.
        public init(code: Int32?, complaint: String = "") {
            self.code = code
            self.complaint = complaint
        }
    }

    private let path: String
    private let arguments: [String]
    private let run: Run

    /// The argument `-i`: a line with a single dot does not end the message.
    ///
    /// The recipients follow after `--`, so that those of ``EmailContent/bcc`` need not be in the
    /// header. If the arguments contain `-t`, the program reads the recipients from the header, and
    /// a message with bcc is rejected.
    public static let usualArguments = ["-i"]

    /// Creates a `sendmail` that a function of the app runs.
    public init(
        _ path: String = "/usr/sbin/sendmail", arguments: [String] = Sendmail.usualArguments, run: @escaping Run
    ) {
        self.path = path
        self.arguments = arguments
        self.run = run
    }

    func submit(_ bytes: [UInt8], to message: EmailMessage) async -> Delivery.Verdict {
        // With -t, programs treat recipients in the arguments differently: Exim removes them from
        // the recipients of the header.
        let isHeaderRead = Self.readsHeader(arguments)
        guard !isHeaderRead || message.content.bcc.isEmpty else {
            let message = "\(path) is told by -t to read the recipients from the header, which has no bcc; leave -t out"
            return .rejected(DeliveryFailure(.rejected, message: message))
        }
        let recipients = isHeaderRead ? [] : ["--"] + message.recipients.map(\.description)
        do {
            return verdict(try await run(path, arguments + recipients, bytes))
        } catch {
            let message = "\(path) could not be started: \(error); install it, or give the path of another sendmail"
            return .retry(DeliveryFailure(.unavailable, message: message))
        }
    }

    /// Whether the arguments make the program read the recipients from the header.
    ///
    /// The flag is `-t`, alone or in a cluster such as `-ti`.
    static func readsHeader(_ arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains { argument in
            // getopt_long accepts each unambiguous prefix of a name.
            if argument.hasPrefix("--") { return argument.hasPrefix("--read-r") && longFlag.hasPrefix(argument) }
            guard argument.hasPrefix("-") else { return false }
            // The rest of a cluster after a flag with a value is that value:
            // -fbounces@example.com does not contain -t.
            return argument.dropFirst().first { !flagsWithoutValue.contains($0) } == "t"
        }
    }

    /// The long form of `-t` in msmtp.
    private static let longFlag = "--read-recipients"
    /// The flags without a value in Sendmail, Postfix, Exim, OpenSMTPD and msmtp, except `t`.
    private static let flagsWithoutValue: Set<Character> = ["c", "d", "G", "i", "m", "n", "P", "S", "s", "U", "v"]

    /// Maps the exit codes of `sysexits.h` to verdicts.
    ///
    /// A permanent failure is rejected: it becomes a visible dead letter, and the next channel gets
    /// the message. A failure that may be temporary is retried, and so are codes that programs use
    /// in different ways.
    private func verdict(_ exit: Exit) -> Delivery.Verdict {
        guard let code = exit.code else {
            let message = "\(path) was ended by a signal before it accepted the message\(Self.said(exit))"
            return .retry(DeliveryFailure(.noAnswer, message: message))
        }
        let name = Self.names[code].map { " (\($0))" } ?? ""
        func failure(_ code: DeliveryFailure.Code) -> DeliveryFailure {
            DeliveryFailure(
                code, message: "\(path) did not accept the message: status \(exit.code ?? 0)\(name)\(Self.said(exit))")
        }
        return switch code {
        case 0: .delivered
        // The codes of sysexits.h that say that this message, or this configuration, will fail
        // again.
        case 64, 65, 66, 67, 77, 78: .rejected(failure(.rejected))
        default: .retry(failure(.unavailable))
        }
    }

    private static func said(_ exit: Exit) -> String {
        let said = exit.complaint.split(whereSeparator: \.isNewline).joined(separator: " ").prefix(400)
        return said.isEmpty ? "" : "; it says: \(said)"
    }

    private static let names: [Int32: String] = [
        64: "EX_USAGE", 65: "EX_DATAERR", 66: "EX_NOINPUT", 67: "EX_NOUSER", 68: "EX_NOHOST", 69: "EX_UNAVAILABLE",
        70: "EX_SOFTWARE", 71: "EX_OSERR", 72: "EX_OSFILE", 73: "EX_CANTCREAT", 74: "EX_IOERR", 75: "EX_TEMPFAIL",
        76: "EX_PROTOCOL", 77: "EX_NOPERM", 78: "EX_CONFIG",
    ]
}
