import Synchronization
import WharfChecks
import WharfCore
import WharfCoreLaws

extension TransportMutants {
    static let endings: [Mutant] = [
        mutant("answers 502 itself", breaks: "a connection that closes before a head throws", where: isUsual) {
            (base, request) async throws(TransportError) in
            do throws(TransportError) {
                return try await base.send(request)
            } catch {
                guard error.code == .connectionLost else { throw error }
                return .canned(HTTPResponse(status: .badGateway))
            }
        },
        mutant(
            "goes on waiting for a head", breaks: waitingForAHead
        ) { hangs in
            { (base, request) async throws(TransportError) in
                if Task.isCancelled { return try await base.send(request) }
                let answer = await untilCancelled { () async -> Result<TransportResponse, TransportError> in
                    do throws(TransportError) { return .success(try await base.send(request)) } catch {
                        return .failure(error)
                    }
                }
                if let answer { return try answer.get() }
                hangs()
                throw TransportError(.cancelled, message: "the task was cancelled")
            }
        },
        mutant("takes cancelling for a lost connection", breaks: waitingForAHead) {
            (base, request) async throws(TransportError) in
            if Task.isCancelled { return try await base.send(request) }
            return try await base.send(request, saying: .connectionLost, for: .cancelled)
        },
        mutant("goes on reading", breaks: "cancelling the task that reads a body closes the connection") { hangs in
            { (base, request) async throws(TransportError) in
                let wasCancelled = Task.isCancelled
                var response = try await base.send(request)
                if wasCancelled { return response }
                response.body = BodyStream(Ahead(response.body, hangs: hangs))
                return response
            }
        },
        mutant("answers by itself who is cancelled already", breaks: "a task that is cancelled already gets no answer")
        {
            (base, request) async throws(TransportError) in
            if Task.isCancelled { return .canned(HTTPResponse(status: .ok)) }
            return try await base.send(request)
        },
        mutant("holds on to bodies", breaks: "letting go of a body closes the connection") { hangs in
            let held = Mutex<[BodyStream]>([])
            return { (base, request) async throws(TransportError) in
                let response = try await base.send(request)
                let (body, isOver) = (response.body, Over())
                return response.reading { (body) async throws(TransportError) in
                    do throws(TransportError) {
                        let piece = try await body.piece()
                        if piece == nil { isOver.set() }
                        return piece
                    } catch {
                        isOver.set()
                        throw error
                    }
                } letGo: {
                    if isOver.set() { return }
                    held.withLock { $0.append(body) }
                    hangs()
                }
            }
        },
        mutant("takes a late head for a lost connection", breaks: "no head comes after the timeout", where: isUsual) {
            (base, request) async throws(TransportError) in
            try await base.send(request, saying: .connectionLost, for: .timedOut)
        },
        mutant("takes a late body for a lost connection", breaks: "no piece of the body comes after the timeout") {
            (base, request) async throws(TransportError) in
            try await base.send(request).reading { (body) async throws(TransportError) in
                do throws(TransportError) { return try await body.piece() } catch {
                    throw error.code == .timedOut ? TransportError(.connectionLost, message: "lost") : error
                }
            }
        },
        mutant(
            "loses a byte where there is a timeout", breaks: "an answer within the timeout is whole", where: isUsual
        ) {
            (base, request) async throws(TransportError) in
            let response = try await base.send(request)
            guard request.timeout != nil else { return response }
            let isFirst = Mutex(true)
            return response.reading { (body) async throws(TransportError) in
                let piece = try await body.piece()
                let loses = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                return loses ? piece.map { Array($0.dropLast()) } : piece
            }
        },
    ]

    private static let isUsual: @Sendable (TransportLaws.Scene) -> Bool = { $0.wire == nil }
    private static let waitingForAHead = "cancelling the task that waits for a head closes the connection"
}

extension Transport {
    fileprivate func send(
        _ request: TransportRequest, saying code: TransportError.Code, for other: TransportError.Code
    ) async throws(TransportError) -> TransportResponse {
        do throws(TransportError) { return try await send(request) } catch {
            throw error.code == other ? TransportError(code, message: "mistaken") : error
        }
    }
}

extension TransportResponse {
    fileprivate static func canned(_ head: HTTPResponse) -> TransportResponse {
        TransportResponse(head: head, body: .empty, provenance: Provenance(source: .network, asOf: .distantPast))
    }
}

private final class Over: Sendable {
    private let state = Mutex(false)

    /// - Returns: whether it was set before.
    @discardableResult
    func set() -> Bool {
        state.withLock { isOver in
            defer { isOver = true }
            return isOver
        }
    }
}

/// Returns the result of the work, or nil as soon as the task is cancelled. The work goes on.
private func untilCancelled<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value? {
    let (values, source) = AsyncStream.makeStream(of: Value.self)
    Task.detached {
        source.yield(await work())
        source.finish()
    }
    for await value in values { return value }
    return nil
}

/// Reads the whole body in a separate task, which its reader's cancellation does not reach.
private final class Ahead: BodyStream.Producer {
    typealias Outcome = Result<[UInt8], TransportError>

    private let base: BodyStream
    private let hangs: @Sendable () -> Void
    private let known = Mutex<Outcome?>(nil)

    init(_ base: BodyStream, hangs: @escaping @Sendable () -> Void) { (self.base, self.hangs) = (base, hangs) }

    func next() async throws(TransportError) -> [UInt8]? {
        if let known = known.withLock({ $0 }) {
            _ = try known.get()
            return nil
        }
        let outcome = await untilCancelled { [base] () async -> Outcome in
            do throws(TransportError) { return .success(try await base.collect()) } catch { return .failure(error) }
        }
        guard let outcome else {
            hangs()
            throw TransportError(.cancelled, message: "the task was cancelled")
        }
        known.withLock { $0 = outcome }
        let bytes = try outcome.get()
        return bytes.isEmpty ? nil : bytes
    }

    func cancel() {}

    var trailers: HTTPFields? { base.trailers }
}
