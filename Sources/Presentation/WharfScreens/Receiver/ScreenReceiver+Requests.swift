internal import Synchronization
internal import WharfCore
internal import WharfJSON
internal import WharfPlayback

/// The routing of requests.
extension ScreenReceiver {
    static let bodyLimit = 1 << 20
    /// The maximum length of an opening in bytes. It is `{}` today, and later versions may add
    /// fields.
    private static let openingLimit = 4096

    func answer(to request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let path = (request.head.path ?? "").prefix { $0 != "?" }.split(separator: "/").map(String.init)
        if let pairing, path.last == "pairing" {
            guard request.head.method == .post else { return notAllowed("POST") }
            return isJSON(request) ? try await pair(request, pairing) : unsupported(request)
        }
        switch try await authenticated(request) {
        case .success(let request): return try await answer(to: request, path)
        case .failure(let refusal): return refusal.response
        }
    }

    private func answer(
        to request: TransportRequest, _ path: [String]
    ) async throws(TransportError) -> TransportResponse {
        // The server may have mounted the receiver below any path.
        guard let root = path.lastIndex(of: "session") else { return answer(.notFound) }
        let rest = path[(root + 1)...]
        let method = request.head.method
        switch (rest.first, rest.dropFirst().first, rest.count) {
        case (nil, _, _):
            guard method == .post else { return notAllowed("POST") }
            return isJSON(request) ? try await open(request) : unsupported(request)
        case (let id?, nil, _):
            return method == .delete ? letGo(of: id) : notAllowed("DELETE")
        case (let id?, "events", 2):
            return method == .get ? events(of: id, request.head.headerFields) : notAllowed("GET")
        case (let id?, "commands", 2):
            guard method == .post else { return notAllowed("POST") }
            return isJSON(request) ? try await command(request, of: id) : unsupported(request)
        default: return answer(.notFound)
        }
    }

    /// Returns whether a request has a JSON body.
    ///
    /// This prevents cross-site requests. A web page of another origin can send a form or plain
    /// text without permission, and would open a session that ends another sender's. For JSON its
    /// browser asks for permission first (Fetch Standard, CORS-preflight). No answer here has the
    /// fields that grant it. The same holds for `DELETE`, and the page could not read the events of
    /// a session.
    private func isJSON(_ request: TransportRequest) -> Bool {
        let type = (request.head.headerFields[.contentType] ?? "").prefix { $0 != ";" }.filter { !" \t".contains($0) }
        return type.lowercased() == "application/json"
    }

    private func unsupported(_ request: TransportRequest) -> TransportResponse {
        let found = request.head.headerFields[.contentType].map { "\"\($0)\"" } ?? "none"
        let error = PlaybackError(.malformed, "expected the content-type application/json, found \(found)")
        return answer(.unsupportedMediaType, ScreenMessage.Failure(error))
    }

    private func notAllowed(_ allowed: String) -> TransportResponse {
        answer(.methodNotAllowed, fields: [.allow: allowed])
    }

    private func events(of id: String, _ fields: HTTPFields) -> TransportResponse {
        // One look: a session that ends in between would otherwise get the feed of the next one.
        let (end, feed) = session.withLock { ($0.end(of: id), $0.feed) }
        // WHATWG HTML, section 9.2.2: any status other than 200 stops a client from reconnecting.
        guard end == nil, let feed else { return over(end ?? .expired) }
        let known = HTTPField.Name("Last-Event-ID").flatMap { fields[$0] }.flatMap { Int($0) }
        let body = EventBody(feed, known: known, heartbeat: heartbeat, retry: retry, clock: clock)
        return TransportResponse(
            head: HTTPResponse(
                status: .ok, headerFields: [.contentType: "text/event-stream", .cacheControl: "no-store"]),
            body: BodyStream(body), provenance: provenance)
    }

    /// Opens a session.
    ///
    /// It parses the whole body before it ends another sender's session, so that a broken request
    /// ends none.
    private func open(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        switch try await message(ScreenMessage.Opening.self, in: request, upTo: Self.openingLimit) {
        case .success: try await open()
        case .failure(let refusal): refusal.response
        }
    }

    private func command(_ request: TransportRequest, of id: String) async throws(TransportError) -> TransportResponse {
        let message: ScreenMessage.Command
        switch try await self.message(ScreenMessage.Command.self, in: request, upTo: Self.bodyLimit) {
        case .success(let read): message = read
        case .failure(let refusal): return refusal.response
        }
        guard message.sequence > 0, message.command.position.map({ $0 >= .zero }) ?? true else {
            let error = PlaybackError(
                .malformed, "the sequence is below 1, or the position is negative")
            return answer(.badRequest, ScreenMessage.Failure(error))
        }
        return try await perform(message, of: id)
    }
}

extension PlaybackCommand {
    fileprivate var position: Duration? {
        switch self {
        case .load(_, let position, _), .seek(let position), .progress(let position): position
        case .play, .pause, .stop: nil
        }
    }
}
