import Synchronization
import WharfCore
import WharfFakes

/// A receiver with scripted answers, including ones that violate the protocol.
final class ScriptedReceiver: Transport {
    struct Answer: Sendable {
        var status: HTTPResponse.Status = .noContent
        var fields: HTTPFields = [:]
        var chunks: [String] = []
        /// Holds the chunks after the first one, or none if it is nil.
        var hold: Gate?
        /// Whether the body stays open after its chunks.
        var staysOpen = false

        static func message(_ status: HTTPResponse.Status, _ text: String, fields: HTTPFields = [:]) -> Answer {
            Answer(status: status, fields: fields, chunks: [text])
        }

        static func events(_ chunks: String..., hold: Gate? = nil, staysOpen: Bool) -> Answer {
            Answer(
                status: .ok, fields: [.contentType: "text/event-stream"], chunks: chunks, hold: hold,
                staysOpen: staysOpen)
        }

        /// The answer to an accepted command.
        static func taken(_ sequence: Int = 1, _ phase: String = "idle") -> Answer {
            message(.ok, state(sequence, phase))
        }

        static let session = message(.created, #"{"session":"s"}"#)
    }

    static let idle = event(0, "idle")

    static func event(_ sequence: Int, _ phase: String) -> String {
        "event: state\ndata: \(state(sequence, phase))\n\n"
    }

    private static func state(_ sequence: Int, _ phase: String) -> String {
        #"{"sequence":\#(sequence),"phase":"\#(phase)","position":0}"#
    }

    /// Requests of one kind are counted from 1.
    typealias Script = @Sendable (_ kind: String, _ count: Int) async -> Answer

    private let script: Script
    private let log = Mutex<[String]>([])

    /// - Parameter script: called with the last part of the path, or with `DELETE`.
    init(_ script: @escaping Script) { self.script = script }

    /// The number of requests of a kind.
    func count(_ kind: String) -> Int { log.withLock { $0.count { $0 == kind } } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let last = request.head.path?.split(separator: "/").last.map(String.init) ?? ""
        let kind = request.head.method == .delete ? "DELETE" : last
        let count = log.withLock { log in
            log.append(kind)
            return log.count { $0 == kind }
        }
        let answer = await script(kind, count)
        if Task.isCancelled { throw TransportError(.cancelled, message: "the task was cancelled") }
        return TransportResponse(
            head: HTTPResponse(status: answer.status, headerFields: answer.fields),
            body: BodyStream(Body(answer)), provenance: Provenance(source: .network, asOf: WallClockTime.any))
    }

    private enum WallClockTime {
        static let any = WallTime(secondsSince1970: 0)
    }

    private final class Body: BodyStream.Producer {
        private let rest: Mutex<[[UInt8]]>
        private let first: Int
        private let hold: Gate?
        private let end: Gate?

        init(_ answer: Answer) {
            rest = Mutex(answer.chunks.map { Array($0.utf8) })
            (first, hold) = (answer.chunks.count, answer.hold)
            end = answer.staysOpen ? Gate() : nil
        }

        func next() async throws(TransportError) -> [UInt8]? {
            let left = rest.withLock { $0.count }
            if left > 0, left < first { await hold?.pass() }
            if let chunk = rest.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return chunk }
            guard let end else { return nil }
            await end.pass()
            throw TransportError(.cancelled, message: "the task was cancelled")
        }

        func cancel() { end?.open() }
    }
}

/// A network that delivers each event stream up to its first state, and nothing after that.
struct StallingTransport: Transport {
    let base: any Transport

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var response = try await base.send(request)
        if request.head.method == .get { response.body = BodyStream(Body(response.body)) }
        return response
    }

    private final class Body: BodyStream.Producer {
        private let body: BodyStream
        private let hasToldState = Atomic(false)
        private let end = Gate()

        init(_ body: BodyStream) { self.body = body }

        func next() async throws(TransportError) -> [UInt8]? {
            if hasToldState.load(ordering: .acquiring) {
                await end.pass()
                throw TransportError(.cancelled, message: "the task was cancelled")
            }
            var chunks = body.makeAsyncIterator()
            let chunk = try await chunks.next(isolation: nil)
            if let chunk, String(decoding: chunk, as: UTF8.self).contains("event: state") {
                hasToldState.store(true, ordering: .releasing)
            }
            return chunk
        }

        func cancel() { end.open() }
    }
}

/// Holds matching requests at a gate before they reach a receiver.
struct HoldingTransport: Transport {
    let base: any Transport
    let gate: Gate
    let holds: @Sendable (TransportRequest) -> Bool

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        if holds(request) { await gate.pass() }
        return try await base.send(request)
    }
}

/// Holds matching requests at a gate, even if they are cancelled meanwhile.
struct DeafTransport: Transport {
    let base: any Transport
    let gate: Gate
    let holds: @Sendable (TransportRequest) -> Bool

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard holds(request) else { return try await base.send(request) }
        return try await Task { () -> Result<TransportResponse, TransportError> in
            await gate.pass()
            do throws(TransportError) { return .success(try await base.send(request)) } catch {
                return .failure(error)
            }
        }.value.get()
    }
}
