import Testing
import Wharf
import WharfChecks
import WharfTestServer

@testable import WharfCommand

struct ServeTests {
    @Test(arguments: [
        (["serve"], "expected --origin, found none; try wharf serve --origin https://api.example.com"),
        (["serve", "--origin", "api.example.com"], "found 'api.example.com'; try https://api.example.com"),
        (
            ["serve", "--origin", "file:///etc/hosts"],
            "--origin: expected an http or https URL, found 'file:///etc/hosts'"
        ),
        (["serve", "--origin", "http://a/v1"], "expected a URL without a path, found '/v1' after a"),
        (["serve", "--origin", "http://a/?key=1"], "expected a URL without a path, found '/?key=***' after a"),
        (["serve", "--origin", "http://a/%zz"], "% at character 10 of 'http://a/%zz'"),
        (["serve", "--origin", "http://a", "--fault", "4g"], "--fault: expected a preset (offline, very-bad,"),
        (["serve", "--origin", "http://a", "--fault", "3g;reset@x"], "found 'reset@x' at character 4"),
        (["serve", "--origin", "http://a", "--seed", "-1"], "--seed: expected a whole number, found '-1'"),
        (["serve", "--origin", "http://a", "--listen", "here"], "--listen: expected an address and a port"),
    ])
    func usageErrorNamesTheExpectation(arguments: [String], expected: String) async throws {
        let result = try await Session().run(arguments)
        #expect(result.status == .usage)
        #expect(result.output.isEmpty)
        #expect(result.error.contains(expected), "\(result.error)")
    }

    @Test func portInUseIsReported() async throws {
        try await TestServer.run { server in
            let result = try await Session().run(["serve", "--origin", "http://a", "--listen", server.authority])
            #expect(result.status == .usage && result.output.isEmpty)
            #expect(result.error.contains("--listen: could not listen at \(server.authority)"), "\(result.error)")
        }
    }

    @Test func originIsServedWithFaultsUntilCancelled() async throws {
        try await TestServer.run { server in
            server.route(.get, "/users/1", .json("{\"id\": 1}"))
            let session = try Session()
            let (addresses, source) = AsyncStream.makeStream(of: String.self)
            let arguments = [
                "serve", "--origin", server.baseURL, "--listen", "127.0.0.1:0", "--fault", "status=503,first=1",
                "--seed", "42", "--verbose",
            ]
            let serving = Task {
                await session.run(arguments, "", nil) { source.yield(String(decoding: $0, as: UTF8.self)) }
            }
            let address = try #require(await addresses.first { _ in true })
            #expect(address.hasPrefix("http://127.0.0.1:") && address.hasSuffix("\n"))
            let url = "\(address.dropLast())/users/1"
            let refused = await session.get(url)
            #expect(refused.status == .errorStatus)
            #expect(refused.text == "fault injected by seed 42, exchange 1: status=503,first=1\n")
            let answer = await session.get(url)
            #expect(answer.status == .delivered && answer.text == "{\"id\": 1}")
            #expect(server.requests.map { $0.fields[values: .init("Host")!] } == [[server.authority]])
            serving.cancel()
            let result = await serving.value
            #expect(result.status == .cancelled)
            for line in [
                "serving \(server.baseURL); faults: status=503,first=1; seed: 42; Ctrl-C ends it",
                "request 1: status=503,first=1", "request 2: ", "stopped",
            ] {
                #expect(result.error.contains(line), "\(result.error)")
            }
        }
    }

    /// The answer is cut at each byte. Its trailers once ended Foundation's client with its
    /// process.
    @Test func brokenAnswersOfTheOriginDoNotEndServe() async throws {
        let whole = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nServer-Timing: db\r\n\r\n"
        let answers = (0...whole.utf8.count).map { Array(whole.utf8.prefix($0)) }
        try await TestServer.run { server in
            server.route(.get, "/:cut") { request in
                request.parameters["cut"].flatMap { Int($0) }.map { .raw(answers[$0]) } ?? .status(.notFound)
            }
            server.route(.get, "/well", .text("well"))
            let session = try Session()
            let (addresses, source) = AsyncStream.makeStream(of: String.self)
            let serving = Task {
                await session.run(["serve", "--origin", server.baseURL, "--listen", "127.0.0.1:0"], "", nil) {
                    source.yield(String(decoding: $0, as: UTF8.self))
                }
            }
            let address = try #require(await addresses.first { _ in true })
            for cut in answers.indices {
                let answer = await session.get("\(address.dropLast())/\(cut)")
                #expect((answer.status == .delivered) == (cut == answers.count - 1), "\(cut): \(answer.text)")
            }
            #expect(await session.get("\(address.dropLast())/well").text == "well")
            serving.cancel()
            #expect(await serving.value.status == .cancelled)
        }
    }

    @Test func helpNamesEveryFaultThatCanBeWritten() async throws {
        let result = try await Session().run(["serve", "--help"])
        #expect(result.status == .delivered && result.error.isEmpty)
        for text in [
            "offline", "very-bad", "dial-up", "edge", "3g", "dsl", "lte", "latency=", "bandwidth=", "loss=", "refused",
            "down", "reset@512", "reset@2s", "truncate@", "slowclose=", "slice=", "corrupt=", "status=", "garbage=",
            "to=server", "p=30%", "first=", "from=", "after=", "until=",
        ] {
            #expect(result.text.contains(text), "\(text) in \(result.text)")
        }
    }

    @Test(arguments: [("INT", 130), ("TERM", 143)])
    func aSignalEndsTheProcess(signal: String, status: Int) async throws {
        let folder = try TemporaryFolder()
        try await TestServer.run { server in
            server.route(.get, "/", .text("hello"))
            let result = try await Child.shell(
                """
                cd '\(folder.path(""))'; mkfifo address
                "$WHARF" serve --origin \(server.baseURL) --listen 127.0.0.1:0 --fault latency=1ms > address & serving=$!
                read -r url < address
                "$WHARF" get "$url/" --cache cache.sqlite; echo " $?"
                kill -\(signal) $serving; wait $serving; echo "serve $?"
                """)
            #expect(String(decoding: result.output, as: UTF8.self) == "hello 0\nserve \(status)\n", "\(result.error)")
            #expect(result.error.contains("faults: latency=1ms; seed: "))
        }
    }
}
