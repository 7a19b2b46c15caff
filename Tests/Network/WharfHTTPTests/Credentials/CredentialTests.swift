import Testing
import WharfCore
import WharfHTTP

@Suite struct CredentialTests {
    /// The examples of RFC 7617 §2 and §2.1.
    @Test(arguments: [
        ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
        ("test", "123\u{A3}", "Basic dGVzdDoxMjPCow=="),
        ("", "", "Basic Og=="), ("a", "b:c", "Basic YTpiOmM="),
    ])
    func basicIsAsInTheStandard(_ user: String, _ password: String, _ expected: String) throws {
        #expect(try Credential.basic(user: user, password: password).authorization == expected)
    }

    @Test(arguments: [("a:b", "c"), ("a\n", "c"), ("a", "c\0"), ("a", "\u{7f}")])
    func basicRefusesInvalidUserOrPassword(_ user: String, _ password: String) {
        let error = #expect(throws: TransportError.self) { try Credential.basic(user: user, password: password) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains(password) == false || password == "c")
    }

    @Test(arguments: ["", "a\nb", "a\r\nX: y", "token\n", "\0", "token "])
    func aTokenThatAFieldCannotHoldIsRefused(_ token: String) {
        let error = #expect(throws: TransportError.self) { try Credential.bearer(token) }
        #expect(error?.code == .invalidRequest)
    }

    @Test func credentialDescriptionHidesTheSecret() throws {
        let credential = try Credential.bearer("hunter2")
        var dumped = ""
        dump(credential, to: &dumped)
        for text in ["\(credential)", String(reflecting: credential), dumped] { #expect(!text.contains("hunter2")) }
        #expect("\(credential)" == "Bearer ***")
        #expect("\(try Credential(authorization: "hunter2"))" == "***")
    }
}
