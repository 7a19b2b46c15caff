import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfRandom
import WharfRecording

struct RedactionTests {
    let folder: TemporaryFolder
    var file: String { folder["exchanges.json"] }

    init() throws { folder = try TemporaryFolder() }

    private func text() throws -> String { String(decoding: try folder.bytes(of: "exchanges.json"), as: UTF8.self) }

    /// Sends one request through a recorder, and returns the file's content.
    private func recorded(
        _ request: TransportRequest, _ answer: StubAnswer, _ rules: Redaction = .standard
    ) async throws -> String {
        let recorder = try RecordingTransport(over: StubTransport([answer]), into: file, redacting: rules)
        _ = try await recorder.send(request).body.collect()
        return try text()
    }

    @Test func credentialFieldsAreRedacted() async throws {
        var request = TransportRequest.sample(.get, "/")
        request.head.headerFields[.authorization] = "Bearer live-4711"
        request.head.headerFields[.proxyAuthorization] = "Basic cHJveHk6cHc="
        request.head.headerFields[.cookie] = "sid=s-0815; theme=dark-42"
        request.head.headerFields[try #require(.init("X-Api-Key"))] = "k-1234-5678"
        var answer = StubAnswer.ok("")
        answer.head?.headerFields[.setCookie] = "sid=s-0816; Path=/; HttpOnly"
        let file = try await recorded(request, answer)
        for secret in ["live-4711", "cHJveHk6cHc=", "s-0815", "dark-42", "k-1234-5678", "s-0816"] {
            #expect(!file.contains(secret), "\(secret) is in the file")
        }
        #expect(file.contains(#""Authorization": "Bearer ***""#))
        #expect(file.contains(#""Set-Cookie": "sid=***; Path=/; HttpOnly""#))
        #expect(file.contains(#""request's field Authorization""#))
    }

    @Test func queriesAndUserInfoAreRedacted() async throws {
        var request = TransportRequest.sample(.get, "/list?page=2&access_token=live-4711&sig=abc&monkey=banana")
        request.head.authority = "ada:hunter2@api.example.com"
        let answer = StubAnswer.respond(
            .found, fields: [.location: "https://x.example/?apiKey=zzz-9#token=t-77"],
            "see https://x.example/#id_token=tok-99 now")
        let file = try await recorded(request, answer)
        #expect(file.contains("https://***@api.example.com/list?page=2&access_token=***&sig=***&monkey=banana"))
        #expect(file.contains("https://x.example/?apiKey=***#token=***"))
        #expect(file.contains("see https://x.example/#id_token=*** now"))
        #expect(!file.contains("hunter2"))
    }

    @Test func jsonMembersAreRedactedAndKeepTheirType() async throws {
        let request = TransportRequest.sample(.post, "/", body: #"{"user":"ada","password":"hunter-2"}"#)
        let answer = StubAnswer.ok(
            #"{"accessToken":"live-4711","secrets":{"pin":123456,"on":true,"all":["a-1"]},"tokens_left":5,"keyboard":"qwerty"}"#
        )
        _ = try await recorded(request, answer)
        let replay = try ReplayTransport(file)
        let body = try await replay.send(request).body.collect()
        #expect(
            String(decoding: body, as: UTF8.self)
                == #"{"accessToken":"***","secrets":{"pin":0,"on":true,"all":["***"]},"tokens_left":0,"keyboard":"qwerty"}"#
        )
        #expect(try text().contains(#""answer's body: secrets.pin""#))
        #expect(try !text().contains("hunter-2"))
    }

    @Test func formFieldsAreRedacted() async throws {
        var request = TransportRequest.sample(
            .post, "/token", body: "grant_type=password&username=ada&password=hunter%202")
        request.head.headerFields[.contentType] = "application/x-www-form-urlencoded"
        let file = try await recorded(request, .ok(""))
        #expect(file.contains("grant_type=password&username=ada&password=***"))
        request.body = .bytes(Array("password=hunter%202&username=ada".utf8))
        #expect(try await recorded(request, .ok("")).contains("password=***&username=ada"))
        var upload = TransportRequest.sample(
            .post, "/", body: "--b\r\nContent-Disposition: form-data; name=\"api_key\"\r\n\r\nk-17-x\r\n--b--")
        upload.head.headerFields[.contentType] = "multipart/form-data; boundary=b"
        #expect(try await !recorded(upload, .ok("")).contains("k-17-x"))
    }

    @Test func knownSecretIsRedactedInEveryExchange() async throws {
        let stub = StubTransport([
            .ok("hello live-4711"), .ok(#"{"echo":{"headers":["Bearer live-4711"]},"live-4711":1}"#),
            StubAnswer(head: HTTPResponse(status: .ok), chunks: [[0xff] + Array("live-4711".utf8)]),
        ])
        let recorder = try RecordingTransport(over: stub, into: file)
        _ = try await recorder.text("/before/live-4711")
        var request = TransportRequest.sample(.get, "/me")
        request.head.headerFields[.authorization] = "Bearer live-4711"
        _ = try await recorder.send(request).body.collect()
        _ = try await recorder.text("/bytes")
        let file = try text()
        #expect(!file.contains("live-4711"))
        #expect(file.contains("/before/***") && file.contains("hello ***"))
        #expect(!file.contains("bGl2ZS00NzEx"), "it stands there in Base64")
    }

    @Test func secretIsRedactedEncodedAndDecoded() async throws {
        let request = TransportRequest.sample(.get, "/me?token=a%2Bb%20c99")
        let file = try await recorded(request, .ok("a%2Bb%20c99 or a+b c99"))
        #expect(file.contains("*** or ***"))
    }

    @Test func rulesCanBeAddedAndTakenAway() async throws {
        let request = TransportRequest.sample(.get, "/v/abc-env?iban=DE02-1203&nextPageToken=p-2-x")
        let rules = Redaction.standard.hiding(names: ["IBAN"]).hiding(values: ["abc-env"])
            .showing(names: ["next_page_token"])
        let file = try await recorded(request, .ok(#"{"nextPageToken":"p-2-x"}"#), rules)
        #expect(file.contains("/v/***?iban=***&nextPageToken=p-2-x"))
        #expect(file.contains("\"hiddenNames\"") && file.contains("\"nextpagetoken\""))
        let replay = try ReplayTransport(self.file, configuration: .init(hiddenValues: ["abc-env"]))
        #expect(await replay.refusal(request) == nil)
    }

    @Test func commonWordIsRedactedUnderItsNameOnly() async throws {
        let file = try await recorded(
            .sample(.get, "/title"), .ok(#"[{"key":"title","value":"x"},{"title":"a title"}]"#))
        #expect(file.contains("/title\"") && file.contains("\"title\": \"a title\""))
    }

    @Test func aReplayNeedsNoSecret() async throws {
        var request = TransportRequest.sample(.post, "/login?api_key=live-4711", body: #"{"password":"hunter-2"}"#)
        request.head.headerFields[.authorization] = "Bearer live-4712"
        _ = try await recorded(request, .ok("welcome"))
        var other = TransportRequest.sample(.post, "/login?api_key=none", body: #"{"password":"other-one"}"#)
        other.head.headerFields[.authorization] = "Bearer nothing"
        let replay = try ReplayTransport(file, configuration: .init(fields: [.authorization]))
        #expect(try await replay.send(other).body.collect() == Array("welcome".utf8))
    }

    /// Secrets at random places, which must not appear in the file.
    @Test(arguments: 1...100 as ClosedRange<UInt64>)
    func noSecretIsInTheFile(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var secrets: [String] = []
        func secret() -> String {
            secrets.append("s\(random.next() % 1_000_000_000_000)-x\(secrets.count)")
            return secrets[secrets.count - 1]
        }
        let names = ["token", "apiKey", "client_secret", "Password", "X-Session", "sig", "auth"]
        let answers = StubTransport { request in
            .ok("\(request.head.path ?? "") \(request.head.headerFields[.authorization] ?? "")")
        }
        let recorder = try RecordingTransport(over: answers, into: file)
        for _ in 0..<5 {
            let name = try #require(names.randomElement(using: &random))
            // A value that another exchange reveals to be a secret.
            let echo = secrets.randomElement(using: &random) ?? "nothing"
            var request: TransportRequest
            switch Int.random(in: 0..<4, using: &random) {
            case 0: request = .sample(.get, "/\(echo)?a=1&\(name)=\(secret())")
            case 1:
                request = .sample(
                    .post, "/", body: #"{"x":[{"\#(name)":{"deep":"\#(secret())"}}],"echo":"<\#(echo)>"}"#)
            case 2:
                request = .sample(.post, "/", body: "user=ada&\(name)=\(secret())&note=\(echo)")
                request.head.headerFields[.contentType] = "application/x-www-form-urlencoded"
            default:
                request = .sample(.get, "/plain/\(echo)")
                request.head.headerFields[.authorization] = "Bearer \(secret())"
                request.head.headerFields[.cookie] = "a=\(secret()); b=\(echo)"
            }
            _ = try await recorder.send(request).body.collect()
        }
        let file = try text()
        for secret in secrets { #expect(!file.contains(secret), "\(secret), \(random)") }
    }
}
