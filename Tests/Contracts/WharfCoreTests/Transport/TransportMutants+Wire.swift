import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes

extension TransportMutants {
    static let heads: [Mutant] = [
        mutant("takes a head that is cut for a whole one", breaks: "a head that is cut is no answer") { scene in
            scene.wire != nil && scene.ending == .withoutHead
        } _: { _, _ in
            answer("")
        },
        mutant("reads a head at one go", breaks: "an answer whose head comes byte by byte is whole") { scene in
            scene.wire.map { $0.pieces.count > 2 } ?? false
        } _: { (_, _) async throws(TransportError) in
            throw TransportError(.invalidResponse, message: "\"H\" is no head")
        },
        mutant("loses a late head", breaks: "a head that has begun does not come after the timeout") { scene in
            scene.wire != nil && scene.ending == .silent
        } _: { (base, request) async throws(TransportError) in
            do throws(TransportError) {
                return try await base.send(request)
            } catch {
                throw error.code == .timedOut ? TransportError(.connectionLost, message: error.message) : error
            }
        },
        mutant("expects a phrase", breaks: "a status line needs no phrase") { scene in
            scene.text.hasPrefix("HTTP/1.1 200\r\n")
        } _: { (_, _) async throws(TransportError) in
            throw TransportError(.invalidResponse, message: "a status line of two words")
        },
        mutant("takes the first head for the answer's", breaks: "interim responses come before the answer") { scene in
            scene.text.contains("103 Early Hints")
        } _: { (base, request) async throws(TransportError) in
            var response = try await base.send(request)
            response.head.status = .continue
            return response
        },
        mutant("adds the fields of interim responses", breaks: "interim responses come before the answer") { scene in
            scene.text.contains("103 Early Hints")
        } _: { (base, request) async throws(TransportError) in
            var response = try await base.send(request)
            response.head.headerFields[marker] = "early, final"
            return response
        },
        mutant("reads fields as UTF-8 alone", breaks: "fields beyond ASCII come as text") { scene in
            scene.wire?.pieces.joined().contains(0xF6) ?? false
        } _: { (base, request) async throws(TransportError) in
            var response = try await base.send(request)
            response.head.headerFields[marker] = "gr\u{FFFD}\u{FFFD}e"
            return response
        },
        mutant("refuses fields beyond ASCII", breaks: "fields beyond ASCII come as text") { scene in
            scene.text.contains("größe")
        } _: { (_, _) async throws(TransportError) in
            throw TransportError(.invalidResponse, message: "a field that is not ASCII")
        },
        mutant("cuts long fields", breaks: "a field of 200 KB comes whole or is an invalid response") {
            $0.text.count > 200_000
        } _: { (base, request) async throws(TransportError) in
            var response = try await base.send(request)
            response.head.headerFields[marker] = String((response.head.headerFields[marker] ?? "").prefix(65_536))
            return response
        },
        mutant("runs out of memory", breaks: "a field of 200 KB comes whole or is an invalid response") {
            $0.text.count > 200_000
        } _: { (_, _) async throws(TransportError) in
            throw TransportError(.connectionLost, message: "out of memory")
        },
        mutant("speaks HTTP/0.9", breaks: "bytes that are no HTTP are an invalid response") { scene in
            scene.ending == .invalid && !scene.text.hasPrefix("HTTP")
        } _: { _, _ in
            answer("<html><body>hello world</body></html>")
        },
        mutant("takes the first length", breaks: "two lengths that differ are an invalid response") { scene in
            scene.ending == .invalid && scene.text.contains("Content-Length: 5\r\nContent-Length")
        } _: { _, _ in
            answer("hello")
        },
    ]

    static let framing: [Mutant] = [
        mutant("ends at trailers", breaks: "a chunked answer with trailers is whole") { scene in
            scene.text.contains("Server-Timing: db")
        } _: { (_, _) async throws(TransportError) in
            throw TransportError(.invalidResponse, message: "transfer completed, but there is no response")
        },
        mutant("keeps Transfer-Encoding", breaks: "a chunked answer with trailers is whole") { scene in
            scene.text.contains("Server-Timing: db")
        } _: { (base, request) async throws(TransportError) in
            var response = try await base.send(request)
            response.head.headerFields[.transferEncoding] = "chunked"
            return response
        },
        mutant("needs no last chunk", breaks: "a chunked body that is cut never looks complete") { scene in
            scene.text.hasSuffix("world\r\n") && scene.ending != .complete
        } _: { _, _ in
            answer("hello world")
        },
        mutant("reads on after the length", breaks: "bytes beyond the length belong to no answer") { scene in
            scene.text.hasSuffix("world!")
        } _: { _, _ in
            answer("hello world!")
        },
        mutant("answers by what was left", breaks: "bytes beyond the length belong to no answer") { scene in
            scene.text.hasSuffix("evil")
        } _: { (base, request) async throws(TransportError) in
            let isFirst = (base as? StubTransport)?.requests.isEmpty ?? true
            let response = try await base.send(request)
            return isFirst ? response : answer("evil")
        },
        mutant("takes a reset for the end", breaks: "a reset in a body throws, and never looks complete") { scene in
            scene.wire?.end == .reset && scene.text.contains("Connection: close")
        } _: { _, _ in
            answer("hello")
        },
        mutant(
            "takes what could be decoded", breaks: "a body that is cut inside its content coding never looks complete"
        ) { scene in
            scene.text.contains("gzip") && scene.text.contains("Connection: close") && scene.ending != .complete
        } _: { _, _ in
            answer("aaaa")
        },
        mutant("decodes no chunks", breaks: "a gzip body is whole however it is framed") { scene in
            scene.text.contains("gzip\r\nTransfer-Encoding") && scene.ending == .complete
        } _: { (_, _) async throws(TransportError) in
            throw TransportError(.invalidResponse, message: "no gzip")
        },
    ]

    static let connections: [Mutant] = [
        mutant(
            "sends no PUT again", breaks: "an idempotent request is sent again when a kept connection closes"
        ) { scene in
            scene.requestsPerConnection != nil
        } _: { (base, request) async throws(TransportError) in
            guard request.head.method != .put else {
                throw TransportError(.connectionLost, message: "the kept connection was closed")
            }
            return try await base.send(request)
        },
        mutant(
            "sends again without the body", breaks: "an idempotent request is sent again when a kept connection closes"
        ) { scene in
            scene.requestsPerConnection != nil
        } _: { (base, request) async throws(TransportError) in
            var request = request
            if request.head.method == .put { request.body = .none }
            return try await base.send(request)
        },
        mutant("sends POST again", breaks: "a request that is not idempotent is sent once") {
            (base, request) async throws(TransportError) in
            if request.head.method == .post { _ = try await base.send(request) }
            return try await base.send(request)
        },
        mutant("takes a bracket for no host", breaks: "an origin at an IPv6 address is reached") {
            (base, request) async throws(TransportError) in
            guard request.head.authority?.hasPrefix("[") == false else {
                throw TransportError(.invalidRequest, message: "expected a host")
            }
            return try await base.send(request)
        },
    ]

    private static let marker = HTTPField.Name("X-Law") ?? .server

    private static func answer(_ body: String) -> TransportResponse {
        TransportResponse(
            head: HTTPResponse(status: .ok), body: BodyStream(Array(body.utf8)),
            provenance: Provenance(source: .network, asOf: WallTime(secondsSince1970: 0)))
    }
}

extension TransportLaws.Scene {
    /// The bytes of the answer as text. It is empty if the scene has no scripted bytes.
    fileprivate var text: String { String(decoding: Array((wire?.pieces ?? []).joined()), as: UTF8.self) }
}
