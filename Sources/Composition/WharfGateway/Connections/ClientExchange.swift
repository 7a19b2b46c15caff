#if Server
internal import NIOCore
internal import NIOHTTP1
internal import WharfCore
internal import WharfPrimitives

/// One request of a client, from its head to the end of the answer.
final class ClientExchange: Sendable {
    let request: IncomingRequest
    let connection: ClientConnection
    /// The body; nil if the request has none.
    let upload: ChannelBody?
    let phase = AnswerPhase()
    private let gateway: GatewayCore
    private let live: LiveRequest

    init(_ request: IncomingRequest, on connection: ClientConnection, of gateway: GatewayCore) {
        self.request = request
        self.connection = connection
        self.gateway = gateway
        live = gateway.activity.begin(request.head)
        guard request.body != .none else {
            upload = nil
            return
        }
        let (phase, expectsContinue) = (phase, request.expectsContinue)
        upload = ChannelBody {
            if expectsContinue { connection.sendContinue(during: phase) }
        } onRoom: {
            connection.readOn()
        }
    }

    // MARK: The request

    /// Passes the request on, and answers it.
    func run() async {
        let answer: TransportResponse
        var origin: OriginConnection?
        // The connection of a WebSocket belongs to this exchange.
        defer { origin?.channel.close(promise: nil) }
        do {
            if request.opensWebSocket {
                let opened = try await openWebSocket()
                origin = opened
                if let relay = opened.relay { return await pass(opened, relay) }
                answer = opened.answer
            } else {
                let coding = ClientCoding(request.head)
                let sent = try await gateway.transport.send(try await transportRequest(coding))
                answer = try coding.apply(to: sent, for: request.head.method)
            }
        } catch {
            // The client has left, so no answer is needed.
            guard !Task.isCancelled else { return end(closes: true) }
            // RFC 9112 §9.3.2: a client may pipeline requests and read no answer. Failures come at
            // once, so without this wait they would pile up in memory.
            do { try await connection.untilWritable() } catch { return end(closes: true) }
            refuse(Refusal(error))
            return
        }
        await send(answer)
    }

    private func transportRequest(_ coding: ClientCoding) async throws(TransportError) -> TransportRequest {
        let body: RequestBody
        switch (request.body, upload) {
        case (_, nil), (.none, _): body = .none
        // A short body is collected, so that it can be sent again if the origin has closed a kept
        // connection.
        case (.known(let length), let upload?) where length <= 64 << 10:
            body = .bytes(try await BodyStream(upload, expectedLength: length).collect())
        case (.known(let length), let upload?):
            body = .once(BodyStream(upload, expectedLength: length))
        case (.chunked, let upload?): body = .once(BodyStream(upload))
        }
        var head = request.head
        coding.prepare(&head)
        var sent = TransportRequest(
            head, body: body, account: gateway.configuration.account,
            cache: gateway.configuration.controls.isOffline ? .storedOnly : .normal,
            timeout: gateway.configuration.timeout)
        // RFC 9110 §15.2: HTTP/1.0 has no interim responses.
        if request.version != .http10 {
            sent.onInterim = { [connection, phase] head in
                await connection.sendInterim(AnswerHead.interim(head), during: phase)
            }
        }
        return sent
    }

    // MARK: WebSockets

    private func openWebSocket() async throws(TransportError) -> OriginConnection {
        guard !gateway.configuration.controls.isOffline else {
            throw TransportError(
                .nothingKept, message: "the gateway is offline, and a WebSocket needs the origin; try again later")
        }
        return try await gateway.origin.open(request.head, on: connection.channel.eventLoop)
    }

    /// Answers 101, and lets the bytes of both connections flow until both are closed.
    private func pass(_ origin: OriginConnection, _ relay: NIOLoopBound<Relay>) async {
        guard phase.claim() else { return end(closes: true) }
        let head = AnswerHead(
            origin.answer, to: request.head.method, version: request.version, closes: false,
            name: gateway.configuration.name, now: gateway.wallClock.now())
        gateway.report(origin.answer, to: request.head)
        live.answer(AnswerSource(origin.answer.provenance), origin.answer.head.status)
        do {
            gateway.connections.add(origin.channel)
            try await connection.join(head.head, relay)
            try await connection.channel.closeFuture.get()
            // An origin that does not take the last bytes would keep its connection.
            let deadline = Deadline(after: gateway.configuration.clientTimeout, on: gateway.clock)
            let timer = Task {
                // It throws if the connection was closed before.
                do { try await deadline.wait() } catch { return }
                origin.channel.closeAtOnce()
            }
            defer { timer.cancel() }
            try await origin.channel.closeFuture.get()
            end(closes: true)
        } catch {
            // The client has left.
            abort()
        }
    }

