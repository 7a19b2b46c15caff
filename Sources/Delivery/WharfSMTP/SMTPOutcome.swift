#if os(Linux)
internal import WharfCore

/// The meaning of a transcript for the recipients of a message (RFC 5321 §4.2.1).
enum SMTPOutcome: Hashable, Sendable {
    /// The outcome for one recipient.
    enum RecipientOutcome: Hashable, Sendable {
        /// The server has taken the message for this recipient.
        ///
        /// It is responsible for the delivery from then on (§4.5.5).
        case taken
        /// The recipient was deferred, usually by 4yz, with the server's answer.
        case deferred(String)
        /// The recipient was refused for good by 5yz, with the server's answer.
        case refused(String)
    }

    /// One verdict for the whole message, which the server took for no recipient.
    case whole(Delivery.Verdict)
    /// The outcome for each recipient, in the order of the envelope.
    case each([RecipientOutcome])

    /// Judges a transcript.
    ///
    /// - Parameters:
    ///   - recipients: the length of the envelope.
    ///   - server: its name, for messages.
    init(_ transcript: SMTPTranscript, recipients: Int, server: String) {
        let replies = transcript.replies
        let answers = (0..<recipients).map { replies[.recipient($0)] }
        // 354 only asks for the message. The reply after the dot answers it.
        let last = replies[.content] ?? replies[.data].flatMap { $0.isPositive ? nil : $0 }
        if let sender = replies[.sender], !sender.isPositive {
            // A server may answer pipelined commands after a refused MAIL in any way.
            self = .whole(Self.refusal(of: "the sender", sender, server))
        } else if let last {
            self = .each(answers.map { Self.outcome(of: $0, last) })
        } else if answers.allSatisfy({ $0.map { !$0.isPositive } ?? false }) {
            self = .each(answers.map { Self.outcome(of: $0, nil) })
        } else {
            self = .whole(Self.verdict(replies, transcript.ending, server))
        }
    }

    private static func outcome(of answer: SMTPReply?, _ last: SMTPReply?) -> RecipientOutcome {
        // A recipient that was not asked about does not get the message.
        guard let answer else { return .deferred("the server was not asked") }
        // 552 is the older code for too many recipients. The rest goes into another message
        // (§4.5.3.1.10).
        if answer.code == 552 { return .deferred("\(answer)") }
        guard answer.isPositive, let last else { return failed(answer) }
        return last.isPositive ? .taken : failed(last)
    }

    private static func failed(_ reply: SMTPReply) -> RecipientOutcome {
        reply.isTransient ? .deferred("\(reply)") : .refused("\(reply)")
    }

    private static func verdict(
        _ replies: [SMTPStep: SMTPReply], _ ending: SMTPEnding, _ server: String
    ) -> Delivery.Verdict {
        if let reply = replies[.authentication], !reply.isPositive { return refusal(of: "the sign-in", reply, server) }
        // These refusals say nothing about the message. The server is busy or rejects this host.
        for (step, name) in [(SMTPStep.hello, "EHLO"), (.greeting, "the connection")] {
            guard let reply = replies[step], !reply.isPositive else { continue }
            return .retry(
                DeliveryFailure(
                    .unavailable, message: "\(server) refused \(name): \(reply); the message is sent again"))
        }
        // 421 may come in place of a reply to a recipient, but says nothing about the recipient.
        if let reply = replies.values.first(where: \.isClosing) {
            return .retry(
                DeliveryFailure(
                    .unavailable,
                    message: "\(server) closed the connection: \(reply); the message is sent again"))
        }
        return verdict(ending, server)
    }

    private static func refusal(of subject: String, _ reply: SMTPReply, _ server: String) -> Delivery.Verdict {
        let message = "\(server) refused \(subject): \(reply)"
        if reply.isTransient {
            return .retry(DeliveryFailure(.unavailable, message: "\(message); the message is sent again"))
        }
        // RFC 4954 §6: 530 sign in first, 534 another mechanism, 535 wrong credentials, 538
        // encryption.
        if subject == "the sign-in" || [530, 534, 535, 538].contains(reply.code) {
            return .needsAuthentication(
                DeliveryFailure(
                    .needsAuthentication,
                    message: "\(message); \(advice)"))
        }
        // RFC 1870 §6.1: the declared size is more than the server takes.
        let remedy = reply.code == 552 ? "make the message smaller" : "use another sender"
        return .rejected(DeliveryFailure(.rejected, message: "\(message); \(remedy)"))
    }

    /// The outbox holds the channel. After each pause it sends one message as a probe.
    private static let advice =
        "the outbox holds the channel until the server accepts the credentials; correct them at the server, or "
        + "register a channel with others and resume the outbox"

    private static func verdict(_ ending: SMTPEnding, _ server: String) -> Delivery.Verdict {
        func failure(_ code: DeliveryFailure.Code, _ message: String) -> DeliveryFailure {
            DeliveryFailure(code, message: "\(message); the message is sent again")
        }
        return switch ending {
        case .unreachable(let reason): .offline(failure(.offline, "\(server) can't be reached: \(reason)"))
        // An attacker in the middle can strip STARTTLS. Messages wait until the server offers it.
        case .notSecured(let reason): .offline(failure(.offline, "no secure connection to \(server): \(reason)"))
        case .notSignedIn:
            .needsAuthentication(
                DeliveryFailure(
                    .needsAuthentication,
                    message: "\(server) offers neither AUTH PLAIN nor AUTH LOGIN; use another server or port"))
        // A retry counts as an attempt. As offline the message would wait for ever, since no change
        // of the network fixes an option.
        case .notSetUp(let reason):
            .retry(DeliveryFailure(.unavailable, message: "nothing was sent to \(server): \(reason)"))
        case .violated(let violation): .retry(failure(.noAnswer, "\(server) sent \(violation)"))
        case .lost(let reason): .retry(failure(.noAnswer, "the connection to \(server) was lost: \(reason)"))
        case .timedOut(let time):
            .retry(failure(.noAnswer, "\(server) did not answer within \(time) and may have the message"))
        case .cancelled: .retry(failure(.noAnswer, "the task was cancelled before \(server) answered"))
        case .complete: .retry(failure(.noAnswer, "\(server) did not answer the message"))
        }
    }
}
#endif
