import Testing
import WharfCore
import WharfHTTP

@Suite struct RequestTests {
    private let environment: APIEnvironment

    init() throws { environment = try APIEnvironment("https://api.example.com") }

    @Test func aRequestIsBuiltWithoutBeingSent() throws {
        let request = Request<User>.post("users", query: ["notify": "yes"], json: User.ann)
        let head = try environment.head(for: request)
        #expect(head.method == .post)
        #expect(head.path == "/users?notify=yes")
        #expect(head.headerFields[.contentType] == "application/json")
        #expect(head.headerFields[.accept] == "application/json")
        #expect(request.body.text == #"{"id":1,"name":"Ann"}"#)
        #expect(request.maximumBodyBytes == 16 * 1024 * 1024)
    }

    @Test func aRequestSaysItsOwnContentTypeAndAccept() throws {
        let fields: HTTPFields = [.contentType: "application/vnd.api+json", .accept: "application/vnd.api+json"]
        let head = try environment.head(for: Request<User>.patch("users/1", fields: fields, json: ["name": "Ann"]))
        #expect(head.headerFields[values: .contentType] == ["application/vnd.api+json"])
        #expect(head.headerFields[values: .accept] == ["application/vnd.api+json"])
    }

    @Test func bytesAskForNoMediaType() throws {
        #expect(try environment.head(for: .get("logo.png", decoding: .bytes)).headerFields.isEmpty)
    }

    @Test func aBodyThatDoesNotEncodeFailsTheRequest() throws {
        let request = Request<User>.put("users/1", json: [Double.infinity])
        let failure = #expect(throws: ReadFailure.self) { try environment.head(for: request) }
        #expect(failure?.code == .invalidRequest)
        #expect(failure?.message.contains("as JSON") == true)
        let mapped = #expect(throws: ReadFailure.self) { try environment.head(for: request.map(\.name)) }
        #expect(mapped == failure)
    }

    @Test(arguments: [
        ("GET", true), ("HEAD", true), ("OPTIONS", true), ("TRACE", true), ("PUT", true), ("DELETE", true),
        ("POST", false), ("PATCH", false), ("CONNECT", false), ("FROB", false),
    ])
    func idempotenceFollowsTheMethodUnlessOverridden(_ row: (method: String, isIdempotent: Bool)) throws {
        let method = try #require(HTTPRequest.Method(row.method))
        var request = Request(method, .path("x"), decoding: .ignored)
        #expect(request.isIdempotent == row.isIdempotent)
        request.isIdempotent = !row.isIdempotent
        #expect(request.isIdempotent == !row.isIdempotent)
        #expect(request.map { 1 }.isIdempotent == !row.isIdempotent)
    }

    @Test func mappingKeepsEverythingButThePayload() throws {
        var request = Request<User>.get("users/1", query: ["a": "b"], fields: [.userAgent: "me"])
        request.timeout = .seconds(3)
        request.maximumBodyBytes = 10
        let mapped = request.map(\.name)
        #expect(try environment.head(for: mapped) == environment.head(for: request))
        #expect(mapped.timeout == .seconds(3))
        #expect(mapped.maximumBodyBytes == 10)
    }
}

extension RequestBody {
    var text: String? {
        guard case .bytes(let bytes) = self else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
