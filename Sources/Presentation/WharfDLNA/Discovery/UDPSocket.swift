internal import Dispatch
internal import Synchronization
public import WharfPlayback

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A UDP socket of the system over IPv4, on a free port.
///
/// On Apple's mobile platforms, sending to a multicast group needs the entitlement
/// `com.apple.developer.networking.multicast`. The system asks the user before it lets the app into
/// the local network.
public final class UDPSocket: DatagramSocket {
    public let received: AsyncStream<Datagram>
    private let continuation: AsyncStream<Datagram>.Continuation
    /// The descriptor; nil once the socket is closed. It is only used under the lock, so that no
    /// call uses a descriptor that the system has reused.
    private let descriptor: Mutex<Int32?>
    // `nonisolated(unsafe)` because some SDKs do not declare sources as sendable. The source is
    // only created and cancelled.
    nonisolated(unsafe) private let source: any DispatchSourceRead

    /// The maximum number of buffered datagrams. The oldest are dropped first.
    private static let kept = 256
    /// The maximum number of datagrams read per event. Without the limit a flood would keep the
    /// event handler running, and the socket could not be closed.
    static let batch = 64

    /// Opens a socket.
    ///
    /// - Parameter interface: the IPv4 address of the network interface to use. Without it the
    ///   system chooses, which can be wrong behind a VPN.
    /// - Throws: `refused` if the system gives no such socket; the cause is a ``SocketFailure``.
    public init(interface: String? = nil) throws(PlaybackError) {
        let descriptor = try Self.open(interface)
        (received, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.kept))
        self.descriptor = Mutex(descriptor)
        source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "wharf.dlna.udp"))
        source.setEventHandler { [continuation] in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            Self.take(from: { Self.receive(descriptor, by: &buffer) }, to: { continuation.yield($0) })
        }
        // The descriptor must not be closed while its source watches it.
        source.setCancelHandler { [continuation] in
            Self.close(descriptor)
            continuation.finish()
        }
        source.resume()
    }

    deinit { close() }

    /// The port that receives answers; nil once the socket is closed.
    var localPort: UInt16? { descriptor.withLock { $0.flatMap(Self.port) } }

    /// Closes the socket. ``received`` ends once the port is free.
    public func close() {
        let isFirst = descriptor.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor != nil
        }
        guard isFirst else { return }
        // The system closes the descriptor later, in the cancel handler. From here on no call uses
        // it.
        source.cancel()
    }

    public func send(_ datagram: [UInt8], to address: DatagramAddress) throws(PlaybackError) {
        var target = try Self.address(address.host, address.port)
        let failure = descriptor.withLock { descriptor -> SocketFailure? in
            guard let descriptor else { return SocketFailure(call: "sendto", number: EBADF) }
            let sent = withUnsafeBytes(of: &target) { target in
                sendto(
                    descriptor, datagram, datagram.count, 0, target.assumingMemoryBound(to: sockaddr.self).baseAddress,
                    socklen_t(target.count))
            }
            return sent == datagram.count ? nil : SocketFailure(call: "sendto", number: errno)
        }
        guard let failure else { return }
        throw PlaybackError(
            .disconnected,
            "the system refused to send to \(address.host):\(address.port); check that there is a local network "
                + "and that this app may use it",
            cause: failure)
    }

    static func take(from receive: () -> Datagram?, to tell: (Datagram) -> Void) {
        // The source fires again while datagrams are waiting, so none is left behind.
        for _ in 0..<batch {
            guard let datagram = receive() else { return }
            tell(datagram)
        }
    }

    private static func receive(_ descriptor: Int32, by buffer: inout [UInt8]) -> Datagram? {
        var sender = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let count = withUnsafeMutableBytes(of: &sender) { sender in
            recvfrom(
                descriptor, &buffer, buffer.count, 0, sender.assumingMemoryBound(to: sockaddr.self).baseAddress, &size)
        }
        // The system reports an error of an earlier sent datagram here. It does not concern
        // receiving, and the next event delivers the next datagram.
        return count < 0 ? nil : Datagram(Array(buffer.prefix(count)), from: address(sender))
    }
}