    // MARK: The answer

    /// Answers in place of the origin, unless an answer has begun.
    ///
    /// - Returns: false if one has begun.
    @discardableResult
    func refuse(_ refusal: Refusal) -> Bool {
        guard phase.claim() else { return false }
        let closes = refusal.closes || mustClose
        gateway.report(refusal, to: request.head)
        live.answer(AnswerSource(refusal), refusal.status)
        end(closes: closes)
        let written = gateway.write(refusal, to: request.head.method, on: connection, closes: closes)
        if closes { connection.closeAfterAnswer(written) }
        return true
    }

    /// Ends an answer that can't be completed.
    func abort() {
        live.breakOff()
        end(closes: true)
        connection.abort(resets: request.version == .http10)
    }

    private var mustClose: Bool {
        // The rest of an unfinished body would be read as the next request.
        if upload?.isComplete == false { return true }
        // A connection of HTTP/2 outlives its requests.
        return !connection.isStream && (!request.isKeepAlive || gateway.connections.isClosing)
    }

    private func send(_ answer: TransportResponse) async {
        do {
            try await connection.untilWritable()
            guard phase.claim() else { return end(closes: true) }
            let head = AnswerHead(
                answer, to: request.head.method, version: request.version, closes: mustClose,
                name: gateway.configuration.name, now: gateway.wallClock.now())
            gateway.report(answer, to: request.head)
            live.answer(AnswerSource(answer.provenance), answer.head.status)
            connection.write(.head(head.head))
            var trailers: HTTPFields?
            if head.hasBody {
                trailers = try await send(answer.body)
            } else {
                // A cache stores a response at the end of its body, also of an empty one (204).
                _ = try await answer.body.collect()
            }
            // The next request, or an error in it, is delivered while the end is written.
            end(closes: head.closes)
            connection.watch.step(expectsMore: true)
            let written = connection.flush(.end(head.trailers(trailers)))
            if head.closes { connection.closeAfterAnswer(written) }
        } catch {
            // The body broke off, or the client has left.
            abort()
        }
    }

    /// - Returns: the trailers of the body; nil if its source does not know them.
    private func send(_ body: BodyStream) async throws -> HTTPFields? {
        guard let producer = body.producer else {
            let bytes = try await body.collect()
            try Self.check(Int64(bytes.count), isWhole: true, of: body)
            gateway.activity.sent(bytes.count, of: live)
            if !connection.writeWhole(bytes) {
                try await connection.send(connection.channel.allocator.buffer(bytes: bytes))
            }
            return nil
        }
        // Releasing the body would end its producer.
        defer { withExtendedLifetime(body) {} }
        // The origin may pause before the first byte, and the client acts on the head.
        connection.channel.flush()
        var count: Int64 = 0
        if let pieces = producer as? any PieceProducer {
            while let piece = try await pieces.nextPiece() {
                var buffer = connection.channel.allocator.buffer(capacity: piece.count)
                buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: piece.count) { target in
                    piece.copy(UnsafeMutableRawBufferPointer(rebasing: target.prefix(piece.count)))
                    return piece.count
                }
                count += Int64(piece.count)
                try Self.check(count, isWhole: false, of: body)
                gateway.activity.sent(piece.count, of: live)
                try await connection.send(buffer)
            }
        } else {
            while let piece = try await producer.next() {
                count += Int64(piece.count)
                try Self.check(count, isWhole: false, of: body)
                gateway.activity.sent(piece.count, of: live)
                try await connection.send(connection.channel.allocator.buffer(bytes: piece))
            }
        }
        try Self.check(count, isWhole: true, of: body)
        return producer.trailers
    }

    /// Compares the length of a body with the announced one.
    ///
    /// The client would read surplus bytes as its next answer, and fill a short body with that
    /// answer (RFC 9112 §6.3).
    private static func check(_ count: Int64, isWhole: Bool, of body: BodyStream) throws(TransportError) {
        guard let length = body.expectedLength, isWhole ? count != length : count > length else { return }
        throw TransportError(
            .invalidResponse, message: "the body has \(count) bytes, but \(length) were announced; correct the origin")
    }

    private func end(closes: Bool) {
        phase.end(closes: closes)
        gateway.activity.end(live)
        upload?.cancel()
    }
}
#endif
