import Foundation
import Synchronization
package import WharfCore
package import WharfCoreLaws

#if canImport(Glibc)
import Glibc
#endif

/// An origin that writes given bytes, valid or not, over loopback sockets.
///
/// ```swift
/// try await RawPeer.run(answering: { request in Wire([Array("HTTP/1.1 200".utf8)], end: .close) }) { peer in
///     _ = try await transport.send(TransportRequest(peer.request))
/// }
/// ```
///
/// Each connection has a thread of its own, which blocks in `poll`. All threads wake when
/// ``run(isAtIPv6:answering:_:)`` ends. The port stays reserved until then.
package final class RawPeer: Sendable {
    /// A received request, and the connection on which it arrived.
    package struct Request: Sendable {
        package var method: HTTPRequest.Method
        package var path: String
        package var fields: HTTPFields
        package var body: [UInt8]
        /// The number of the connection, counted from 1.
        package var connection: Int
        /// The number of earlier requests on the same connection.
        package var earlier: Int
    }

    /// The answer to a request, or nil to close the connection without one.
    package typealias Answer = @Sendable (Request) -> TransportLaws.Wire?

    /// The peer was stopped before the awaited event.
    package struct Stopped: Error {}

    private struct State {
        var requests: [Request] = []
        var connections = 0
        /// The connections that the client closed.
        var left: Set<Int> = []
        var isStopped = false
        var watchers: [(isSo: @Sendable (State) -> Bool, continuation: CheckedContinuation<Void, any Error>)] = []
    }

    /// `127.0.0.1:PORT` or `[::1]:PORT`.
    package let authority: String
    private let answer: Answer
    private let stop: StopSignal
    private let state = Mutex(State())

    private init(authority: String, stop: StopSignal, answer: @escaping Answer) {
        self.authority = authority
        self.answer = answer
        self.stop = stop
    }

    /// Passes a peer to `body`, and stops the peer afterwards on every path.
    ///
    /// - Throws: ``SocketError`` if the machine has no such address, and the errors of `body`.
    package static func run<Result>(
        isAtIPv6: Bool = false, answering answer: @escaping Answer, _ body: (RawPeer) async throws -> Result
    ) async throws -> Result {
        let listener = try RawSocket.listening(isAtIPv6: isAtIPv6)
        let host = isAtIPv6 ? "[::1]" : "127.0.0.1"
        let peer = RawPeer(authority: "\(host):\(try listener.port)", stop: try StopSignal(), answer: answer)
        peer.accept(on: listener)
        defer { peer.end() }
        return try await body(peer)
    }

    /// Makes a GET request for the path.
    package func request(_ path: String = "/") -> HTTPRequest {
        HTTPRequest(method: .get, scheme: "http", authority: authority, path: path)
    }

    package var requests: [Request] { state.withLock { $0.requests } }

    /// Returns once the given number of requests have arrived.
    package func arrivals(_ count: Int) async throws { try await wait { $0.requests.count >= count } }

    /// Returns once the client has closed the connection of the first request.
    package func departure() async throws {
        try await wait { state in
            guard let first = state.requests.first else { return false }
            return state.left.contains(first.connection)
        }
    }

    private func wait(until isSo: @escaping @Sendable (State) -> Bool) async throws {
        try await withCheckedThrowingContinuation { continuation in
            let result = state.withLock { state -> Result<Void, any Error>? in
                if isSo(state) { return .success(()) }
                if state.isStopped { return .failure(Stopped()) }
                state.watchers.append((isSo, continuation))
                return nil
            }
            if let result { continuation.resume(with: result) }
        }
    }

    private func change<Value>(_ change: (inout State) -> Value) -> Value {
        let (value, due) = state.withLock { state in
            let value = change(&state)
            var due: [CheckedContinuation<Void, any Error>] = []
            var rest = state.watchers
            state.watchers = []
            for index in rest.indices.reversed() where rest[index].isSo(state) {
                due.append(rest.remove(at: index).continuation)
            }
            state.watchers = rest
            return (value, due)
        }
        for continuation in due { continuation.resume() }
        return value
    }

    private func end() {
        stop.send()
        let watchers = state.withLock { state in
            state.isStopped = true
            defer { state.watchers = [] }
            return state.watchers
        }
        for watcher in watchers { watcher.continuation.resume(throwing: Stopped()) }
    }

    // MARK: Threads

    private func accept(on listener: RawSocket) {
        Thread.detachNewThread { [self] in
            while let socket = listener.accept(until: stop) {
                let number = change { state in
                    state.connections += 1
                    return state.connections
                }
                Thread.detachNewThread { [self] in serve(socket, number) }
            }
        }
    }

    private func serve(_ socket: RawSocket, _ number: Int) {
        var reader = RawRequestReader(socket: socket, stop: stop)
        var earlier = 0
        while var request = reader.next() {
            request.connection = number
            request.earlier = earlier
            let wire = answer(request)
            change { [request] state in state.requests.append(request) }
            earlier += 1
            // Closing the connection is the answer.
            guard let wire else { return }
            for piece in wire.pieces where !piece.isEmpty {
                guard socket.write(piece, until: stop) else {
                    change { _ = $0.left.insert(number) }
                    return
                }
                change { _ in }
            }
            switch wire.end {
            case .open: continue
            case .close: return socket.finish()
            case .reset: return socket.resets()
            }
        }
        change { _ = $0.left.insert(number) }
    }
}
