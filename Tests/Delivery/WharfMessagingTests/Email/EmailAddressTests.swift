import Testing
import WharfMessaging

@Suite struct EmailAddressTests {
    @Test(arguments: [
        "ada@example.com", "a.b+c@sub.example.com", "!#$%&'*+-/=?^_`{|}~@example.com", "\"ada lovelace\"@example.com",
        "\"a\\\"b@c\"@example.com", "ada@localhost", "ada@[192.0.2.7]", "ada@[IPv6:2001:db8::1]",
        "a@xn--bcher-kva.example",
    ])
    func validAddressIsKeptAsWritten(text: String) throws {
        #expect("\(try EmailAddress(text))" == text)
    }

    @Test func addressesAreEqualWithoutTheCaseOfTheDomain() throws {
        let one = try EmailAddress("ada@example.com")
        #expect(Set([one, try EmailAddress("ada@Example.COM")]).count == 1)
        #expect(try EmailAddress("Ada@example.com") != one)
    }

    @Test(arguments: [
        "", "ada", "@example.com", "ada@", "ada@example.com, eve@example.com",
        "ada@example.com\r\nBcc: eve@example.com",
        "ada@exam\0ple.com", "a..b@example.com", ".a@example.com", "a.@example.com", "a b@example.com",
        "ada@-example.com",
        "ada@example-.com", "ada@example..com", "ada@exa_mple.com", "ada@bücher.example", "ädä@example.com",
        "<ada@example.com>",
        "Ada <ada@example.com>", "\"ada@example.com", "\"ada\"lovelace@example.com", "\"ada\\\"@example.com", "a@[]",
        "a@[x]y",
        "a@[1]>,<eve@example.com", "ada@eve@example.com", String(repeating: "a", count: 65) + "@example.com",
        "a@" + String(repeating: "a", count: 64) + ".com", "a@" + String(repeating: "a.", count: 130) + "com",
    ])
    func invalidAddressIsRefused(text: String) throws {
        let error = try #require(throws: MessagingError.self) { try EmailAddress(text) }
        #expect(error.code == .invalidAddress)
        #expect(error.message.utf8.allSatisfy { $0 != 0x0D && $0 != 0x0A && $0 != 0 })
    }
}
