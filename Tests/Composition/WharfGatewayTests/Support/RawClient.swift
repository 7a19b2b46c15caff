import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import Testing

@testable import WharfGateway

/// A client that sends exact bytes, and reads only if the test does.
///
/// It shares no parser with the gateway.
final class RawClient {
    /// The connection ended before the awaited bytes.
    struct Ended: Error, CustomStringConvertible {
        let rest: String
        var description: String { "the connection ended after \"\(rest)\"" }
    }

    private let channel: any Channel
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    // Used by the test's task alone. Its `next()` runs on no actor of the caller.
    private nonisolated(unsafe) var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    /// The bytes that were read and not returned.
    private var buffer: [UInt8] = []

    init(
        _ channel: any Channel, _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>,
        _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) {
        self.channel = channel
        self.inbound = inbound.makeAsyncIterator()
        self.outbound = outbound
    }

    /// Connects to a gateway, and disconnects after `body`.
    ///
    /// - Parameters:
    ///   - socketBuffer: the bytes of each of the four socket buffers. Linux doubles them. Nil is
    ///     the system's own size, which may grow to 64 MB and more.
    ///   - tls: the settings of TLS; nil for a client without TLS.
    static func run(
        _ gateway: Gateway, socketBuffer: Int? = nil, tls: NIOSSLContext? = nil,
        _ body: (RawClient) async throws -> Void
    ) async throws {
        var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        if let socketBuffer {
            for name in [NIOBSDSocket.Option.so_rcvbuf, .so_sndbuf] {
                let option = ChannelOptions.Types.SocketOption(level: .socket, name: name)
                // An accepted connection inherits the sizes of the listening socket.
                try await gateway.listener.setOption(option, value: socketBuffer).get()
                bootstrap = bootstrap.channelOption(option, value: socketBuffer)
            }
        }
        let channel =
            try await bootstrap
            // A busy machine may need long to accept.
            .connectTimeout(.hours(24))
            // The gateway ends its side first after its last answer, and the client may still send.
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(host: "127.0.0.1", port: gateway.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(context: tls, serverHostname: "localhost"))
                    }
                    return try Self.wrap(channel)
                }
            }
        try await channel.executeThenClose { inbound, outbound in
            try await body(RawClient(channel.channel, inbound, outbound))
        }
    }

    /// Makes a channel whose two sides close one after the other.
    static func wrap(_ channel: any Channel) throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        try NIOAsyncChannel(
            wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
    }

    /// Ends the client's side.
    func finish() { outbound.finish() }

    /// Sends lines, each with CRLF at its end.
    func send(_ lines: String...) async throws { try await send(bytes: lines.map { $0 + "\r\n" }.joined()) }

    func send(bytes text: String) async throws { try await outbound.write(ByteBuffer(string: text)) }

    func send(_ bytes: [UInt8]) async throws { try await outbound.write(ByteBuffer(bytes: bytes)) }

    /// Sends bytes, and returns when the system has taken them.
    ///
    /// `send` returns when SwiftNIO has them, whose buffer grows while its thread is busy.
    func push(_ bytes: [UInt8]) async throws { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get() }

    /// Sends a GET with the right Host, and further lines.
    func get(_ path: String, of gateway: Gateway, _ lines: String...) async throws {
        try await send(
            bytes: (["GET \(path) HTTP/1.1", "Host: \(gateway.authority)"] + lines).joined(separator: "\r\n"))
        try await send(bytes: "\r\n\r\n")
    }

    // MARK: Reading

    /// Reads a head, up to its empty line.
    func head() async throws -> RawHead {
        let text = try await text(through: "\r\n\r\n")
        return RawHead(text)
    }

    /// Reads an answer by its own framing.
    ///
    /// - Parameter isForHead: whether the request was HEAD.
    func answer(isForHead: Bool = false) async throws -> RawAnswer {
        let head = try await head()
        var body: [UInt8] = []
        if isForHead || head.status == 304 || head.status == 204 {
        } else if head["transfer-encoding"] == "chunked" {
            while true {
                // CR and LF are one character of Swift.
                let size = try await text(through: "\r\n").dropLast()
                let count = try #require(Int(size, radix: 16))
                body += try await bytes(count)
                _ = try await text(through: "\r\n")
                if count == 0 { break }
            }
        } else if let length = head["content-length"] {
            body = try await bytes(try #require(Int(length)))
        } else {
            body = try await rest()
        }
        return RawAnswer(head: head, body: body)
    }

    func bytes(_ count: Int) async throws -> [UInt8] {
        while buffer.count < count { try await readMore() }
        defer { buffer.removeFirst(count) }
        return Array(buffer.prefix(count))
    }

    /// Reads some bytes; nil at the end of the connection.
    func piece() async throws -> Int? {
        if !buffer.isEmpty {
            defer { buffer = [] }
            return buffer.count
        }
        return try await inbound.next()?.readableBytes
    }

    /// Reads some bytes; nil at the end of the connection.
    func next() async throws -> [UInt8]? {
        if !buffer.isEmpty {
            defer { buffer = [] }
            return buffer
        }
        return try await inbound.next().map { Array($0.readableBytesView) }
    }

    /// Reads up to the end of the connection.
    func rest() async throws -> [UInt8] {
        while let bytes = try await inbound.next() { buffer += bytes.readableBytesView }
        defer { buffer = [] }
        return buffer
    }

    /// Reads up to the end of the connection, which may be a reset.
    ///
    /// The system resets a connection that is closed with unread bytes.
    func restOrReset() async throws -> [UInt8] {
        do {
            return try await rest()
        } catch let error as IOError where error.errnoCode == ECONNRESET {
            return buffer
        }
    }

    private func text(through end: String) async throws -> String {
        while true {
            if let range = buffer.firstRange(of: Array(end.utf8)) {
                defer { buffer.removeFirst(range.upperBound) }
                return String(decoding: buffer[..<range.upperBound], as: UTF8.self)
            }
            try await readMore()
        }
    }

    private func readMore() async throws {
        guard let bytes = try await inbound.next() else { throw Ended(rest: String(decoding: buffer, as: UTF8.self)) }
        buffer += bytes.readableBytesView
    }
}

struct RawHead: Sendable {
    /// The first line.
    let line: String
    let status: Int
    let fields: [(name: String, value: String)]

    init(_ text: String) {
        let lines = text.split(separator: "\r\n")
        line = lines.first.map(String.init) ?? ""
        status = lines.first.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") } ?? 0
        fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (parts[0].lowercased(), parts.count > 1 ? parts[1].drop { $0 == " " }.description : "")
        }
    }

    /// Returns the values of a field, joined by commas; nil if it is missing.
    subscript(_ name: String) -> String? {
        let values = fields.filter { $0.name == name }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}

struct RawAnswer: Sendable {
    let head: RawHead
    let body: [UInt8]

    var status: Int { head.status }
    var text: String { String(decoding: body, as: UTF8.self) }
    subscript(_ name: String) -> String? { head[name] }
}
