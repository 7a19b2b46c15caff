#if os(Linux)
/// The replies of a server before the message: to the connection, EHLO, STARTTLS and AUTH.
///
/// libcurl performs these steps and reports one error for all of them. Its debug callback passes
/// each line to this type, which knows the reply that made a step fail.
struct SMTPHandshake: Sendable {
    private(set) var step = SMTPStep.greeting
    private(set) var replies: [SMTPStep: SMTPReply] = [:]
    /// The limit that a reply exceeded. It ends the session.
    private(set) var fault: SMTPReplyReader.Fault?
    private var reader = SMTPReplyReader()

    /// The extensions that the server announced last.
    ///
    /// The answer to the EHLO after STARTTLS replaces the earlier one, which an attacker may have
    /// written (RFC 3207 §4.2).
    var extensions: SMTPExtensions { replies[.hello]?.extensions ?? [] }

    /// Takes a line that libcurl sends, or the beginning of one.
    mutating func sent(_ line: String) {
        // The lines that answer a challenge are base64, which may spell any other command.
        if step == .authentication, replies[.authentication]?.isFinal != true { return }
        let command = line.prefix { !$0.isNewline }.uppercased()
        if command.hasPrefix("EHLO") || command.hasPrefix("HELO") {
            step = .hello
            // Otherwise the extensions of the unencrypted answer would count if the second EHLO got
            // none.
            replies[.hello] = nil
        } else if command == "STARTTLS" {
            step = .startTLS
        } else if command.hasPrefix("AUTH ") {
            step = .authentication
            // AUTH PLAIN may be refused before AUTH LOGIN is tried. Only the last answer tells the
            // outcome.
            replies[.authentication] = nil
        }
    }

    /// Takes bytes that the server sends.
    mutating func received(_ bytes: some Sequence<UInt8>) {
        // After a fault the reader is inside a line, so later bytes would make false replies.
        guard fault == nil else { return }
        do throws(SMTPReplyReader.Fault) {
            for byte in bytes {
                if let reply = try reader.read(byte) { replies[step] = reply }
            }
        } catch {
            fault = error
        }
    }
}

extension SMTPReply {
    /// Whether the reply ends the exchange of challenges (RFC 4954 §4). 334 asks for more.
    fileprivate var isFinal: Bool { code != 334 }
}
#endif
