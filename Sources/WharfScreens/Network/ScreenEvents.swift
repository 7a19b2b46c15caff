internal import WharfCore
internal import WharfPlayback

/// The events of one session, over as many streams as it takes.
struct ScreenEvents: Sendable {
    let network: ScreenNetwork
    let address: ScreenAddress
    let path: String
    let name: String

    /// Reads until the session is over.
    ///
    /// - Returns: why it is; nil where the reading task was cancelled.
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

    /// Why a stream is read no further.
    private struct Failure: Error {
        var error: PlaybackError
        /// Another stream would be no better.
        var isFinal: Bool

        static let cancelled = Failure(.cancelledByCaller, isFinal: true)

        init(_ error: PlaybackError, isFinal: Bool = false) { (self.error, self.isFinal) = (error, isFinal) }
    }

    /// - Parameter failures: begins anew with each whole event, and where the stream has stood for
    ///   as long as nothing may be heard. A receiver that says that it is there, and breaks, and so
    ///   on, does not get that far.
    /// - Throws: always, for a stream has no end but one that is too early.
    private func readStream(
        _ parser: inout EventStreamParser, _ failures: inout Int,
        _ take: @Sendable (ServerSentEvent) throws(PlaybackError) -> Void
    ) async throws(Failure) {
        parser = EventStreamParser(lastEventID: parser.lastEventID, retry: parser.retry)
        let body = try await open(lastEventID: parser.lastEventID)
        let proof = Deadline(after: network.silence, on: network.clock)
        while let bytes = try await heard({ () throws(TransportError) in
            var chunks = body.makeAsyncIterator()
            return try await chunks.next(isolation: nil)
        }) {
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
        throw Failure(
            PlaybackError(.disconnected, "expected \(name) to go on telling its state, but the stream has ended"))
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
            throw Failure(PlaybackError(.init(status: status, bytes: bytes), for: "events"), isFinal: true)
        }
        // WHATWG HTML, section 9.2.2: another status, and another type, are not asked again.
        throw Failure(
            PlaybackError(
                .disconnected,
                "expected events of \(name), and found the status \(status.code) with \"\(type)\"; connect it again"),
            isFinal: !status.isServerFailure)
    }

    /// What comes within the time for which nothing may be heard.
    private func heard<Value: Sendable>(
        _ next: @escaping @Sendable () async throws(TransportError) -> Value
    ) async throws(Failure) -> Value {
        let deadline = Deadline(after: network.silence, on: network.clock)
        let silence = PlaybackError(
            .disconnected, "nothing was heard of \(name) for \(network.silence); it is taken for gone")
        let outcome = await withTaskGroup(of: Result<Value, Failure>.self) { group in
            group.addTask {
                do throws(TransportError) { return .success(try await next()) } catch {
                    // Where this task was not cancelled, whoever was is no reason to stop.
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
