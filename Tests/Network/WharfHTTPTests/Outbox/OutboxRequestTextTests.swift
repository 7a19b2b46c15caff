import Testing
import WharfCore
import WharfHTTP

@Suite struct OutboxRequestTextTests {
    private let fields: HTTPFields = [.contentType: "text/plain", .authorization: "Bearer s3cr3t"]

    @Test(arguments: [
        ("https://a.example/x", "https://a.example/x"), ("notes/1", "notes/1"), ("notes?q=s3cr3t&b", "notes?q=***&***"),
        ("https://u:s3cr3t@a.example/x@y?k=s3cr3t#part", "https://***@a.example/x@y?k=***"),
        ("https://s3cr3t@a.example?k=s3cr3t", "https://***@a.example?k=***"),
    ])
    func secretsAreLeftOut(address: String, shown: String) {
        let request = OutboxRequest(.put, address, fields: fields, body: [1])
        #expect(request.head() == ["PUT \(shown)", "Content-Type: text/plain", "Authorization: ***"])
        #expect(
            request.head(revealing: true)
                == ["PUT \(address)", "Content-Type: text/plain", "Authorization: Bearer s3cr3t"])
    }

    @Test(arguments: [
        ("https://a.example/x", true), ("HTTP://a.example:8080", true), ("notes/1", false), ("", false),
        ("file:///etc/passwd", false), ("ftp://a.example/", false), ("https:///x", false),
        ("https://u:p@a.example/", false),
        ("//a.example/x", false), ("?to=https://a.example/", false),
    ])
    func requestIsSelfContainedIfItsAddressIsAnHTTPURL(address: String, isSelfContained: Bool) {
        #expect(OutboxRequest(.post, address).isSelfContained == isSelfContained)
    }
}
