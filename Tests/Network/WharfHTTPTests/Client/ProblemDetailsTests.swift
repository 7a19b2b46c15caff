import LiveTransport
import Testing
import WharfCore
import WharfFakes
import WharfJSON
import WharfTestServer

@testable import WharfHTTP

/// Error answers in the form of RFC 9457.
@Suite struct ProblemDetailsTests {
    /// The example of RFC 9457, section 3.
    private static let example = """
        {"type": "https://example.com/probs/out-of-credit", "title": "You do not have enough credit.",
         "detail": "Your current balance is 30, but that costs 50.", "instance": "/account/12345/msgs/abc",
         "status": 403, "balance": 30, "accounts": ["/account/12345", "/account/67890"]}
        """

    @Test func theMembersAreThoseOfTheRFC() throws {
        let problem = try #require(ProblemDetails(Array(Self.example.utf8)))
        #expect(problem.type == "https://example.com/probs/out-of-credit")
        #expect(problem.status == 403)
        #expect(problem.instance == "/account/12345/msgs/abc")
        #expect(problem["balance"]?.description == "30")
        #expect(
            problem.description == "You do not have enough credit.: Your current balance is 30, but that costs 50.")
    }

    /// RFC 9457 §3.1 requires that.
    @Test func aMemberOfAnotherTypeIsIgnored() throws {
        let problem = try #require(ProblemDetails(Array(#"{"title": 1, "status": "403", "detail": "d"}"#.utf8)))
        #expect(problem.title == nil && problem.status == nil && problem.type == "about:blank")
        #expect(problem.description == "d")
    }

    @Test(arguments: ["", "[]", "{", "null"])
    func nonObjectIsNotAProblem(body: String) { #expect(ProblemDetails(Array(body.utf8)) == nil) }

    @Test(arguments: [
        ("application/problem+json", true), ("Application/Problem+JSON; charset=utf-8", true),
        ("application/problem+json ;q=1", true), ("application/json", false), ("", false),
    ])
    func contentTypeDecidesWhetherThereIsAProblem(type: String, isProblem: Bool) {
        #expect(ProblemDetails.isIn(HTTPResponse(status: .forbidden, headerFields: [.contentType: type])) == isProblem)
    }

    @Test func titleAndDetailAreInTheMessageOfAFailure() async throws {
        try await TestServer.run { server in
            let answer = TestResponse(
                .forbidden, fields: [.contentType: "application/problem+json"], body: Array(Self.example.utf8))
            server.route(.get, "/notes", answer)
            let client = APIClient(environment: try APIEnvironment(server.baseURL), transport: liveTransport())
            do {
                _ = try await client.fetch(.get("notes", decoding: .bytes))
                Issue.record("expected a failure")
            } catch {
                let failure = try #require(error as? ReadFailure)
                #expect(failure.problem?.status == 403)
                #expect(failure.message.hasSuffix("but that costs 50."))
                #expect(WriteFailure(failure).problem == failure.problem)
            }
        }
    }
}
