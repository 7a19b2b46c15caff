#if os(Linux)
/// One message to one server, from MAIL to QUIT (RFC 5321 §3.3), without a connection.
///
/// The owner writes each ``nextOutput()`` to the server, and hands each piece that it reads to
/// ``receive(_:)``, until ``isOver``.
///
/// If the server announced PIPELINING, then MAIL, each RCPT and DATA are one output (RFC 2920
/// §3.1). Otherwise each command waits for the reply to the one before.
///
/// Invariants:
/// - The dot is in no output before the server has answered 354.
/// - After a refusal in the middle of the message nothing more is sent: the server would read it as
///   lines of the message.
struct SMTPTransaction: Sendable {
    private enum Phase: Hashable {
        /// MAIL, RCPT and DATA, of which the first `sent` are in an output already.
        case commands(sent: Int)
        case content
        /// The dot alone, since the server accepted DATA but no recipient (RFC 2920 §3.1).
        case emptyContent
        /// The whole message is in an output.
        case contentSent
        case quit
        /// Nothing more is sent.
        case silent
    }

    private let commands: [(step: SMTPStep, line: String)]
    private let isPipelined: Bool
    private var content: SMTPContent
    private var reader = SMTPReplyReader()
    private var phase = Phase.commands(sent: 0)
    /// The steps that the server has not answered yet, in reverse order.
    private var awaited: [SMTPStep] = []

    private(set) var replies: [SMTPStep: SMTPReply] = [:]
    private(set) var violation: SMTPViolation?
    /// Whether the outcome for each recipient is final. QUIT may still follow.
    private(set) var isSettled = false
    /// Whether there is nothing more to send or to read.
    private(set) var isOver = false

    /// - Parameter message: lines that end in CRLF, without doubled dots.
    init(from sender: String, to recipients: [String], _ message: [UInt8], extensions: SMTPExtensions) {
        content = SMTPContent(message)
        isPipelined = extensions.contains(.pipelining)
        let size = extensions.contains(.size) ? " SIZE=\(content.size)" : ""
        commands =
            [(.sender, "MAIL FROM:<\(sender)>\(size)\r\n")]
            + recipients.enumerated().map { (.recipient($0), "RCPT TO:<\($1)>\r\n") } + [(.data, "DATA\r\n")]
    }

    // MARK: Output

    /// The next bytes for the server; nil if it has to answer first, or ``isOver``.
    mutating func nextOutput() -> [UInt8]? {
        guard !isOver else { return nil }
        switch phase {
        case .commands(let sent):
            // A group is sent only when all replies to the one before are there. So `awaited` pairs
            // replies with commands by order alone.
            guard awaited.isEmpty, sent < commands.count else { return nil }
            let group = isPipelined ? commands[sent...] : commands[sent...sent]
            phase = .commands(sent: group.endIndex)
            awaited = group.reversed().map(\.step)
            return group.flatMap { $0.line.utf8 }
        case .content:
            let piece = content.nextPiece()
            if content.isAtEnd { phase = .contentSent }
            return piece
        case .emptyContent:
            phase = .contentSent
            return Array(".\r\n".utf8)
        case .quit:
            phase = .silent
            awaited = [.quit]
            return Array("QUIT\r\n".utf8)
        case .contentSent, .silent: return nil
        }
    }

    // MARK: Input

    /// Takes bytes of the server. They may be split at any place.
    mutating func receive(_ bytes: some Sequence<UInt8>) {
        do throws(SMTPReplyReader.Fault) {
            for byte in bytes where !isOver {
                if let reply = try reader.read(byte) { take(reply) }
            }
        } catch {
            end(by: .limit(error))
        }
    }

    private mutating func take(_ reply: SMTPReply) {
        // A reply that no command asked for shifts all later ones. A refusal could then count for
        // the wrong recipient.
        guard let step = awaited.popLast() else { return end(by: .unasked(reply)) }
        guard step != .quit else { return isOver = true }
        guard reply.answers(step) else { return end(by: .unexpected(reply, to: step)) }
        // Before its dot the message has not arrived, and no server can have taken it.
        let isEarly = step == .content && (phase == .content || phase == .emptyContent)
        if isEarly, reply.isPositive { return end(by: .unasked(reply)) }
        replies[step] = reply
        if reply.isClosing || isEarly {
            (isSettled, isOver) = (true, true)
        } else if awaited.isEmpty {
            goOn(behind: step)
        }
    }

    /// Chooses the next phase when every command that was sent is answered.
    private mutating func goOn(behind step: SMTPStep) {
        if step == .content { return quit() }
        if let reply = replies[.data] {
            // After a refused DATA the server expects commands. Lines of the message would be read
            // as such.
            guard reply.isPositive else { return quit() }
            awaited = [.content]
            phase = hasRecipients ? .content : .emptyContent
            // With a recipient, only the answer to the dot settles the message.
            isSettled = !hasRecipients
            return
        }
        // Without pipelining, commands that the server would only refuse are left out: RCPT after a
        // refused MAIL, and DATA without a recipient.
        guard case .commands(let sent) = phase else { return }
        if replies[.sender]?.isPositive != true || (commands[sent].step == .data && !hasRecipients) { quit() }
    }

    private mutating func quit() {
        isSettled = true
        phase = .quit
    }

    /// Ends without QUIT, since the server may not understand commands.
    private mutating func end(by violation: SMTPViolation) {
        if !isSettled { self.violation = violation }
        isOver = true
    }

    /// Whether the server has accepted the sender and a recipient.
    private var hasRecipients: Bool {
        replies[.sender]?.isPositive == true
            && commands.contains { step, _ in
                if case .recipient = step { replies[step]?.isPositive == true } else { false }
            }
    }
}

extension SMTPReply {
    /// Whether the code is valid for a step (RFC 5321 §4.3.2).
    fileprivate func answers(_ step: SMTPStep) -> Bool {
        switch code {
        case 200..<300: step != .data
        case 354: step == .data
        case 400..<600: true
        default: false
        }
    }
}
#endif
