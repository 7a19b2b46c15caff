internal import WharfCore
internal import WharfJSON

/// An answer of the admin page; a refusal is thrown.
struct AdminAnswer: Error {
    private let status: HTTPResponse.Status
    private let body: [UInt8]
    private var fields: HTTPFields

    init(_ status: Int, _ type: String, _ body: [UInt8]) {
        self.status = HTTPResponse.Status(code: status)
        self.body = body
        // RFC 9110 §8.6: 204 has no length.
        fields = status == 204 ? [:] : [.contentType: type, .contentLength: String(body.count)]
        fields[.cacheControl] = "no-store"
        fields[.xContentTypeOptions] = "nosniff"
        // Another site's page can't show the switches in a frame, under other words.
        fields[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
        fields[.crossOriginResourcePolicy] = "same-origin"
    }

    /// Creates an answer of one line.
    init(_ status: Int, _ line: String) {
        self.init(status, "text/plain; charset=utf-8", Array((line + "\n").utf8))
    }

    static var done: AdminAnswer { AdminAnswer(204, "", []) }

    static var unknown: AdminAnswer { AdminAnswer(404, "there is no such page; / shows the gateway") }

    /// - Parameter methods: the value of `Allow` (RFC 9110 §10.2.1).
    static func notAllowed(_ methods: String) -> AdminAnswer {
        var answer = AdminAnswer(405, "the method is not supported here; send \(methods)")
        answer.fields[.allow] = methods
        return answer
    }

    static func json(_ value: some JSONEncodable) -> AdminAnswer {
        var json = JSONWriter()
        value.encode(into: &json)
        do {
            return AdminAnswer(200, "application/json", try json.finish())
        } catch {
            return AdminAnswer(500, "could not write the state: \(error)")
        }
    }

    /// The web page. Its script and style run by a nonce that a page of another site can't know.
    static func page() -> AdminAnswer {
        var random = SystemRandomNumberGenerator()
        let nonce = (0..<2).map { _ in String(random.next(), radix: 36) }.joined()
        var answer = AdminAnswer(200, "text/html; charset=utf-8", Array(AdminPage.html(nonce: nonce).utf8))
        answer.fields[.contentSecurityPolicy] =
            "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; connect-src 'self'; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        return answer
    }

    func response(at now: WallTime) -> TransportResponse {
        TransportResponse(
            head: HTTPResponse(status: status, headerFields: fields), body: BodyStream(body),
            provenance: Provenance(source: .memory, asOf: now))
    }
}
