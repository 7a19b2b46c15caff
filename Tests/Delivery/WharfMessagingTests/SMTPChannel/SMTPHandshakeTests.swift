#if os(Linux)
import Testing

@testable import WharfSMTP

struct SMTPHandshakeTests {
    /// Creates a handshake from lines. Those of the client begin with `>`.
    private func handshake(_ lines: [String]) -> SMTPHandshake {
        var handshake = SMTPHandshake()
        for line in lines {
            if line.hasPrefix(">") {
                handshake.sent("\(line.dropFirst())\r\n")
            } else {
                handshake.received("\(line)\r\n".utf8)
            }
        }
        return handshake
    }

    @Test func aReplyBelongsToTheCommandBeforeIt() {
        let replies = handshake([
            "220-mx", "220 ready", ">EHLO me", "250-mx", "250 STARTTLS", ">STARTTLS", "220 go", ">EHLO me", "250 mx",
            ">AUTH LOGIN", "334 VXNlcm5hbWU6", ">STARTTLS", "334 UGFzc3dvcmQ6", ">EHLO", "235 2.7.0 welcome",
        ]).replies
        #expect(replies[.greeting]?.text == "mx ready" && replies[.startTLS]?.text == "go")
        #expect(replies[.hello]?.text == "mx" && replies[.authentication]?.code == 235)
    }

    @Test func extensionsFromBeforeTheEncryptionAreForgotten() {
        let before = ["220 mx", ">EHLO me", "250-mx", "250-PIPELINING", "250 STARTTLS"]
        #expect(handshake(before).extensions == .pipelining)
        let encrypted = before + [">STARTTLS", "220 go", ">EHLO me"]
        #expect(handshake(encrypted).extensions == [])
        #expect(handshake(encrypted + ["250-mx", "250 SIZE 1000"]).extensions == .size)
    }

    @Test func aReplyWithoutEndIsAFault() {
        let handshake = handshake(["220 mx", ">EHLO me"] + Array(repeating: "250-more", count: 1_001))
        #expect(handshake.fault == .manyLines && handshake.replies[.hello] == nil)
    }
}
#endif
