import Testing
import WharfCore
import WharfFakes
import WharfHTTP
import WharfRandom

struct CurlTests {
    private func request(
        _ method: HTTPRequest.Method = .get, path: String = "/", fields: HTTPFields = [:], body: RequestBody = .none
    ) -> TransportRequest {
        TransportRequest(
            HTTPRequest(method: method, scheme: "https", authority: "h", path: path, headerFields: fields), body: body)
    }

    private func body(of request: TransportRequest) async throws -> [UInt8] {
        let (arguments, input) = try await Shell.curlArguments(of: try await request.curl(revealing: true))
        guard let index = arguments.firstIndex(of: "--data-raw") else { return input }
        return Array(arguments[index + 1].utf8)
    }

    @Test func clientFormatsARequestAsACurlCommand() async throws {
        let client = try APIClient.testing(StubTransport([]))
        let command = try await client.curl(for: Request<User>.get("users/1"))
        #expect(command == "curl https://api.example.com/users/1 -H 'Accept: application/json'")
    }

    @Test func aRequestThatCouldNotBeSentHasNoCommand() async throws {
        let client = try APIClient.testing(StubTransport([]))
        let error = await #expect(throws: ReadFailure.self) {
            try await client.curl(for: Request<User>.get("users/\("..")"))
        }
        #expect(error?.code == .invalidRequest)
    }

    @Test(arguments: [
        "plain", "", "it's", "'''", "a\nb\r\n", "$HOME `id` $(id) \\ \" ! * ? ~ # & ; | < >", "@file", "-d", "ä ∞",
        "\t\u{1}\u{7f}", "%s%n%%", "*", "\n",
    ])
    func theShellGivesBackTheBody(_ text: String) async throws {
        #expect(try await body(of: request(.post, body: .bytes(Array(text.utf8)))) == Array(text.utf8))
    }

    @Test func theShellGivesBackEveryByte() async throws {
        let all = [UInt8](0...255)
        for bytes in [all, Array(all.reversed()), [UInt8(ascii: "-"), 0], [0], [0xff], [0, UInt8(ascii: "7")]] {
            #expect(try await body(of: request(.post, body: .bytes(bytes))) == bytes)
        }
    }

    @Test func theShellGivesBackRandomBytes() async throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<40 {
            let bytes = (0..<Int.random(in: 0..<200, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            #expect(try await body(of: request(.put, body: .bytes(bytes))) == bytes)
        }
    }

    @Test func bodyLongerThanAnArgumentIsPreserved() async throws {
        let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 300_000)
        #expect(try await body(of: request(.post, body: .bytes(bytes))) == bytes)
    }

    @Test func streamedBodyIsIncludedInTheCommand() async throws {
        let body = RequestBody.stream({ BodyStream(Array("it's".utf8)) }, length: 4)
        #expect(try await self.body(of: request(.post, body: body)) == Array("it's".utf8))
    }

    @Test func fieldsAndURLArriveAsTheyAre() async throws {
        var fields: HTTPFields = [.authorization: "Bearer it's $a secret", .acceptLanguage: ""]
        fields.append(HTTPField(name: .accept, value: "a/b"))
        fields.append(HTTPField(name: .accept, value: "c/d"))
        let command = try await request(.delete, path: "/a'b/../[1]?token=t&x", fields: fields).curl(revealing: true)
        let (arguments, _) = try await Shell.curlArguments(of: command)
        #expect(
            arguments == [
                "-X", "DELETE", "--globoff", "--path-as-is", "https://h/a'b/../[1]?token=t&x",
                "-H", "Authorization: Bearer it's $a secret", "-H", "Accept-Language;", "-H", "Accept: a/b", "-H",
                "Accept: c/d",
            ])
    }

    @Test func secretsAreLeftOutUnlessAskedFor() async throws {
        let key = try #require(HTTPField.Name("X-API-Key"))
        let fields: HTTPFields = [.authorization: "hunter2", .cookie: "hunter2", key: "hunter2", .accept: "text/plain"]
        let secret = request(.post, path: "/?key=hunter2&hunter2", fields: fields, body: .bytes(Array("hunter2".utf8)))
        let command = try await secret.curl()
        #expect(!command.contains("hunter2"))
        #expect(command.contains("'Authorization: ***'") && command.contains("'Accept: text/plain'"))
        #expect(command.contains("'*** (7 bytes)'"))
        #expect(try await secret.curl(revealing: true).components(of: "hunter2") == 6)
    }

    @Test func hiddenStreamIsNotRead() async throws {
        let endless = EndlessBody(chunk: [1])
        let hidden = request(.post, body: .stream({ BodyStream(endless) }, length: nil))
        #expect(try await hidden.curl().contains("--data-raw '***'"))
        #expect(endless.pulled == 0)
    }

    @Test func aNULInAnArgumentIsRefused() {
        let error = #expect(throws: TransportError.self) { try ShellWord.quoted("a\0b") }
        #expect(error?.code == .invalidRequest)
    }

    @Test func aBodyTooLongForACommandLineIsRefused() async {
        let endless = RequestBody.stream(
            { BodyStream(EndlessBody(chunk: [UInt8](repeating: 1, count: 4096))) }, length: nil)
        for body in [endless, .bytes([UInt8](repeating: 1, count: 1 << 20 | 1))] {
            let error = await #expect(throws: TransportError.self) {
                try await request(.post, body: body).curl(revealing: true)
            }
            #expect(error?.code == .tooLarge)
        }
    }
}

extension String {
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
