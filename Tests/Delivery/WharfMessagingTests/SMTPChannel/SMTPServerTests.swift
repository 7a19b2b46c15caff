#if os(Linux)
import Testing
import WharfMessaging
import WharfSMTP

struct SMTPServerTests {
    @Test(arguments: [
        "", "smtp.example.com/path", "user@smtp.example.com", "smtp.example.com:25", "smtp example.com", "a\r\nb", "-h",
        "smtp.example.com?x", "[::1]", "ümlaut.example", String(repeating: "a", count: 254),
    ])
    func invalidHostIsRefused(host: String) {
        let error = #expect(throws: MessagingError.self) { try SMTPServer(host) }
        #expect(error?.code == .invalidServer)
        #expect(throws: MessagingError.self) { try SMTPServer.unencrypted("a", clientName: host) }
    }

    @Test(arguments: [("", "x"), ("a\0b", "x"), ("a", "x\0")])
    func credentialsThatPLAINCantCarryAreRefused(user: String, password: String) {
        let error = #expect(throws: MessagingError.self) {
            try SMTPServer("smtp.example.com", credentials: SMTPCredentials(user: user, password: password))
        }
        #expect(error?.code == .invalidServer)
    }

    @Test func aPasswordIsInNoDescription() throws {
        let credentials = SMTPCredentials(user: "wharf", password: "S3CRET")
        let server = try SMTPServer("smtp.example.com", credentials: credentials)
        var dumped = ""
        dump(server, to: &dumped)
        for text in ["\(credentials)", String(reflecting: credentials), "\(server)", dumped] {
            #expect(!text.contains("S3CRET"))
        }
    }
}
#endif
