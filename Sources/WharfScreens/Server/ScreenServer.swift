internal import Dispatch
internal import Synchronization
internal import WharfCore
public import WharfPlayback
internal import WharfPrimitives

/// A small HTTP/1.1 server for a ``ScreenReceiver``, where an app has no server of its own.
///
/// ```swift
/// let receiver = ScreenReceiver(player: engine, pairing: ScreenPairing())
/// let server = try ScreenServer(receiver, host: "192.168.1.20", port: 8080)
/// ```
///
/// - Without a pairing it listens at a loopback address alone, and answers a `Host` of this device
///   alone.
/// - It speaks plain HTTP. A server with TLS in front of it, or in its place, keeps secrets.
/// - A connection has one request, with a head of at most 16 KiB and a body of at most 1 MiB.
/// - At most ``connectionLimit`` connections are open. Others are closed at once.
public final class ScreenServer: Sendable {
    /// The number of connections at one time. A paired controller has two or three.
    public static let connectionLimit = 32

    private struct Content {
        var number = 0
        var connections: [Int: Task<Void, Never>] = [:]
        var isStopped = false
    }

    /// The port that it listens at.
    public let port: UInt16
    private let receiver: ScreenReceiver
    private let timeout: Duration
    private let clock: any Clock<Duration>
    private let content = Mutex(Content())
    private let closed = Promise<Void>()
    // Unsafe because not every SDK says that a source is sendable: it is made and cancelled,
    // nothing else.
    nonisolated(unsafe) private let source: any DispatchSourceRead

    /// Listens until ``stop()``, or until the server is let go of.
    ///
    /// - Parameters:
    ///   - host: the IPv4 address of this device to listen at; 0.0.0.0 for all.
    ///   - port: 0 for a free one.
    ///   - timeout: for the arrival of a request, and for each piece of an answer.
    ///   - clock: measures it.
    /// - Throws: `refused` for an address of the network when the receiver has no pairing, and when
    ///   the system refuses; `malformed` for a host that is no IPv4 address.
    public init(
        _ receiver: ScreenReceiver, host: String = "127.0.0.1", port: UInt16 = 0, timeout: Duration = .seconds(10),
        clock: any Clock<Duration> = ContinuousClock()
    ) throws(PlaybackError) {
        let host = try ServerHost(host)
        guard host.isLoopback || receiver.pairing != nil else {
            throw PlaybackError(
                .refused,
                "a receiver without a pairing would obey every device that reaches \(host); give it a ScreenPairing, or "
                    + "listen at 127.0.0.1")
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

    /// The number of connections that are open.
    var connectionCount: Int { content.withLock { $0.connections.count } }

    /// Closes all connections and listens no more. Returns when the port is free.
    ///
    /// The receiver and its pairings stay: a new server goes on with them.
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
            content.connections[number] = Task { [weak self, receiver] in
                await connection.serve { arrival throws(TransportError) in
                    try await Self.answer(to: arrival, by: receiver)
                }
                self?.content.withLock { $0.connections[number] = nil }
            }
            return true
        }
        if !isTaken { ServerSocket.close(descriptor) }
    }

    private static func answer(
        to arrival: ServerConnection.Arrival, by receiver: ScreenReceiver
    ) async throws(TransportError) -> TransportResponse {
        switch arrival {
        case .failure(let refusal): return receiver.refusal(refusal.status, refusal.reason).response
        case .success(let request):
            // A web page whose name was made to point here is of the same origin for its browser.
            // With a pairing it has no key.
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
