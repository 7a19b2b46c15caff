internal import Synchronization
public import WharfChecks
internal import WharfCore
public import WharfHTTP

/// The laws of each ``Middleware``, for any purpose.
///
/// ```swift
/// @Test(arguments: MiddlewareLaws.all)
/// func signingKeeps(law: Law<MiddlewareLaws.Subject>) async throws {
///     try await law.check(Conformer("Signing") { Signing(key: key) })
/// }
/// ```
///
/// The middleware gets GET requests to `https://api.example.com`. If it pauses between attempts,
/// give it a clock that does not wait.
public enum MiddlewareLaws {
    public typealias Subject = Conformer<any Middleware>

    /// All laws.
    public static let all: [Law<Subject>] = [
        Law("a cancelled middleware cancels the transport that it waits for") { subject in
            let waiting = WaitingTransport()
            let middleware = try await subject.make()
            let task = Task {
                defer { waiting.end() }
                return try await middleware.send(request, next: waiting)
            }
            // A middleware that answers by itself never waits.
            guard await waiting.isReached() else { return }
            task.cancel()
            let isHeard = await comesTrue { waiting.sawCancellation }
            waiting.end()
            _ = await task.result
            try require(isHeard, "the transport inside did not hear of it")
        },
        Law("the body of an answer that is not handed on is let go", for: .array(of: status, count: 1...5)) {
            subject, statuses in
            let answering = AnsweringTransport(statuses)
            let middleware = try await subject.make()
            var answer: Result<TransportResponse, TransportError>? = await answer(of: middleware, over: answering)
            let isAnswer = if case .success? = answer { true } else { false }
            var held = await answering.held(atMost: isAnswer ? 1 : 0)
            try require(
                held <= (isAnswer ? 1 : 0),
                "of \(answering.count) answers it held the bodies of \(held) when it \(isAnswer ? "answered" : "threw")"
            )
            answer = nil
            held = await answering.held(atMost: 0)
            try require(held == 0, "it held the body of its answer after the caller had released the answer")
        },
    ]

    private static func answer(
        of middleware: any Middleware, over transport: any Transport
    ) async -> Result<TransportResponse, TransportError> {
        do throws(TransportError) {
            return .success(try await middleware.send(request, next: transport))
        } catch {
            return .failure(error)
        }
    }

    private static let status = Generator.element(of: [200, 204, 304, 400, 401, 403, 404, 408, 429, 500, 502, 503, 504])

    private static let request = TransportRequest(
        HTTPRequest(method: .get, scheme: "https", authority: "api.example.com", path: "/"))
}

/// Answers when its request is cancelled or the law is over.
private final class WaitingTransport: Transport {
    private struct State {
        var isReached = false
        var isOver = false
        var sawCancellation = false
    }

    private let state = Mutex(State())

    var sawCancellation: Bool { state.withLock { $0.sawCancellation } }

    func end() { state.withLock { $0.isOver = true } }

    /// Returns true when a request has arrived, false if none will.
    func isReached() async -> Bool {
        while true {
            let (isReached, isOver) = state.withLock { ($0.isReached, $0.isOver) }
            if isReached || isOver { return isReached }
            await Task.yield()
        }
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        state.withLock { $0.isReached = true }
        await withTaskCancellationHandler {
            while !Task.isCancelled, !state.withLock({ $0.isOver }) { await Task.yield() }
        } onCancel: {
            state.withLock { $0.sawCancellation = true }
        }
        throw TransportError(.cancelled, message: "the law is over")
    }
}

/// Answers with one status after the other, and counts the bodies that were neither read to their
/// end nor released.
private final class AnsweringTransport: Transport {
    private struct State {
        var rest: ArraySlice<Int>
        var last: Int
        var count = 0
        var held: Set<Int> = []
    }

    private let state: Mutex<State>

    init(_ statuses: [Int]) { state = Mutex(State(rest: statuses[...], last: statuses.last ?? 200)) }

    var count: Int { state.withLock { $0.count } }

    /// Returns the number of held bodies, after a delay for bodies that are released
    /// asynchronously.
    func held(atMost expected: Int) async -> Int {
        _ = await comesTrue { state.withLock { $0.held.count } <= expected }
        return state.withLock { $0.held.count }
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let (id, status) = state.withLock { state in
            state.count += 1
            state.held.insert(state.count)
            return (state.count, state.rest.popFirst() ?? state.last)
        }
        return TransportResponse(
            head: HTTPResponse(status: .init(code: status)),
            body: BodyStream(Content { [self] in state.withLock { _ = $0.held.remove(id) } }),
            provenance: Provenance(source: .network, asOf: WallTime(secondsSince1970: 1_000_000_000)))
    }

    private final class Content: BodyStream.Producer {
        // One chunk, then the end. No other memory depends on the flag, so relaxed ordering is
        // enough.
        private let isRead = Atomic(false)
        private let onEnd: @Sendable () -> Void

        init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

        func next() async throws(TransportError) -> [UInt8]? {
            if !isRead.exchange(true, ordering: .relaxed) { return Array("hello".utf8) }
            onEnd()
            return nil
        }

        func cancel() { onEnd() }
    }
}
