internal import Dispatch
internal import Synchronization
internal import WharfCore
public import WharfPlayback
internal import WharfPrimitives

/// A small HTTP/1.1 server for a ``ScreenReceiver``, for apps without a server.
///
/// ```swift
/// let receiver = ScreenReceiver(player: engine, pairing: ScreenPairing())
/// let server = try ScreenServer(receiver, host: "192.168.1.20", port: 8080)
/// ```
///
/// - Without a pairing it listens only at a loopback address, and answers only a `Host` of this
///   device.
/// - It speaks plain HTTP. For secrecy put a server with TLS in front of it or in its place.
/// - A connection carries one request, with a head of at most 16 KiB and a body of at most 1 MiB.
/// - At most ``connectionLimit`` connections are open. Further ones are closed at once.
public final class ScreenServer: Sendable {
    /// The maximum number of open connections. A paired controller has two or three.
    public static let connectionLimit = 32

    private struct Content {
        // Invariant when the lock is free: each open connection is in `connections`, and after
        // `isStopped` none is added. So `stop()` waits for all.
        var number = 0
        var connections: [Int: Task<Void, Never>] = [:]
        var isStopped = false
    }

    /// The port that the server listens at.
    public let port: UInt16
    private let receiver: ScreenReceiver
    private let timeout: Duration
    private let clock: any Clock<Duration>
    private let content = Mutex(Content())
    private let closed = Promise<Void>()
    // `nonisolated(unsafe)` because some SDKs do not declare sources as sendable. The source is
    // only created and cancelled.
    nonisolated(unsafe) private let source: any DispatchSourceRead

    /// Starts a server, which listens until ``stop()`` or its deallocation.
    ///
    /// - Parameters:
    ///   - receiver: answers the requests.
    ///   - host: the IPv4 address of this device to listen at; 0.0.0.0 for all.
    ///   - port: the port to listen at; 0 for a free one.
    ///   - timeout: the limit for the arrival of a request, and for each piece of an answer.
    ///   - clock: measures the timeout.
    /// - Throws: `refused` for a non-loopback address if the receiver has no pairing, and if the
    ///   system refuses; `malformed` if the host is not an IPv4 address.
    public init(
        _ receiver: ScreenReceiver, host: String = "127.0.0.1", port: UInt16 = 0, timeout: Duration = .seconds(10),
        clock: any Clock<Duration> = ContinuousClock()
    ) throws(PlaybackError) {
        let host = try ServerHost(host)
        guard host.isLoopback || receiver.pairing != nil else {
            throw PlaybackError(
                .refused,
                "a receiver without a pairing would obey every device that reaches \(host); give it a ScreenPairing, or "
                    + "listen on 127.0.0.1")
        }
        let (listener, bound) = try ServerSocket.listen(at: host, port: port)
        (self.receiver, self.port, self.timeout, self.clock) = (receiver, bound, timeout, clock)
        source = DispatchSource.makeReadSource(
            fileDescriptor: listener, queue: DispatchQueue(label: "wharf.screens.server"))
        source.setCancelHandler { [closed] in
            ServerSocket.close(listener)
            closed.fulfil()
        }
        source.setEventHandler { [weak self] in
            guard let descriptor = ServerSocket.accept(on: listener) else { return }
            guard let self else { return ServerSocket.close(descriptor) }
            serve(descriptor)
        }
        source.resume()
    }

    deinit { cancel() }

    /// The number of open connections.
    var connectionCount: Int { content.withLock { $0.connections.count } }

    /// Closes all connections and stops listening. Returns when the port is free.
    ///
    /// The receiver and its pairings stay valid for a new server.
    public func stop() async {
        for connection in cancel() { await connection.value }
        await closed.wait()
    }

    @discardableResult
    private func cancel() -> [Task<Void, Never>] {
        source.cancel()
        let connections = content.withLock { content in
            content.isStopped = true
            return Array(content.connections.values)
        }
        for connection in connections { connection.cancel() }
        return connections
    }

    private func serve(_ descriptor: Int32) {
        let isTaken = content.withLock { content in
            guard !content.isStopped, content.connections.count < Self.connectionLimit else { return false }
            content.number += 1
            let number = content.number
            let connection = ServerConnection(
                descriptor, bodyLimit: ScreenReceiver.bodyLimit, timeout: timeout, clock: clock)
            // Stored under the lock that the task takes at its end. It can't be removed before it
            // is stored.
            content.connections[number] = Task { [weak self, receiver] in
                await connection.serve { arrival throws(TransportError) in
                    try await Self.answer(to: arrival, by: receiver)
                }
                self?.content.withLock { $0.connections[number] = nil }
            }
            return true
        }
        // Outside of the lock, which the other connections need.
        if !isTaken { ServerSocket.close(descriptor) }
    }

    private static func answer(
        to arrival: ServerConnection.Arrival, by receiver: ScreenReceiver
    ) async throws(TransportError) -> TransportResponse {
        switch arrival {
        case .failure(let refusal): return receiver.refusal(refusal.status, refusal.reason).response
        case .success(let request):
            // DNS rebinding: a web page can point its own name to this device, and counts as the
            // same origin. With a pairing the page has no key.
            let authority = request.head.authority ?? ""
            guard receiver.pairing != nil || ServerHost.isLoopback(authority: authority) else {
                return receiver.refusal(
                    .misdirectedRequest, "the request is for another host; use http://127.0.0.1 or http://localhost"
                ).response
            }
            return try await receiver.send(request)
        }
    }
}
