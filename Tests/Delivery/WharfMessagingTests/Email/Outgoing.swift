import Synchronization
import WharfChecks
import WharfCore
import WharfMessaging

/// The messages that a channel passed to a scripted `sendmail`.
final class Outgoing: Sendable {
    private struct State {
        var messages: [[UInt8]] = []
        var arguments: [[String]] = []
        var exit = Sendmail.Exit(code: 0)
    }

    private let state = Mutex(State())

    var messages: [[UInt8]] { state.withLock { $0.messages } }
    var arguments: [[String]] { state.withLock { $0.arguments } }

    func exit(_ exit: Sendmail.Exit) { state.withLock { $0.exit = exit } }

    var sendmail: Sendmail {
        Sendmail { [self] _, arguments, input in run(arguments, input) }
    }

    func run(_ arguments: [String], _ input: [UInt8]) -> Sendmail.Exit {
        state.withLock { state in
            if state.exit.code == 0 {
                state.messages.append(input)
                state.arguments.append(arguments)
            }
            return state.exit
        }
    }

    func channel(_ name: String = "email") throws -> EmailChannel {
        EmailChannel(name, from: Mailbox(try EmailAddress("wharf@example.com"), name: "Wharf"), sendmail: sendmail)
    }

    /// The only message.
    func message() throws -> StrictMessage {
        try require(messages.count == 1, "\(messages.count) messages")
        return try StrictMessage(messages[0])
    }
}

extension MessagePart {
    static func email(
        title: String = "Lunch", body: String = "At noon?", name: String = "Ada", address: String = "ada@example.com",
        key: String = "k1", attributes: [String: String] = [:]
    ) -> MessagePart {
        var part = MessagePart(
            title: title, body: body, name: name, address: address, key: IdempotencyKey(key),
            sentAt: WallTime(secondsSince1970: 784_111_777))
        part.attributes = attributes
        return part
    }

    /// The body with mail's line ends.
    var mailText: String {
        var text = ""
        var isBehindCR = false
        for scalar in body.unicodeScalars {
            if !(scalar == "\n" && isBehindCR) { text.unicodeScalars.append(scalar == "\r" ? "\n" : scalar) }
            isBehindCR = scalar == "\r"
        }
        return text.isEmpty || text.utf8.last == 0x0A ? text : text + "\n"
    }
}
