import Testing
import WharfChecks
import WharfCore
import WharfJSON
import WharfPrimitives

@testable import WharfMessaging

@Suite struct GatewayTemplateTests {
    private func part(_ text: String, attributes: [String: String] = [:]) -> MessagePart {
        var part = MessagePart(
            title: text, body: text, name: text, address: text, key: IdempotencyKey("k1"), sentAt: .distantPast)
        part.attributes = attributes
        return part
    }

    private func bytes(_ request: TransportRequest) throws -> String {
        guard case .bytes(let bytes) = request.body else { throw Broken("no bytes") }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func anyTextRemainsOneValueOfADocument() async throws {
        let template = try GatewayTemplate(
            .post, "https://chat.example.com/post",
            body: .json(#"{"text": "*{{title}}*\n{{body}}", "to": ["{{address}}"], "n": 1, "{{key}}": null}"#))
        try await forAll(.string()) { text in
            let sent = try bytes(try template.request(for: part(text), timeout: nil))
            let expected: JSONValue = [
                "text": .init(stringLiteral: "*\(text)*\n\(text)"), "to": [.init(stringLiteral: text)], "n": 1,
                "{{key}}": nil,
            ]
            try require(try JSON.decode(JSONValue.self, from: sent) == expected, "sent \(sent)")
        }
    }

    @Test func anyTextRemainsOneValueOfAFormAndOfAnAddress() async throws {
        let template = try GatewayTemplate(
            .post, "https://sms.example.com/v1/{{address}}/send?text={{body}}&v=2",
            body: .form("to={{address}}&text={{body}}"))
        try await forAll(.string()) { text in
            let request: TransportRequest
            do { request = try template.request(for: part(text), timeout: nil) } catch {
                return try require([".", ".."].contains(text), "refused: \(error)")
            }
            let items = PercentDecoding.items(Substring(try bytes(request)))
            try require(items.map(\.name) == ["to", "text"], "\(items)")
            try require(items.allSatisfy { $0.value.unicodeScalars.elementsEqual(text.unicodeScalars) }, "\(items)")
            let target = (request.head.path ?? "").split(separator: "?", omittingEmptySubsequences: false)
            try require(target.count == 2, "\(target)")
            let segments = target[0].split(separator: "/", omittingEmptySubsequences: false).map {
                PercentDecoding.path($0)
            }
            try require(segments == ["", "v1", text, "send"], "\(segments)")
            try require(PercentDecoding.items(target[1]).map(\.name) == ["text", "v"], "\(target[1])")
        }
    }

    @Test(arguments: [".", ".."])
    func aValueThatLeadsToAnotherPathIsRefused(text: String) throws {
        let template = try GatewayTemplate(.post, "https://sms.example.com/users/{{address}}/messages")
        let error = #expect(throws: MessagingError.self) { try template.request(for: part(text), timeout: nil) }
        #expect(error?.code == .invalidValue)
    }

    @Test(arguments: ["a\r\nX-Evil: 1", "a\nb", "a\0b", "\u{7F}"])
    func aValueThatWouldEndAFieldIsRefused(text: String) throws {
        let template = try GatewayTemplate(
            .post, "https://push.example.com/topic", fields: [.authorization: "{{title}}"], body: .text("{{body}}"))
        let error = #expect(throws: MessagingError.self) { try template.request(for: part(text), timeout: nil) }
        #expect(error?.code == .invalidHeader)
    }

    @Test func textBodyAndFieldsAreSentVerbatim() throws {
        let template = try GatewayTemplate(
            .put, "http://push.example.com:8080", fields: [.authorization: "Bearer {{attributes.token}}"],
            body: .text("{{body}} {not a place} {{key}}"))
        let request = try template.request(
            for: part("grüße & \"x\"", attributes: ["token": "t 1"]), timeout: .seconds(3))
        #expect(try bytes(request) == "grüße & \"x\" {not a place} k1")
        #expect(request.head.method == .put && request.head.scheme == "http" && request.head.path == "/")
        #expect(request.head.authority == "push.example.com:8080" && request.timeout == .seconds(3))
        #expect(request.head.headerFields[.authorization] == "Bearer t 1")
        #expect(request.head.headerFields[.contentType] == "text/plain; charset=utf-8")
        #expect(request.head.headerFields[try #require(HTTPField.Name("Idempotency-Key"))] == "\"k1\"")
        #expect(request.cache == .bypass)
    }

    @Test func anAttributeThatTheMessageDoesNotHaveIsRefused() throws {
        let template = try GatewayTemplate(.get, "https://example.com/{{attributes.link}}")
        let error = #expect(throws: MessagingError.self) { try template.request(for: part("x"), timeout: nil) }
        #expect(error?.code == .invalidValue && error?.message.contains("link") == true)
    }

    @Test(arguments: [
        "https://{{address}}/x", "{{address}}://example.com", "ftp://example.com", "example.com", "https://",
        "https:///x",
        "https://example.com/#x", "https://example.com/a b", "https://example.com/ä", "https://example.com/{{who}}",
        "https://example.com/{{title", "https://example.com/{{attributes.}}", "https://u@{{name}}/",
    ])
    func aTemplateThatCantBeFilledSafelyIsRefused(url: String) {
        let error = #expect(throws: MessagingError.self) { try GatewayTemplate(.post, url) }
        #expect(error?.code == .invalidTemplate)
    }

    @Test(arguments: [#"{"text": {{body}}}"#, "{{body}}", #"{"text": "{{what}}"}"#, #"["{{title"]"#, ""])
    func placeholderOutsideAJSONStringIsRefused(json: String) {
        let error = #expect(throws: MessagingError.self) {
            try GatewayTemplate(.post, "https://example.com", body: .json(json))
        }
        #expect(error?.code == .invalidTemplate)
    }
}
