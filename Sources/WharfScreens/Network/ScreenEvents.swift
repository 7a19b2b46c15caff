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
                if error.isFinal { return error.error.code == .cancelled ? nil : error.error }
                failures += 1
                do throws(PlaybackError) {
                    try await network.pause(after: failures, error.error, atLeast: parser.retry)
                } catch {
                    return error.code == .cancelled ? nil : error
                }
            }
        }
    }

    /// Why a stream is read no further.
    private struct Failure: Error {
        var error: PlaybackError
        /// Another stream would be no better.
        var isFinal: Bool

        init(_ error: PlaybackError, isFinal: Bool = false) {
            self.error = error
            self.isFinal = isFinal || error.code == .cancelled
        }
    }

    /// - Throws: always, for a stream has no end but one that is too early.
    private func readStream(
        _ parser: inout EventStreamParser, _ failures: inout Int,
        _ take: @Sendable (ServerSentEvent) throws(PlaybackError) -> Void
    ) async throws(Failure) {
        parser = EventStreamParser(lastEventID: parser.lastEventID, retry: parser.retry)
        let body = try await open(lastEventID: parser.lastEventID)
        while let bytes = try await heard({ () throws(TransportError) in
            var chunks = body.makeAsyncIterator()
            return try await chunks.next(isolation: nil)
        }) {
            failures = 0
            do throws(PlaybackError) {
                for event in try parser.append(bytes) { try take(event) }
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
                    return .failure(Failure(PlaybackError(error)))
                }
            }
            group.addTask {
                do { try await deadline.wait() } catch { return .failure(Failure(.cancelledByCaller)) }
                return .failure(Failure(silence, isFinal: true))
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failure(Failure(.cancelledByCaller))
        }
        guard !Task.isCancelled else { throw Failure(.cancelledByCaller) }
        return try outcome.get()
    }
}
