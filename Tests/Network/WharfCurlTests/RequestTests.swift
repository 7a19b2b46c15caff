#if os(Linux) && TestServer
import Synchronization
import Testing
import TransportStages
import WharfCore
import WharfCurl
import WharfFakes
import WharfTestServer

struct RequestTests {
    @Test func aGetWithABodyIsSent() async throws {
        try await TestServer.run { server in
            try await withTransport { transport in
                let request = TransportRequest(.to(server, "/"), body: .bytes(Array("query".utf8)))
                _ = try await transport.send(request).body.collect()
                #expect(server.requests.map(\.text) == ["query"])
                #expect(server.requests.map(\.method) == [.get])
            }
        }
    }

    @Test func sendsThePathAndRepeatedFieldsAsTheyAre() async throws {
        try await TestServer.run { server in
            try await withTransport { transport in
                let path = "/a%2fb/../%7Bc%7D?q=%26&r=+&e=&f[x]=%c3%bc"
                var head = HTTPRequest.to(server, path)
                head.headerFields.append(HTTPField(name: .accept, value: "a/b"))
                head.headerFields.append(HTTPField(name: .accept, value: "c/d"))
                head.headerFields.append(HTTPField(name: try #require(HTTPField.Name("X-Empty")), value: ""))
                _ = try await transport.send(TransportRequest(head)).body.collect()
                let request = try await server.request(1)
                #expect(request.target == path)
                #expect(request.fields[values: .accept] == ["a/b", "c/d"])
                #expect(request.fields[try #require(HTTPField.Name("X-Empty"))] == "")
                #expect(request.fields.filter { $0.name.canonicalName == "host" }.map(\.value) == [server.authority])
                let names = Set(request.fields.map(\.name.canonicalName))
                #expect(names == ["accept", "x-empty", "host", "accept-encoding"], "libcurl adds nothing")
            }
        }
    }

    @Test func userInformationIsNotSent() async throws {
        try await TestServer.run { server in
            try await withTransport { transport in
                var head = HTTPRequest.to(server, "/")
                head.authority = "user:password@\(server.authority)"
                _ = try await transport.send(TransportRequest(head)).body.collect()
                let request = try await server.request(1)
                #expect(request.fields[.authorization] == nil)
                #expect(request.fields.map(\.value).allSatisfy { !$0.contains("password") })
            }
        }
    }

    @Test(arguments: [HTTPRequest.Method.post, .put, .patch])
    func methodWithoutItsBodySendsContentLengthZero(method: HTTPRequest.Method) async throws {
        try await TestServer.run { server in
            try await withTransport { transport in
                _ = try await transport.send(TransportRequest(.to(server, "/", method))).body.collect()
                let request = try await server.request(1)
                #expect(request.method == method)
                #expect(request.fields[.contentLength] == "0")
                #expect(request.fields[.contentType] == nil)
            }
        }
    }

    @Test func aStreamOfKnownLengthGoesWithItsLength() async throws {
        try await TestServer.run { server in
            try await withTransport { transport in
                let body = RequestBody.stream({ BodyStream(Array("hello".utf8)) }, length: 5)
                _ = try await transport.send(TransportRequest(.to(server, "/", .put), body: body)).body.collect()
                let request = try await server.request(1)
                #expect(request.fields[.contentLength] == "5")
                #expect(request.fields[.expect] == nil)
                #expect(request.text == "hello")
            }
        }
    }

    @Test(arguments: [nil, 64 * 65_536] as [Int64?])
    func uploadStreamIsReadAndSentWhole(length: Int64?) async throws {
        try await TestServer.run { server in
            try await withTransport { transport in
                let pieces = CountedPieces(count: 64, size: 65_536)
                let body = RequestBody.stream({ BodyStream(pieces) }, length: length)
                _ = try await transport.send(TransportRequest(.to(server, "/", .post), body: body)).body.collect()
                #expect(pieces.taken == 64)
                #expect(try await server.request(1).body.count == 64 * 65_536)
            }
        }
    }

    @Test func waitingUploadBlocksNoOtherRequestAndResumes() async throws {
        try await TestServer.run { server in
            let gate = Gate()
            let body = RequestBody.stream({ BodyStream(HeldPieces(gate)) }, length: nil)
            try await withTransport { transport in
                let task = Task {
                    try await transport.send(TransportRequest(.to(server, "/", .put), body: body)).body.collect()
                }
                await gate.arrivals()
                // The event thread serves other requests meanwhile.
                _ = try await transport.send(TransportRequest(.to(server, "/"))).body.collect()
                gate.open()
                _ = try await task.value
                #expect(server.requests.map(\.text) == ["", "firstsecond"])
            }
        }
    }

    @Test(arguments: [Int64(3), 9])
    func aStreamOfAnotherLengthThanWasSaidFails(length: Int64) async throws {
        try await TestServer.run { server in
            try await withTransport { transport in
                let body = RequestBody.stream({ BodyStream(Array("hello".utf8)) }, length: length)
                let error = await #expect(throws: TransportError.self) {
                    try await transport.send(TransportRequest(.to(server, "/", .post), body: body))
                }
                #expect(error?.code == .invalidRequest, "\(error?.message ?? "")")
            }
        }
    }

    @Test func aStreamThatFailsEndsTheRequestWithItsError() async throws {
        try await TestServer.run { server in
            try await withTransport { transport in
                let body = RequestBody.stream({ BodyStream(Unreadable()) }, length: nil)
                let error = await #expect(throws: TransportError.self) {
                    try await transport.send(TransportRequest(.to(server, "/", .post), body: body))
                }
                #expect(error?.code == .fileUnreadable, "\(error?.message ?? "")")
            }
        }
    }
}

private final class CountedPieces: BodyStream.Producer {
    private let count: Int
    private let size: Int
    private let state = Atomic(0)

    init(count: Int, size: Int) {
        self.count = count
        self.size = size
    }

    var taken: Int { min(count, state.load(ordering: .relaxed)) }

    func next() async throws(TransportError) -> [UInt8]? {
        let number = state.add(1, ordering: .relaxed).newValue
        return number <= count ? [UInt8](repeating: 1, count: size) : nil
    }

    func cancel() {}
}

/// Two pieces, the second of which waits for a gate.
private final class HeldPieces: BodyStream.Producer {
    private let gate: Gate
    private let number = Atomic(0)

    init(_ gate: Gate) { self.gate = gate }

    func next() async throws(TransportError) -> [UInt8]? {
        switch number.add(1, ordering: .relaxed).newValue {
        case 1: return Array("first".utf8)
        case 2:
            await gate.pass()
            return Array("second".utf8)
        default: return nil
        }
    }

    func cancel() {}
}

private final class Unreadable: BodyStream.Producer {
    func next() async throws(TransportError) -> [UInt8]? {
        throw TransportError(.fileUnreadable, message: "expected a file to upload")
    }
    func cancel() {}
}
#endif
