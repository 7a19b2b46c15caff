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

/// A socket of the system for UDP over IPv4, on a free port.
///
/// On Apple's mobile platforms the system lets an app send to a multicast group only with the
/// entitlement `com.apple.developer.networking.multicast`, and asks the person before it lets it
/// into the local network.
public final class UDPSocket: DatagramSocket {
    public let received: AsyncStream<Datagram>
    private let heard: AsyncStream<Datagram>.Continuation
    /// Nil once it is closed. A descriptor is never used outside of the lock, so nobody uses one
    /// that was given to another.
    private let descriptor: Mutex<Int32?>
    // Unsafe because not every SDK says that a source is sendable: it is made and cancelled,
    // nothing else.
    nonisolated(unsafe) private let source: any DispatchSourceRead

    /// How many datagrams wait for a reader at most; the oldest go first.
    private static let kept = 256
    /// How many datagrams are taken at a time: under a flood there is always one more, and it could
    /// never be closed.
    static let batch = 64

    /// - Parameter interface: the IPv4 address of the network interface to use, where the one that
    ///   the system chooses is not the one, as behind a VPN.
    /// - Throws: `refused` where the system gives no such socket; the cause is a ``SocketFailure``.
    public init(interface: String? = nil) throws(PlaybackError) {
        let descriptor = try Self.open(interface)
        (received, heard) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.kept))
        self.descriptor = Mutex(descriptor)
        source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "wharf.dlna.udp"))
        source.setEventHandler { [heard] in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            Self.take(from: { Self.receive(descriptor, by: &buffer) }, to: { heard.yield($0) })
        }
        // A descriptor may be closed only when its source no longer watches it.
        source.setCancelHandler { [heard] in
            Self.close(descriptor)
            heard.finish()
        }
        source.resume()
    }

    deinit { close() }

    /// Where answers come to; nil once it is closed.
    var localPort: UInt16? { descriptor.withLock { $0.flatMap(Self.port) } }

    /// ``received`` ends once the port is free.
    public func close() {
        let isFirst = descriptor.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor != nil
        }
        guard isFirst else { return }
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
            "expected to send to \(address.host):\(address.port), but the system refused; see whether there is a local "
                + "network and whether this app may use it",
            cause: failure)
    }

    static func take(from receive: () -> Datagram?, to tell: (Datagram) -> Void) {
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
        // An error of one datagram sent earlier is told here, and is none of receiving: the next
        // event brings the next one.
        return count < 0 ? nil : Datagram(Array(buffer.prefix(count)), from: address(sender))
    }
}
