import NIOHTTP2
import Testing
import WharfCore
import WharfFakes

@testable import WharfGateway

/// Requests that the gateway refuses over HTTP/2 (RFC 9113).
struct StreamRefusalTests {
    /// Makes the fields of a text such as `:method=GET te=trailers`. `HOST` becomes the authority.
    private func fields(_ text: String, of gateway: Gateway) -> [(String, String)] {
        text.replacing("HOST", with: gateway.authority).split(separator: " ").map { field in
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), String(parts[1]))
        }
    }

    /// A malformed request is an error of its stream (RFC 9113 §8.1.1).
    @Test(arguments: [
        ":method=GET :scheme=https :authority=HOST", ":method=GET :authority=HOST :path=/",
        ":scheme=https :authority=HOST :path=/", ":method=GET :scheme=https :authority=HOST :path=",
        ":method=GET :scheme=https :authority=HOST :path=/ :path=/",
        ":method=GET :scheme=https a=b :authority=HOST :path=/",
        ":method=GET :scheme=https :authority=HOST :path=/ :status=200",
        ":method=GET :scheme=https :authority=HOST :path=/ Upper=1",
        ":method=GET :scheme=https :authority=HOST :path=/ connection=a",
        ":method=GET :scheme=https :authority=HOST :path=/ upgrade=websocket",
        ":method=GET :scheme=https :authority=HOST :path=/ te=gzip",
        ":method=GET :scheme=https :authority=HOST :path=/ transfer-encoding=chunked",
        ":method=GET :scheme=https :authority=HOST :path=/ content-length=5",
        ":method=GET :scheme=https :authority=HOST :path=/ a=b\r\nc:d",
    ])
    func malformedRequestResetsItsStream(text: String) async throws {
        let origin = RecordingTransport()
        try await withSecureGateway(over: origin) { gateway in
            try await StreamClient.run(gateway) { client in
                let code = try await client.open { stream in
                    try await stream.send(fields(text, of: gateway), ends: true)
                    return try await stream.resetCode()
                }
                #expect(code == .protocolError)
                #expect(origin.requests.isEmpty)
                #expect(try await client.get("/", of: gateway).text == "ok")
            }
        }
    }

    @Test(arguments: [
        ":method=GET :scheme=https :path=/", ":method=GET :scheme=https :authority= :path=/",
        ":method=GET :scheme=https :authority=user@HOST :path=/",
        ":method=GET :scheme=https :authority=HOST :path=/ host=a",
        ":method=GET :scheme=https :path=/ host=HOST host=HOST",
        ":method=GET :scheme=https :authority=HOST :path=a",
        ":method=GET :scheme=https :authority=HOST :path=https://HOST/",
        ":method=GET :scheme=https :authority=HOST :path=/%zz",
        ":method=G(T :scheme=https :authority=HOST :path=/",
    ])
    func ambiguousRequestIsRefused(text: String) async throws { try await expectRefusal(400, of: text) }

    @Test(arguments: [
        ":method=GET :scheme=https :authority=other.test :path=/", ":method=GET :scheme=http :authority=HOST :path=/",
        ":method=HEAD :scheme=http :authority=HOST :path=/",
    ])
    func foreignRequestIsMisdirected(text: String) async throws { try await expectRefusal(421, of: text) }

    @Test(arguments: [":method=CONNECT :authority=HOST", ":method=TRACE :scheme=https :authority=HOST :path=/"])
    func connectAndTraceAreRefused(text: String) async throws { try await expectRefusal(501, of: text) }

    private func expectRefusal(
        _ status: Int, of text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let origin = RecordingTransport()
        try await withSecureGateway(over: origin) { gateway in
            try await StreamClient.run(gateway) { client in
                let answer = try await client.request(fields(text, of: gateway))
                #expect(answer.status == status, "\(answer.text)", sourceLocation: sourceLocation)
                #expect(answer["connection"] == nil, sourceLocation: sourceLocation)
                #expect(answer["cache-status"] == "wharf; detail=REFUSED", sourceLocation: sourceLocation)
                #expect(origin.requests.isEmpty, sourceLocation: sourceLocation)
                let next = try await client.get("/", of: gateway)
                #expect(next.text == "ok", sourceLocation: sourceLocation)
            }
        }
    }

    @Test func hostWithoutAnAuthorityIsAccepted() async throws {
        try await withSecureGateway(over: RecordingTransport()) { gateway in
            try await StreamClient.run(gateway) { client in
                let answer = try await client.request([
                    (":method", "GET"), (":scheme", "https"), (":path", "/"), ("host", gateway.authority),
                ])
                #expect(answer.status == 200)
            }
        }
    }

    @Test func bodyOfAnotherLengthResetsItsStream() async throws {
        try await withSecureGateway(over: RecordingTransport()) { gateway in
            try await StreamClient.run(gateway) { client in
                for bytes in ["ab", "abcd"] {
                    try await client.open { stream in
                        let head = StreamClient.head("/", "PUT", of: gateway) + [("content-length", "3")]
                        try await stream.send(head, ends: false)
                        try await stream.send(Array(bytes.utf8), ends: true)
                        #expect(try await stream.resetCode() == .protocolError)
                    }
                }
            }
        }
    }

    /// RFC 9113 §8.1: the client keeps the answer, and stops sending.
    @Test func bodyAboveTheLimitIsAnsweredAndStopped() async throws {
        var configuration = GatewayConfiguration()
        configuration.requestBodyLimit = 10
        try await withSecureGateway(over: RecordingTransport(), configuration) { gateway in
            try await StreamClient.run(gateway) { client in
                try await client.open { stream in
                    try await stream.send(StreamClient.head("/", "PUT", of: gateway), ends: false)
                    try await stream.send([UInt8](repeating: 120, count: 11))
                    #expect(try await stream.answer().status == 413)
                    #expect(try await stream.resetCode() == .noError)
                }
                #expect(try await client.get("/", of: gateway).text == "ok")
            }
        }
    }

    /// RFC 6585 §5. The other streams of the connection go on.
    @Test(arguments: [("", 1_000), ("a", 30)]) func headAboveTheLimitIsRefused(value: String, count: Int) async throws {
        var configuration = GatewayConfiguration()
        configuration.requestHeadLimit = 1_000
        let origin = RecordingTransport()
        try await withSecureGateway(over: origin, configuration) { gateway in
            try await StreamClient.run(gateway) { client in
                // One long field, or many short ones, which count 34 bytes each.
                let fields =
                    value.isEmpty
                    ? [("a", String(repeating: "b", count: count))]
                    : (0..<count).map { _ in ("a", value) }
                let refused = try await client.request(StreamClient.head("/", of: gateway) + fields)
                #expect(refused.status == 431)
                #expect(refused.text.contains("longer than the limit of 1000 bytes"))
                try await client.open { stream in
                    try await stream.send(StreamClient.head("/", "PUT", of: gateway) + fields, ends: false)
                    #expect(try await stream.answer().status == 431)
                    #expect(try await stream.resetCode() == .noError)
                }
                #expect(try await client.get("/", of: gateway).text == "ok")
            }
        }
        #expect(origin.requests.count == 1)
    }

    @Test func headAboveTwiceTheLimitEndsTheConnection() async throws {
        var configuration = GatewayConfiguration()
        configuration.requestHeadLimit = 1_000
        let origin = RecordingTransport()
        try await withSecureGateway(over: origin, configuration) { gateway in
            try await StreamClient.run(gateway) { client in
                let fields = StreamClient.head("/", of: gateway) + [("a", String(repeating: "b", count: 20_000))]
                await #expect(throws: (any Error).self) { try await client.request(fields) }
                try await client.end()
            }
        }
        #expect(origin.requests.isEmpty)
    }

    /// The client resets each stream before its answer (CVE-2023-44487).
    @Test func floodOfResetsEndsTheConnection() async throws {
        let origin = ClosureTransport { _ throws(TransportError) in
            // A cancelled task passes.
            await Gate().pass()
            throw TransportError(.cancelled, message: "cancelled")
        }
        try await withSecureGateway(over: origin) { gateway in
            try await StreamClient.run(gateway) { client in
                let flood = Task {
                    while !Task.isCancelled {
                        try await client.open { stream in
                            try await stream.send(StreamClient.head("/", of: gateway), ends: true)
                            try await stream.reset()
                        }
                    }
                }
                #expect(await client.goAway()?.code == .enhanceYourCalm)
                try await client.end()
                flood.cancel()
            }
        }
    }
}
