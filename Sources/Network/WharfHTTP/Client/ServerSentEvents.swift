public import WharfCore
public import WharfJSON

/// The events that a service pushes, across reconnections (WHATWG HTML §9.2).
///
/// ```swift
/// for try await event in try stack.client.events("notes/events") where event.type == "changed" {
///     try await notes.sync()
/// }
/// ```
///
/// - A connection that ends or breaks is opened again. The pause before it is the time that the
///   service asked for (`retry:`) plus exponential backoff with full jitter.
/// - The last event id is sent along (`Last-Event-ID`), so the service can send the missed events.
/// - A status of 204 ends the sequence. After 5xx, 408 and 429 the client connects again; any other
///   status is thrown.
/// - Another type than `text/event-stream` is thrown as ``WharfCore/ReadFailure/Code/undecodable``,
///   an event of more than 1 MiB as ``WharfCore/ReadFailure/Code/tooLarge``.
/// - Cancelling the task ends the sequence.
///
/// A connection counts as broken if no byte arrives for five minutes, or for the given `silence`. A
/// comment counts as a sign of life. Each iterator has its own connections.
public struct ServerSentEvents: AsyncSequence, Sendable {
    public typealias Element = ServerSentEvent
    public typealias Failure = ReadFailure

    let client: APIClient
    let request: HTTPRequest
    let backoff: RetryPolicy
    let silence: Duration?
    let timer: any Clock<Duration>

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(events: self) }

    /// An iterator with its own connections.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let events: ServerSentEvents
        private var parser = EventStreamParser()
        /// Parsed events that are not delivered yet, the next one first.
        private var waiting: ArraySlice<ServerSentEvent> = []
        private var body: BodyStream?
        /// The number of failed connections in a row, without an event in between.
        private var failures = 0
        private var isOver = false

        init(events: ServerSentEvents) { self.events = events }

        public mutating func next() async throws(ReadFailure) -> ServerSentEvent? {
            try await next(isolation: nil)
        }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(ReadFailure) -> ServerSentEvent? {
            // The loop runs until there is an event or a reason to end.
            while !isOver, !Task.isCancelled {
                if let event = waiting.popFirst() { return event }
                do throws(ReadFailure) {
                    if try await read() { continue }
                } catch {
                    // The connection is released before the pause.
                    body = nil
                    guard error.isWorthAnotherTry else {
                        isOver = true
                        if error.code == .cancelled { return nil }
                        throw error
                    }
                }
                // A connection that ends normally counts too: a server that closes at once must not
                // be called in a tight loop.
                failures += 1
                guard await pause() else { break }
            }
            isOver = true
            return nil
        }

        /// Reads some bytes, from a new connection if there is none.
        ///
        /// - Returns: false if the connection has ended.
        private mutating func read() async throws(ReadFailure) -> Bool {
            if body == nil {
                // Copied, because a `@Sendable` closure can't capture the inout `self`.
                let (events, lastEventID) = (events, parser.lastEventID)
                let opened = try await events.heard { () async throws(ReadFailure) in
                    try await events.open(lastEventID: lastEventID)
                }
                guard let opened else {
                    isOver = true
                    return true
                }
                // An event that the last connection left incomplete is dropped.
                parser = EventStreamParser(lastEventID: parser.lastEventID, retry: parser.retry)
                body = opened
            }
            let chunks = body
            let bytes = try await events.heard { () async throws(ReadFailure) -> [UInt8]? in
                var chunks = chunks?.makeAsyncIterator()
                do throws(TransportError) {
                    return try await chunks?.next(isolation: nil)
                } catch {
                    throw ReadFailure(error)
                }
            }
            // The service ended the stream. It is opened again with the last id.
            guard let bytes else {
                body = nil
                return false
            }
            do throws(EventTooLong) {
                waiting = try parser.append(bytes)[...]
            } catch {
                // A longer event can't be parsed, and the next connection would get it again.
                isOver = true
                throw ReadFailure(.tooLarge, message: error.description, cause: error)
            }
            // An event is a sign of success, so the backoff starts again.
            if !waiting.isEmpty { failures = 0 }
            return true
        }

        /// The longest pause that the service can ask for: one hour.
        private static let longestRetry = Duration.seconds(3_600)

        /// Waits before the next connection.
        ///
        /// - Returns: false if the task was cancelled.
        private func pause() async -> Bool {
            var random = SystemRandomNumberGenerator()
            let pause = events.backoff.delay(afterFailures: Swift.max(1, failures), using: &random) ?? .zero
            do {
                // The service's `retry:` is bounded: it could otherwise stop the client for ever.
                try await events.timer.sleep(for: Swift.min(parser.retry ?? .zero, Self.longestRetry) + pause)
                return true
            } catch {
                return false
            }
        }
    }

    /// Returns the result of a step, or fails if the connection is silent for too long.
    fileprivate func heard<Value: Sendable>(
        _ step: @escaping @Sendable () async throws(ReadFailure) -> Value
    ) async throws(ReadFailure) -> Value {
        guard let silence else { return try await step() }
        let outcome = await withTaskGroup(of: Result<Value, ReadFailure>.self) { [timer] group in
            group.addTask {
                do throws(ReadFailure) { return .success(try await step()) } catch { return .failure(error) }
            }
            group.addTask {
                do { try await timer.sleep(for: silence) } catch { return .failure(.cancelled(error)) }
                return .failure(
                    ReadFailure(
                        .timedOut, message: "no bytes came from \(request.redacted()) for \(silence)"))
            }
            // The first result ends the other task: the timer, or a read that is stuck.
            defer { group.cancelAll() }
            return await group.next() ?? .failure(.cancelled())
        }
        return try outcome.get()
    }

    /// Opens a connection.
    ///
    /// - Returns: nil if the service asks for no more connections (204).
    fileprivate func open(lastEventID: String) async throws(ReadFailure) -> BodyStream? {
        var head = request
        if !lastEventID.isEmpty, let name = HTTPField.Name("Last-Event-ID") { head.headerFields[name] = lastEventID }
        // The stream never ends, so it has no timeout. This sequence reconnects by itself, with the
        // last id.
        let response = try await client.send(
            TransportRequest(head, account: client.account, timeout: nil, isIdempotent: true), mode: .bypass)
        if response.head.status == .noContent { return nil }
        let type = response.head.headerFields[.contentType] ?? ""
        guard type.lowercased().hasPrefix("text/event-stream") else {
            throw ReadFailure(
                .undecodable,
                message: "expected text/event-stream from \(head.redacted()), found \"\(type)\"",
                response: response.head)
        }
        return response.body
    }
}

