import Synchronization
import WharfCore
import WharfTesting

/// A transport with one fault, and the law that must see it.
struct TransportMutant: Sendable, CustomStringConvertible {
    let description: String
    let breaks: String
    let wrap: @Sendable (any Transport) -> any Transport

    private init(
        _ description: String, breaks: String,
        _ send: @escaping @Sendable (any Transport, TransportRequest) async throws(TransportError) -> TransportResponse
    ) {
        self.description = description
        self.breaks = breaks
        self.wrap = { base in Faulty { request throws(TransportError) in try await send(base, request) } }
    }

    private struct Faulty: Transport {
        let body: @Sendable (TransportRequest) async throws(TransportError) -> TransportResponse
        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            try await body(request)
        }
    }
}

extension TransportMutant {
    static let all: [TransportMutant] = answering + streaming + ending

    private static let answering = [
        TransportMutant("throws on error status", breaks: "every status is an answer") {
            base, request throws(TransportError) in
            let response = try await base.send(request)
            guard response.head.status.code < 500 else {
                throw TransportError(.serverFailed, message: "status \(response.head.status)", response: response.head)
            }
            return response
        },
        TransportMutant("follows redirects", breaks: "a redirect is an answer, with its Location and its body") {
            base, request throws(TransportError) in
            let response = try await base.send(request)
            guard let location = response.head.headerFields[.location] else { return response }
            var next = request
            next.head.path = location
            return try await base.send(next)
        },
        TransportMutant("turns PUT into POST", breaks: "the request arrives as it is: method, fields, body") {
            base, request throws(TransportError) in
            var changed = request
            if request.head.method == .put { changed.head.method = .post }
            return try await base.send(changed)
        },
        TransportMutant(
            "gives everybody the first answer", breaks: "requests at one time do not get each other's answers"
        ) {
            base, request throws(TransportError) in
            var changed = request
            changed.head.method = .get
            return try await base.send(changed)
        },
    ]

    private static let streaming = [
        TransportMutant("keeps Content-Encoding", breaks: "the head describes the bytes that are delivered") {
            base, request throws(TransportError) in
            var response = try await base.send(request)
            response.head.headerFields[.contentEncoding] = "gzip"
            return response
        },
        TransportMutant("gives HEAD a body", breaks: "HEAD is answered by a head alone") {
            base, request throws(TransportError) in
            var response = try await base.send(request)
            response.body = BodyStream(Array("hello world".utf8))
            return response
        },
        TransportMutant("stops at a megabyte", breaks: "a large body comes whole and in order") {
            base, request throws(TransportError) in
            var response = try await base.send(request)
            response.body = BodyStream(Array(try await response.body.collect().prefix(1 << 20)))
            return response
        },
        TransportMutant("swallows truncation", breaks: "a body that ends early throws, and never looks complete") {
            base, request throws(TransportError) in
            var response = try await base.send(request)
            response.body = BodyStream(Lenient(response.body))
            return response
        },
        TransportMutant("forgets that it broke", breaks: "a second pass over a body that broke throws again") {
            base, request throws(TransportError) in
            var response = try await base.send(request)
            response.body = BodyStream(Forgetful(response.body))
            return response
        },
    ]

    private static let ending = [
        TransportMutant("answers 502 itself", breaks: "what keeps an answer from coming is thrown") {
            base, request throws(TransportError) in
            do throws(TransportError) {
                return try await base.send(request)
            } catch {
                return TransportResponse(
                    head: HTTPResponse(status: .badGateway), body: .empty,
                    provenance: Provenance(source: .network, asOf: .distantPast))
            }
        },
        TransportMutant(
            "does not hear of cancellation",
            breaks: "cancelling the task that waits for a head closes the connection", detached),
        TransportMutant(
            "sends for a cancelled task", breaks: "a task that is cancelled already gets no answer", detached),
        TransportMutant(
            "reads on after cancellation", breaks: "cancelling the task that reads a body closes the connection",
            readingAhead),
        TransportMutant("holds on to bodies", breaks: "letting go of a body closes the connection", readingAhead),
        TransportMutant("ignores the timeout", breaks: "no head comes after the timeout", withoutTimeout),
        TransportMutant(
            "ignores the timeout in the body", breaks: "no piece of the body comes after the timeout", withoutTimeout),
        TransportMutant("times out at once", breaks: "an answer within the timeout is whole") {
            _, request throws(TransportError) in throw TransportError(.timedOut, message: "in no time")
        },
    ]

    @Sendable private static func detached(
        _ base: any Transport, _ request: TransportRequest
    ) async throws(TransportError) -> TransportResponse {
        let task = Task.detached { () async -> Result<TransportResponse, TransportError> in
            do throws(TransportError) { return .success(try await base.send(request)) } catch { return .failure(error) }
        }
        var response = try await task.value.get()
        response.body = BodyStream(Ahead(response.body))
        return response
    }

    @Sendable private static func readingAhead(
        _ base: any Transport, _ request: TransportRequest
    ) async throws(TransportError) -> TransportResponse {
        var response = try await base.send(request)
        response.body = BodyStream(Ahead(response.body))
        return response
    }

    @Sendable private static func withoutTimeout(
        _ base: any Transport, _ request: TransportRequest
    ) async throws(TransportError) -> TransportResponse {
        var request = request
        request.timeout = nil
        return try await base.send(request)
    }
}

/// Takes an error for the end.
private final class Lenient: BodyStream.Producer {
    private let base: BodyStream
    init(_ base: BodyStream) { self.base = base }

    func next() async throws(TransportError) -> [UInt8]? {
        var iterator = base.makeAsyncIterator()
        do throws(TransportError) { return try await iterator.next(isolation: nil) } catch { return nil }
    }

    func cancel() {}
}

/// Throws once, and ends after it.
private final class Forgetful: BodyStream.Producer {
    private let base: BodyStream
    private let broke = Mutex(false)
    init(_ base: BodyStream) { self.base = base }

    func next() async throws(TransportError) -> [UInt8]? {
        if broke.withLock({ $0 }) { return nil }
        var iterator = base.makeAsyncIterator()
        do throws(TransportError) {
            return try await iterator.next(isolation: nil)
        } catch {
            broke.withLock { $0 = true }
            throw error
        }
    }

    func cancel() {}
}

/// Reads by a task of its own, which neither its reader's cancellation nor its going away reaches.
private final class Ahead: BodyStream.Producer {
    private let task: Task<Result<[UInt8], TransportError>, Never>
    private let given = Mutex(false)

    init(_ base: BodyStream) {
        task = Task.detached {
            do throws(TransportError) { return .success(try await base.collect()) } catch { return .failure(error) }
        }
    }

    func next() async throws(TransportError) -> [UInt8]? {
        let bytes = try await task.value.get()
        let first = given.withLock { given in
            defer { given = true }
            return !given
        }
        return first && !bytes.isEmpty ? bytes : nil
    }

    func cancel() {}
}
