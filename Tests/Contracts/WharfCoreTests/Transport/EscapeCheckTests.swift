import Testing
import WharfCore

struct EscapeCheckTests {
    @Test func invalidEscapeIsRefusedWithoutShowingTheQuery() {
        let error = #expect(throws: TransportError.self) {
            try HTTPRequest(method: .get, scheme: "http", authority: "h", path: "/a%zz?key=hunter2").checkEscapes()
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("hunter2") == false)
    }
}
