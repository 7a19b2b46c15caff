internal import WharfCore
internal import WharfPlayback

/// The events of one session, over as many consecutive streams as needed.
struct ScreenEvents: Sendable {
    let network: ScreenNetwork
    let address: ScreenAddress
    let path: String
    let name: String

    /// Reads events until the session is over.
    ///
    /// - Returns: the reason; nil if the reading task was cancelled.
    func read(_ take: @Sendable (ServerSentEvent) throws(PlaybackError) -> Void) async -> PlaybackError? {
        var parser = EventStreamParser()
        var failures = 0
        while true {
            do throws(Failure) {
                try await readStream(&parser, &failures, take)
            } catch {
                failures += 1
                do throws(PlaybackError) {
                    if !error.isFinal, try await network.pause(after: failures, atLeast: parser.retry) { continue }
                    return Task.isCancelled ? nil : error.error
                } catch {
                    return nil
                }
            }
        }
    }

    /// The reason why reading a stream has ended.
    private struct Failure: Error {
        var error: PlaybackError
        /// Whether another stream would fail too.
        var isFinal: Bool

        static let cancelled = Failure(.cancelledByCaller, isFinal: true)

        init(_ error: PlaybackError, isFinal: Bool = false) { (self.error, self.isFinal) = (error, isFinal) }
    }

    /// Reads one stream of events.
    ///
    /// - Parameter failures: the number of consecutive failed streams. A complete event resets it,
    ///   and so does any byte once the stream has lasted for `silence`. A receiver that repeatedly
    ///   sends a heartbeat and breaks does not reset it.
    /// - Throws: always, because each end of a stream is premature.
    private func readStream(
        _ parser: inout EventStreamParser, _ failures: inout Int,
        _ take: @Sendable (ServerSentEvent) throws(PlaybackError) -> Void
    ) async throws(Failure) {
        // A half event of the broken stream is dropped. Id and retry time hold for the connection
        // (WHATWG HTML §9.2.5).
        parser = EventStreamParser(lastEventID: parser.lastEventID, retry: parser.retry)
        let body = try await open(lastEventID: parser.lastEventID)
        let proof = Deadline(after: network.silence, on: network.clock)
        while let bytes = try await heard({ () throws(TransportError) in
            var chunks = body.makeAsyncIterator()
            return try await chunks.next(isolation: nil)
        }) {
            // A receiver that accepts and closes at once would otherwise be asked for ever.
            if proof.remaining() <= .zero { failures = 0 }
            let events: [ServerSentEvent]
            do throws(EventTooLong) {
                events = try parser.append(bytes)
            } catch {
                throw Failure(PlaybackError(.malformed, error.description), isFinal: true)
            }
            do throws(PlaybackError) {
                for event in events {
                    try take(event)
                    failures = 0
                }
            } catch {
                throw Failure(error, isFinal: true)
            }
        }
        throw Failure(PlaybackError(.disconnected, "\(name) ended the stream of its states; connect it again"))
    }

    private func open(lastEventID: String) async throws(Failure) -> BodyStream {
        var fields: HTTPFields = [.accept: "text/event-stream", .cacheControl: "no-store"]
        if !lastEventID.isEmpty, let name = HTTPField.Name("Last-Event-ID") { fields[name] = lastEventID }
        let request = address.request(.get, path + "/events", fields: fields, timeout: nil)
        let response = try await heard { () throws(TransportError) in try await network.transport.send(request) }
        let type = response.head.headerFields[.contentType] ?? ""
        let status = response.head.status
        if status == .ok, type.lowercased().hasPrefix("text/event-stream") { return response.body }
        if status == .gone {
            let bytes = try await heard { () throws(TransportError) in
                try await response.body.collect(upTo: ScreenNetwork.bodyLimit)
            }
            throw Failure(
                PlaybackError(.init(status: status, bytes: bytes), for: "a request for events"), isFinal: true)
        }
        // WHATWG HTML, section 9.2.2: after another status or another type a client does not
        // reconnect.
        throw Failure(
            PlaybackError(
                .disconnected,
                "\(name) answered \(status.code) with \"\(type)\" in place of events; connect it again"),
            isFinal: !status.isServerFailure)
    }

    /// Returns the result of `next`, and fails if it takes longer than `silence`.
    private func heard<Value: Sendable>(
        _ next: @escaping @Sendable () async throws(TransportError) -> Value
    ) async throws(Failure) -> Value {
        // Heartbeats come more often. So silence means a lost peer, which TCP alone would not
        // report.
        let deadline = Deadline(after: network.silence, on: network.clock)
        let silence = PlaybackError(
            .disconnected,
            "\(name) sent nothing for \(network.silence), so its session counts as lost; connect it again")
        let outcome = await withTaskGroup(of: Result<Value, Failure>.self) { group in
            group.addTask {
                do throws(TransportError) { return .success(try await next()) } catch {
                    // A cancellation inside of the transport, without one of this task, counts as a
                    // broken stream.
                    let error = PlaybackError(error)
                    let isOther = error.code == .cancelled
                    return .failure(
                        Failure(isOther ? PlaybackError(.disconnected, error.message, cause: error) : error))
                }
            }
            group.addTask {
                do { try await deadline.wait() } catch { return .failure(.cancelled) }
                return .failure(Failure(silence, isFinal: true))
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failure(.cancelled)
        }
        guard !Task.isCancelled else { throw .cancelled }
        return try outcome.get()
    }
}
