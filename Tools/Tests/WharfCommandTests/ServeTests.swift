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
        (
            ["serve", "--origin", "http://a", "--fault", "3g", "--no-cache", "--listen", "here"],
            "--listen: expected an address and a port"
        ),
        (["serve", "--origin", "http://a", "--seed", "1"], "--seed: expected --fault beside it, found none"),
        (["serve", "--origin", "http://a", "--private", "--shared"], "--private and --shared contradict each other"),
        (
            ["serve", "--origin", "http://a", "--private", "--store-set-cookie"],
            "--store-set-cookie and --private can't be combined, because a private cache keeps"
        ),
        (
            ["serve", "--origin", "http://a", "--fault", "3g", "--no-cache", "--store-set-cookie"],
            "--no-cache and --store-set-cookie can't be combined"
        ),
        (
            ["serve", "--origin", "http://a", "--fault", "3g", "--no-cache", "--cache", "a.sqlite"],
            "--no-cache and --cache can't be combined"
        ),
        (
            ["serve", "--origin", "http://a", "--fault", "3g", "--no-cache", "--admin", "127.0.0.1:0"],
            "--no-cache and --admin can't be combined"
        ),
        (["serve", "--origin", "http://a", "--no-cache"], "--no-cache: expected --fault beside it, found none"),
        (["serve", "--origin", "http://a", "--certificate", "a"], "--certificate: expected --key beside it"),
        (["serve", "--origin", "http://a", "--key", "a"], "--key: expected --certificate beside it"),
        (
            [
                "serve", "--origin", "http://a", "--listen", "127.0.0.1:0", "--certificate", "/no.pem", "--key",
                "/no.key",
            ],
            "wharf: --certificate: "
        ),
        (
            ["serve", "--origin", "http://a", "--listen", "127.0.0.1:0", "--admin", "here"],
            "wharf: --admin: expected an address and a port"
        ),
        (["serve", "--origin", "http://a", "--offline"], "--offline: expected --cache beside it"),
        (["serve", "--origin", "http://a", "--cache", "a/"], "--cache: expected the name of a file, found 'a/'"),
        (
            ["serve", "--origin", "http://a", "--max-bytes", "many"],
            "--max-bytes: expected a number of bytes, found 'many'"
        ),
        (["serve", "--origin", "http://a", "--stale-if-error", "-1"], "--stale-if-error: expected a whole number"),
        (
            ["serve", "--origin", "http://a", "--record", "a", "--replay", "a"],
            "--record and --replay can't be combined"
        ),
        (["serve", "--origin", "http://a", "--record", "a/"], "--record: expected the name of a file, found 'a/'"),
        (
            ["serve", "--origin", "http://a", "--listen", "127.0.0.1:0", "--replay", "/no.json"],
            "wharf: --replay: could not read the recording /no.json"
        ),
        (["serve", "--origin", "http://a", "--amdin", "x"], "Unknown option '--amdin'"),
    ])
    func usageErrorNamesTheExpectation(arguments: [String], expected: String) async throws {
        let result = try await Session().run(arguments)
        #expect(result.status == .usage)
        #expect(result.output.isEmpty)
        #expect(result.error.contains(expected), "\(result.error)")
    }

    @Test(arguments: [[], ["--fault", "3g"], ["--fault", "3g", "--no-cache"]]) func portInUseIsReported(
        options: [String]
    ) async throws {
        try await TestServer.run { server in
            let arguments = ["serve", "--origin", "http://a", "--listen", server.authority]
            let result = try await Session().run(arguments + options)
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
                "--no-cache", "--seed", "42", "--verbose",
            ]
            let serving = Task {
                // Without it, a serve that ends without an address would hang the test.
                defer { source.finish() }
                return await session.run(arguments, "", nil) { source.yield(String(decoding: $0, as: UTF8.self)) }
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
                "serving \(server.baseURL) without a cache; faults: status=503,first=1; seed: 42; Ctrl-C ends it",
                "request 1: status=503,first=1", "request 2: ", "stopped",
            ] {
                #expect(result.error.contains(line), "\(result.error)")
            }
        }
    }

    /// The origin is refused from its second answer on, and the kept one stands in for it.
    @Test func faultsAreBetweenTheCacheAndTheOrigin() async throws {
        try await TestServer.run { server in
            server.route(.get, "/users/1", .text("ada"))
            let session = try Session()
            let (addresses, source) = AsyncStream.makeStream(of: String.self)
            let arguments = [
                "serve", "--origin", server.baseURL, "--listen", "127.0.0.1:0", "--private", "--fault",
                "refused,from=2", "--seed", "42", "--verbose",
            ]
            let serving = Task {
                // Without it, a serve that ends without an address would hang the test.
                defer { source.finish() }
                return await session.run(arguments, "", nil) { source.yield(String(decoding: $0, as: UTF8.self)) }
            }
            let address = try #require(await addresses.first { _ in true }).dropLast()
            #expect(await session.get("\(address)/users/1", "--policy", "network-only").text == "ada")
            let kept = await session.get("\(address)/users/1", "--policy", "network-only")
            #expect(kept.status == .delivered && kept.text == "ada", "\(kept.error)")
            #expect(await session.get("\(address)/users/2", "--policy", "network-only").status == .errorStatus)
            serving.cancel()
            let result = await serving.value
            #expect(server.requests.count == 1)
            for line in ["in memory; faults: refused,from=2; seed: 42; Ctrl-C", "request 2 to the origin: refused"] {
                #expect(result.error.contains(line), "\(result.error)")
            }
        }
    }

    @Test func adminPageIsServedUntilTheGatewayEnds() async throws {
        try await TestServer.run { server in
            server.route(.get, "/users/1", .text("ada"))
            let session = try Session()
            let (addresses, source) = AsyncStream.makeStream(of: String.self)
            let (lines, report) = AsyncStream.makeStream(of: String.self)
            let arguments = [
                "serve", "--origin", server.baseURL, "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0",
            ]
            let serving = Task {
                await session.run(
                    arguments, "", nil, { source.yield(String(decoding: $0, as: UTF8.self)) },
                    report: { report.yield($0) })
            }
            let address = try #require(await addresses.first { _ in true }).dropLast()
            let greeting = try #require(await lines.first { $0.contains("admin page: ") })
            let parts = greeting.split(separator: "; ")
            let page = try #require(parts.first { $0.hasPrefix("admin page: ") }).dropFirst(12)
            #expect(await session.get("\(address)/users/1").text == "ada")
            #expect(await session.get("\(page)/healthz", "--policy", "network-only").status == .delivered)
            let state = await session.get("\(page)/entries.json", "--policy", "network-only")
            #expect(state.text.contains("/users/1"), "\(state.text) \(state.error)")
            serving.cancel()
            #expect(await serving.value.status == .cancelled)
        }
    }

    /// The second run has no origin, and asks twice for an answer that was recorded once.
    @Test func recordingIsReplayedWithoutTheOrigin() async throws {
        let folder = try TemporaryFolder()
        try await TestServer.run { server in
            server.route(.get, "/users/1", .json("{\"id\": 1}", fields: [.cacheControl: "no-store"]))
            let session = try Session()
            for option in ["--record", "--replay"] {
                let (addresses, source) = AsyncStream.makeStream(of: String.self)
                let arguments = [
                    "serve", "--origin", server.baseURL, "--listen", "127.0.0.1:0", option, folder.path("api.json"),
                ]
                let serving = Task {
                    await session.run(arguments, "", nil) { source.yield(String(decoding: $0, as: UTF8.self)) }
                }
                let address = try #require(await addresses.first { _ in true }).dropLast()
                for _ in 0..<(option == "--record" ? 1 : 2) {
                    let answer = await session.get("\(address)/users/1", "--policy", "network-only")
                    #expect(answer.status == .delivered && answer.text == "{\"id\": 1}", "\(option): \(answer.error)")
                }
                serving.cancel()
                let result = await serving.value
                #expect(result.status == .cancelled && result.error.contains(folder.path("api.json")))
                if option == "--record" { await server.stop() }
            }
            #expect(server.requests.count == 1)
            #expect(try folder.contents("api.json").contains("/users/1"))
        }
    }

    @Test(arguments: [([], false), (["--store-set-cookie"], true)])
    func setCookieIsStoredOnlyByItsFlag(options: [String], isStored: Bool) async throws {
        let folder = try TemporaryFolder()
        try await TestServer.run { server in
            server.route(.get, "/a", .text("a").maxAge(60).adding(.setCookie, "theme=dark"))
            let session = try Session()
            let (addresses, source) = AsyncStream.makeStream(of: String.self)
            let arguments = [
                "serve", "--origin", server.baseURL, "--listen", "127.0.0.1:0", "--cache", folder.path("c"),
            ]
            let serving = Task {
                // Without it, a serve that ends without an address would hang the test.
                defer { source.finish() }
                return await session.run(arguments + options, "", nil) {
                    source.yield(String(decoding: $0, as: UTF8.self))
                }
            }
            let address = try #require(await addresses.first { _ in true }).dropLast()
            #expect(await session.get("\(address)/a").text == "a")
            serving.cancel()
            #expect(await serving.value.status == .cancelled)
            let kept = await session.run(["cache", "show", "\(server.baseURL)/a", "--cache", folder.path("c")])
            #expect(kept.status == .delivered, "\(kept.error)")
            #expect(kept.text.contains("Set-Cookie") == isStored, "\(kept.text)")
        }
    }

    /// The first run stores the answer, and the second one has no origin.
    @Test func cachedAnswersAreServedWithoutTheOrigin() async throws {
        let folder = try TemporaryFolder()
        try await TestServer.run { server in
            server.route(.get, "/users/1", .json("{\"id\": 1}"))
            let session = try Session()
            for options in [["--verbose"], ["--offline"], ["--stale-if-error", "always"]] {
                let (addresses, source) = AsyncStream.makeStream(of: String.self)
                let arguments = [
                    "serve", "--origin", server.baseURL, "--listen", "127.0.0.1:0", "--cache", folder.path("c"),
                ]
                let serving = Task {
                    await session.run(arguments + ["--private"] + options, "", nil) {
                        source.yield(String(decoding: $0, as: UTF8.self))
                    }
                }
                let address = try #require(await addresses.first { _ in true })
                let answer = await session.get("\(address.dropLast())/users/1")
                #expect(answer.status == .delivered && answer.text == "{\"id\": 1}", "\(options): \(answer.error)")
                serving.cancel()
                let result = await serving.value
                #expect(result.status == .cancelled)
                #expect(result.error.contains("serving \(server.baseURL); private cache: \(folder.path("c"))"))
                if options == ["--verbose"] {
                    #expect(result.error.contains("GET /users/1: 200; cache; fwd=uri-miss"), "\(result.error)")
                    await server.stop()
                }
            }
            #expect(server.requests.count == 1)
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
                "$WHARF" serve --origin \(server.baseURL) --listen 127.0.0.1:0 --fault latency=1ms --no-cache > address & serving=$!
                read -r url < address
                "$WHARF" get "$url/" --cache cache.sqlite; echo " $?"
                kill -\(signal) $serving; wait $serving; echo "serve $?"
                """)
            #expect(String(decoding: result.output, as: UTF8.self) == "hello 0\nserve \(status)\n", "\(result.error)")
            #expect(result.error.contains("faults: latency=1ms; seed: "))
        }
    }

    /// The second renewal has a key of another certificate.
    @Test func hangupReadsTheCertificateAgain() async throws {
        let folder = try TemporaryFolder()
        for (name, certificate) in [("first", TestCertificate.first), ("renewed", .renewed)] {
            try folder.write(certificate.chain, to: "\(name).pem")
            try folder.write(certificate.key, to: "\(name).key")
        }
        let result = try await Child.shell(
            """
            cd '\(folder.path(""))'; mkfifo address report
            cp first.pem chain.pem; cp first.key key.pem
            "$WHARF" serve --origin http://127.0.0.1:1 --listen 127.0.0.1:0 --certificate chain.pem --key key.pem \\
                > address 2> report & serving=$!
            exec 3< address 4< report
            read -r url <&3; read -r greeting <&4
            cp renewed.pem chain.pem; cp renewed.key key.pem
            kill -HUP $serving; read -r line <&4; echo "$line"
            cp first.key key.pem
            kill -HUP $serving; read -r line <&4; echo "$line"
            kill -TERM $serving; wait $serving; echo "serve $?"
            """)
        let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
        try #require(lines.count == 3, "\(lines) \(result.error)")
        #expect(lines[0] == "loaded the certificate in chain.pem; it expires at 2121-01-01T00:00:00Z")
        #expect(lines[1].contains("private key in key.pem: it does not belong to the certificate in chain.pem"))
        #expect(lines[1].hasSuffix("; the old certificate is served on"))
        #expect(lines[2] == "serve 143")
    }
}