extension APIClient {
    /// Returns the events that the service pushes at a path.
    ///
    /// - Parameters:
    ///   - backoff: its `base` and `cap` bound the pauses between connections. The number of
    ///     attempts is not limited.
    ///   - silence: the time without a byte after which a connection counts as broken; nil for no
    ///     limit.
    ///   - timer: measures the pauses and the silence.
    /// - Throws: ``ReadFailure/Code/invalidRequest`` for a path that can't be addressed, and for an
    ///   environment without a base URL.
    public func events(
        _ path: RequestPath, query: Query = [], fields: HTTPFields = [:],
        backoff: RetryPolicy = RetryPolicy(base: .seconds(1), cap: .seconds(60)),
        silence: Duration? = .seconds(300), timer: any Clock<Duration> = ContinuousClock()
    ) throws(ReadFailure) -> ServerSentEvents {
        var policy = backoff
        // A stream has no last attempt.
        policy.attempts = .max
        var fields = fields
        fields[.accept] = "text/event-stream"
        // A cache must not store any part of an endless stream.
        fields[.cacheControl] = "no-store"
        let request = Request<Void>(.get, .path(path), query: query, fields: fields, decoding: .ignored)
        return ServerSentEvents(
            client: self, request: try environment.head(for: request), backoff: policy, silence: silence, timer: timer)
    }
}

extension ServerSentEvent {
    /// Decodes the data as JSON.
    ///
    /// The value may be a model for ``/WharfRepository/Repository/receive(_:asOf:)``.
    ///
    /// - Throws: a ``/WharfJSON/JSONError``.
    public func json<Value: JSONDecodable>(_ type: Value.Type) throws -> Value {
        try JSON.decode(type, from: JSONBytes(Array(data.utf8)))
    }

    /// Decodes the data as JSON through `Codable`.
    ///
    /// - Parameter form: the keys and dates.
    @_disfavoredOverload public func json<Value: Decodable>(
        _ type: Value.Type, as form: CodableJSON = CodableJSON()
    ) throws -> Value {
        try form.decoder.decode(type, from: JSONBytes(Array(data.utf8)))
    }
}

extension ReadFailure {
    /// Whether a new connection may succeed.
    fileprivate var isWorthAnotherTry: Bool {
        if let status = response?.status, code == .status {
            return status.kind == .serverError || status == .requestTimeout || status == .tooManyRequests
        }
        let passing: [Code] = [
            .connectionFailed, .hostNotFound, .offline, .connectionLost, .timedOut, .credentialUnavailable,
        ]
        return passing.contains(code)
    }
}
