internal import WharfCore

/// The program `sendmail`, which takes a message at its standard input and the recipients as
/// arguments.
public struct Sendmail: Sendable {
    /// Starts a program, gives it its input, and waits for its end. Throws where it can't be
    /// started.
    public typealias Run = @Sendable (_ path: String, _ arguments: [String], _ input: [UInt8]) async throws -> Exit

    /// How it ended.
    public struct Exit: Hashable, Sendable {
        /// nil where a signal ended it.
        public var code: Int32?
        /// What it said to standard error.
        public var complaint: String

        public init(code: Int32?, complaint: String = "") {
            self.code = code
            self.complaint = complaint
        }
    }

    private let path: String
    private let arguments: [String]
    private let run: Run

    /// The `-i` of every `sendmail`: a line with a dot alone ends nothing.
    ///
    /// The recipients follow behind `--`, so that those of ``EmailContent/bcc`` need not be in the
    /// header. With `-t` among the arguments the program takes the recipients from the header, and
    /// a message with bcc is refused.
    public static let usualArguments = ["-i"]

    public init(
        _ path: String = "/usr/sbin/sendmail", arguments: [String] = Sendmail.usualArguments, run: @escaping Run
    ) {
        self.path = path
        self.arguments = arguments
        self.run = run
    }

    func submit(_ bytes: [UInt8], to message: EmailMessage) async -> Delivery.Verdict {
        // Programs differ in what recipients as arguments mean beside -t: Exim leaves them out.
        let isHeaderRead = Self.readsHeader(arguments)
        guard !isHeaderRead || message.content.bcc.isEmpty else {
            let message = "\(path) is told by -t to read the recipients from the header, which has no bcc; leave -t out"
            return .rejected(DeliveryFailure(.rejected, message: message))
        }
        let recipients = isHeaderRead ? [] : ["--"] + message.recipients.map(\.description)
        do {
            return verdict(try await run(path, arguments + recipients, bytes))
        } catch {
            let message = "expected to start \(path), found \(error); install it, or name another"
            return .retry(DeliveryFailure(.unavailable, message: message))
        }
    }

    /// Whether the program takes the recipients from the header.
    ///
    /// The flag is `-t`, also in a cluster such as `-ti`.
    static func readsHeader(_ arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains { argument in
            // getopt_long takes each unambiguous beginning of a name.
            if argument.hasPrefix("--") { return argument.hasPrefix("--read-r") && longFlag.hasPrefix(argument) }
            guard argument.hasPrefix("-") else { return false }
            // Behind a flag with a value the rest is the value: -fbounces@example.com is no -t.
            return argument.dropFirst().first { !flagsWithoutValue.contains($0) } == "t"
        }
    }

    /// The name that msmtp has for `-t`.
    private static let longFlag = "--read-recipients"
    /// The flags of Sendmail, Postfix, Exim, OpenSMTPD and msmtp, without `t`.
    private static let flagsWithoutValue: Set<Character> = ["c", "d", "G", "i", "m", "n", "P", "S", "s", "U", "v"]

    /// By `sysexits.h`. What will not be otherwise at the next attempt, unless somebody does
    /// something, is rejected: it is a dead letter that can be seen, and the turn of the next
    /// channel. What may be, or what programs mean different things by, is tried again.
    private func verdict(_ exit: Exit) -> Delivery.Verdict {
        guard let code = exit.code else {
            return .retry(DeliveryFailure(.noAnswer, message: "\(path) was ended by a signal\(Self.said(exit))"))
        }
        let name = Self.names[code].map { " (\($0))" } ?? ""
        func failure(_ code: DeliveryFailure.Code) -> DeliveryFailure {
            DeliveryFailure(
                code, message: "expected \(path) to end with 0, found \(exit.code ?? 0)\(name)\(Self.said(exit))")
        }
        return switch code {
        case 0: .delivered
        case 64, 65, 66, 67, 77, 78: .rejected(failure(.rejected))
        default: .retry(failure(.unavailable))
        }
    }

    private static func said(_ exit: Exit) -> String {
        let said = exit.complaint.split(whereSeparator: \.isNewline).joined(separator: " ").prefix(400)
        return said.isEmpty ? "" : ", which says: \(said)"
    }

    private static let names: [Int32: String] = [
        64: "EX_USAGE", 65: "EX_DATAERR", 66: "EX_NOINPUT", 67: "EX_NOUSER", 68: "EX_NOHOST", 69: "EX_UNAVAILABLE",
        70: "EX_SOFTWARE", 71: "EX_OSERR", 72: "EX_OSFILE", 73: "EX_CANTCREAT", 74: "EX_IOERR", 75: "EX_TEMPFAIL",
        76: "EX_PROTOCOL", 77: "EX_NOPERM", 78: "EX_CONFIG",
    ]
}
