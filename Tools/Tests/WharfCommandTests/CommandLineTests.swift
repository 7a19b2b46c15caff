import Testing
import Wharf
import WharfTestServer

@testable import WharfCommand

struct CommandLineTests {
    @Test(arguments: [
        (["get"], "expected a URL, found none"),
        (["get", "http://a", "http://b"], "expected one URL, found 2 arguments"),
        (["get", "example.com/x"], "found 'example.com/x'; try https://example.com/x"),
        (["get", "localhost:8080/x"], "found 'localhost:8080/x'; try http://localhost:8080/x"),
        (["get", "ftp://example.com/"], "expected an absolute http, https or file URL, found 'ftp://example.com/'"),
        (["get", "http:///x"], "found no host"),
        (["get", "http://a", "--policy", "fast"], "expected one of standard, cache-first"),
        (["get", "http://a", "--timeout", "soon"], "expected a number of seconds above 0, found 'soon'"),
        (["get", "http://a", "--timeout", "0"], "expected a number of seconds above 0, found '0'"),
        (["get", "http://a", "--max-size", "10X"], "expected a number of bytes, found '10X'"),
        (["get", "http://a", "-X", "G T"], "expected a method such as GET or DELETE, found 'G T'"),
        (["get", "http://a", "-d", "@"], "expected a file name after '@'"),
        (["get", "http://a", "-d", "@/nowhere/at/all"], "found none at '/nowhere/at/all'"),
        (["get", "http://a", "-o", "folder/"], "expected the name of a file, found 'folder/'"),
        (["get", "http://a", "-i", "--json"], "expected -i or --json, found both"),
        (["get", "http://a", "-H", "Accept"], "found no colon in 'Accept'"),
        (["get", "http://a", "-H", "Na me: x"], "expected a field name"),
        (["get", "http://a", "--polcy", "standard"], "Unknown option '--polcy'"),
        (["fetch"], "Unexpected argument 'fetch'"),
        ([], "expected a subcommand, found none"),
    ])
    func usageErrorNamesTheExpectation(arguments: [String], expected: String) async throws {
        let result = try await Session().run(arguments)
        #expect(result.status == .usage)
        #expect(result.output.isEmpty)
        #expect(result.error.contains(expected), "\(result.error)")
    }

    @Test(arguments: [
        ["-H", "Authorization Bearer s3cr3t"],
        ["-H", "Authorization: Bearer\u{7}s3cr3t"],
        ["-H", "Authorization Bearer: s3cr3t"],
        ["-H", "Authorization:", "Bearer", "s3cr3t"],
    ])
    func errorMessagesOmitSecrets(arguments: [String]) async throws {
        let result = try await Session().run(["get", "http://127.0.0.1:1/"] + arguments)
        #expect(result.status == .usage)
        #expect(!result.error.contains("s3cr3t"), "\(result.error)")
    }

    @Test func errorMessagesOmitPasswordsInURLs() async throws {
        let result = try await Session().run(["get", "https://ada:s3cr3t@example.com/"])
        #expect(result.status == .usage)
        #expect(result.error.contains("without a user and password"))
        #expect(!result.error.contains("s3cr3t"))
    }

    @Test func helpNamesEveryExitCodeAndPolicy() async throws {
        let result = try await Session().run(["get", "--help"])
        #expect(result.status == .delivered)
        #expect(result.error.isEmpty)
        for text in [
            "EXAMPLES", "EXIT CODES", "\n  0 ", "\n  3 ", "\n  7 ", "\n  22 ", "\n  64 ", "\n  74 ", "\n  130 ",
        ] {
            #expect(result.text.contains(text), "\(text) in \(result.text)")
        }
        for policy in ReadPolicy.all { #expect(result.text.contains("  \(policy.name) ")) }
    }

    @Test func versionIsPrinted() async throws {
        let result = try await Session().run(["--version"])
        #expect(result.status == .delivered)
        #expect(result.text == "wharf \(Version.number)\n")
    }

    @Test func requestFollowsTheOptions() async throws {
        let session = try Session()
        try session.folder.write("a=1\n&b", to: "body")
        try await TestServer.run { server in
            server.route(nil, "/x", .text("ok"))
            let url = "\(server.baseURL)/x?q=1#fragment"
            _ = await session.get(url)
            _ = await session.get(url, "-d", "a=1")
            _ = await session.get(
                url, "-d", "@" + session.folder.path("body"), "-XPUT", "-H", "Content-Type: text/plain")
            _ = await session.get(
                url, "-d", "@-", "-H", "X-A: 1", "-H", "X-A: 2", "-H", "X-Empty;", "-H", "Accept:", input: "typed")
            let requests = server.requests
            try #require(requests.count == 4)
            #expect(requests.map(\.method) == [.get, .post, .put, .post])
            #expect(requests.map(\.text) == ["", "a=1", "a=1\n&b", "typed"])
            #expect(requests[0].target == "/x?q=1")
            #expect(requests[1].fields[.contentType] == "application/x-www-form-urlencoded")
            #expect(requests[2].fields[.contentType] == "text/plain")
            #expect(requests[0].fields[.userAgent] == "wharf/\(Version.number)")
            let name = try #require(HTTPField.Name("X-A"))
            #expect(requests[3].fields[name]?.filter { $0 != " " } == "1,2")
        }
    }

    @Test(arguments: [
        ("512", 512), ("1K", 1024), ("10M", 10 << 20), ("1.5G", 3 << 29), ("10MB", 10_000_000), ("2KiB", 2048),
        ("5b", 5),
        ("", nil), ("K", nil), ("-1", nil), ("1.5", nil), ("1e3", nil), ("99999999999G", nil),
    ])
    func sizesAreParsed(text: String, bytes: Int?) {
        #expect(ByteCount.parse(text) == bytes)
    }
}
