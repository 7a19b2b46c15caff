import Testing
import WharfCache
import WharfCore
import WharfFakes

/// Stored answers to POST (RFC 9110 §9.3.3).
@Suite struct PostTests {
    private static let fields: HTTPFields = [.cacheControl: "max-age=60", .contentLocation: "/a"]

    private func post(_ fields: HTTPFields = [:]) -> TransportRequest {
        var request = get(fields, method: .post)
        request.body = .bytes(Array("1".utf8))
        return request
    }

    @Test func answerAboutItsTargetAnswersALaterGet() async throws {
        let rig = Rig(.ok("old", fields: Self.fields), .ok("new", fields: Self.fields))
        try await rig.read()
        let (answer, text) = try await rig.read(post())
        #expect(text == "new" && answer.provenance.cacheStatus?.forward == .method)
        #expect(answer.provenance.cacheStatus?.stored == true)
        #expect(try await rig.text() == "new")
        #expect(try await rig.read(get(method: .head)).response.head.status == .ok)
        #expect(rig.origin.requests.count == 2)
    }

    @Test func postIsNeverAnsweredFromTheStore() async throws {
        let rig = Rig(.ok("1", fields: Self.fields), .ok("2", fields: Self.fields))
        #expect(try await rig.text(post()) == "1")
        #expect(try await rig.text(post()) == "2")
        #expect(try await rig.kept() == "2")
    }

    @Test(
        arguments: [
            (200, [.cacheControl: "max-age=60", .contentLocation: "https://example.com/a"], true),
            (200, [.expires: date(60), .contentLocation: ""], true),
            (200, [.cacheControl: "max-age=60"], false),
            (200, [.cacheControl: "max-age=60", .contentLocation: "/b"], false),
            (200, [.cacheControl: "max-age=60", .contentLocation: "https://example.org/a"], false),
            (200, [.cacheControl: "max-age=60", .contentLocation: "/a#b"], false),
            (200, [.cacheControl: "max-age=60", .contentLocation: "/a#b, https://example.org/a"], false),
            (200, [.lastModified: date(-1_000), .contentLocation: "/a"], false),
            (200, [.cacheControl: "no-store, max-age=60", .contentLocation: "/a"], false),
            (201, [.cacheControl: "max-age=60", .contentLocation: "/a"], false),
            (404, [.cacheControl: "max-age=60", .contentLocation: "/a"], false),
        ] as [(Int, HTTPFields, Bool)])
    func onlyAnAnswerWithLifetimeAndLocationIsStored(status: Int, fields: HTTPFields, isKept: Bool) async throws {
        let rig = Rig(.respond(.init(code: status), fields: fields, "text"))
        try await rig.read(post())
        #expect((try await rig.kept() != nil) == isKept)
    }

    @Test(arguments: [HTTPRequest.Method.put, .patch, .delete])
    func answersToOtherMethodsAreNotStored(method: HTTPRequest.Method) async throws {
        let rig = Rig(.ok("text", fields: Self.fields))
        try await rig.read(get(method: method))
        #expect(try await rig.kept() == nil)
    }

    @Test func credentialsWithoutAnAccountStoreNothing() async throws {
        let rig = Rig(.ok("text", fields: Self.fields))
        try await rig.read(post([.cookie: "a=b"]))
        #expect(try await rig.kept() == nil)
    }

    @Test func answerThatAnotherUnsafeRequestOvertakesIsNotStored() async throws {
        let gate = Gate()
        let rig = Rig { request in
            if request.head.method == .put { return .respond(.noContent) }
            return .ok("before", fields: Self.fields).held(by: gate)
        }
        let first = Task { try await rig.text(post()) }
        await gate.arrivals(1)
        // The text of the POST may be older than this change.
        try await rig.read(get(method: .put))
        gate.open()
        #expect(try await first.value == "before")
        #expect(try await rig.kept() == nil)
    }
}
