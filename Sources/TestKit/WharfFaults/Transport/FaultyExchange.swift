internal import Synchronization
internal import WharfCore

/// One exchange with the faults that were decided for it.
struct FaultyExchange: Sendable {
    private let exchange: ExchangeFaults
    private let base: any Transport
    private let limits: ExchangeLimits
    private let wallClock: any WallClock

    init(_ exchange: ExchangeFaults, _ base: any Transport, _ limits: ExchangeLimits, _ wallClock: any WallClock) {
        self.exchange = exchange
        self.base = base
        self.limits = limits
        self.wallClock = wallClock
    }

    func answer(to request: TransportRequest) async throws(TransportError) -> TransportResponse {
        if let refusal = exchange.refusal {
            throw exchange.injected(refusal).error(.connectionFailed, "the connection was refused")
        }
        // In the order of a real exchange: connect, request, answer. The first fault on the way
        // decides.
        if let lost = exchange.loss(.toServer) { try await lose(lost) }
        try await delay(.toServer)
        if let ending = exchange.stream(.toServer, ofPackets: false).beginning {
            throw exchange.error(ending, of: "the request")
        }
        var answer: TransportResponse
        if let (status, fault) = exchange.status(.toServer) {
            answer = madeUp(status, by: fault, for: request.head.method)
            if let lost = exchange.loss(.toClient) { try await lose(lost) }
        } else {
            if let lost = exchange.loss(.toClient) {
                // The origin carries out the request, and the client gets no answer, interim or
                // final.
                var unanswered = request
                unanswered.onInterim = nil
                _ = try await sent(unanswered)
                try await lose(lost)
            }
            answer = try await sent(request)
            if let (status, fault) = exchange.status(.toClient) {
                answer = madeUp(status, by: fault, for: request.head.method)
            }
        }
        try await delay(.toClient)
        if let ending = exchange.stream(.toClient, ofPackets: false).beginning {
            throw exchange.error(ending, of: "the response")
        }
        if let garbage = exchange.garbage(.toClient), answer.head.hasBody(for: request.head.method) {
            answer = replacingBody(of: answer, by: garbage.bytes)
        }
        let faults = exchange.stream(.toClient, ofPackets: false)
        guard !faults.isFree || exchange.cut != nil else { return answer }
        let body = FaultyBody(answer.body, faults, limits, of: "the response")
        answer.body = BodyStream(body, expectedLength: answer.body.expectedLength)
        return answer
    }

    // MARK: There

    private func sent(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var request = request
        // Time already spent on faults counts: the client set one timeout for the whole.
        request.timeout = limits.remaining
        let broken = BrokenBody()
        request.body = faulty(request.body, broken, &request.head)
        let sent = request
        let base = base
        do throws(TransportError) {
            return try await limits.cuttable { () throws(TransportError) in try await base.send(sent) }
        } catch {
            // The base reports only that the body broke. The injected fault is the reason.
            throw broken.error ?? error
        }
    }

    private func faulty(_ body: RequestBody, _ broken: BrokenBody, _ head: inout HTTPRequest) -> RequestBody {
        let make: @Sendable () -> BodyStream
        let length: Int64?
        switch body {
        case .none: return .none
        case .bytes(let bytes): (make, length) = ({ BodyStream(bytes) }, Int64(bytes.count))
        case .stream(let stream, let known): (make, length) = (stream, known)
        }
        if let (bytes, _) = exchange.garbage(.toServer) {
            if head.headerFields[.contentLength] != nil { head.headerFields[.contentLength] = "\(bytes.count)" }
            return .bytes(bytes)
        }
        // Each attempt of the transport below gets a new stream, with its own faults.
        let faults = exchange.stream(.toServer, ofPackets: false)
        guard !faults.isFree else { return body }
        let limits = limits
        return .stream(
            {
                let stream = make()
                let body = FaultyBody(stream, faults, limits, of: "the request") { broken.take($0) }
                return BodyStream(body, expectedLength: stream.expectedLength)
            }, length: length)
    }

    // MARK: And back

    private func delay(_ direction: Fault.Direction) async throws(TransportError) {
        let delay = exchange.latency(direction)
        if delay > .zero { try await limits.wait(until: limits.timeline.now() + delay) }
    }

    private func lose(_ fault: Fault) async throws(TransportError) { try await limits.wait(until: nil, for: fault) }

    private func madeUp(
        _ status: HTTPResponse.Status, by fault: Fault, for method: HTTPRequest.Method
    ) -> TransportResponse {
        let body = Array("\(exchange.injected(fault))\n".utf8)
        let fields: HTTPFields = [.contentType: "text/plain; charset=utf-8", .contentLength: "\(body.count)"]
        let head = HTTPResponse(status: status, headerFields: fields)
        return TransportResponse(
            head: head, body: head.hasBody(for: method) ? BodyStream(body) : .empty,
            provenance: Provenance(source: .network, asOf: wallClock.now()))
    }

    private func replacingBody(of answer: TransportResponse, by bytes: [UInt8]) -> TransportResponse {
        var answer = answer
        // The new bytes have no encoding. Kept, a decoder would fail before the reader sees them.
        answer.head.headerFields[.contentEncoding] = nil
        answer.head.headerFields[.contentLength] = "\(bytes.count)"
        answer.body = BodyStream(bytes)
        return answer
    }

    /// Holds the error that broke the body of a request.
    private final class BrokenBody: Sendable {
        private let broken = Mutex<TransportError?>(nil)

        var error: TransportError? { broken.withLock { $0 } }
        func take(_ error: TransportError) { broken.withLock { $0 = $0 ?? error } }
    }
}

extension ExchangeFaults {
    /// - Parameter message: "the request" or "the answer".
    func error(_ ending: StreamFaults.Ending, of message: String) -> TransportError {
        switch ending {
        case .reset(let fault):
            injected(fault).error(.connectionLost, "the connection was reset in the middle of \(message)")
        case .truncated(let fault):
            injected(fault).error(.connectionLost, "\(message) ended before it was complete")
        case .silence(let fault): injected(fault).error(.timedOut, "\(message) was lost")
        }
    }
}
