import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
private let streamSocket = Int32(SOCK_STREAM.rawValue)
private let withoutSignal = Int32(MSG_NOSIGNAL)
#else
private let streamSocket = SOCK_STREAM
private let withoutSignal: Int32 = 0
#endif

/// A failed system call.
package struct SocketError: Error, CustomStringConvertible {
    let call: String
    let number = errno

    package var description: String { "\(call) failed: \(String(cString: strerror(number)))" }
}

/// Wakes all threads that wait for a socket. It is a pipe whose reading end becomes readable when
/// the writing end is closed.
final class StopSignal: Sendable {
    fileprivate let reading: Int32
    private let writing: Mutex<Int32?>

    init() throws(SocketError) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw SocketError(call: "pipe") }
        reading = ends[0]
        writing = Mutex(ends[1])
    }

    deinit {
        send()
        close(reading)
    }

    func send() {
        let end = writing.withLock { end in
            defer { end = nil }
            return end
        }
        if let end { close(end) }
    }
}

/// A TCP socket for threads that may block. It is closed when it is deinitialised.
final class RawSocket: Sendable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
        #if !canImport(Glibc)
        set(SO_NOSIGPIPE, 1, of: SOL_SOCKET)
        #endif
    }

    deinit { close(descriptor) }

    /// Opens a listening socket at a free port of the loopback interface.
    static func listening(isAtIPv6: Bool) throws(SocketError) -> RawSocket {
        let socket = RawSocket(socket(isAtIPv6 ? AF_INET6 : AF_INET, streamSocket, 0))
        guard socket.descriptor >= 0 else { throw SocketError(call: "socket") }
        let bound: Int32
        if isAtIPv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_addr = in6addr_loopback
            bound = socket.bind(&address)
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            bound = socket.bind(&address)
        }
        guard bound == 0 else { throw SocketError(call: "bind") }
        guard listen(socket.descriptor, 128) == 0 else { throw SocketError(call: "listen") }
        return socket
    }

    private func bind<Address>(_ address: inout Address) -> Int32 {
        withUnsafeBytes(of: &address) { bytes in
            // Every kind of socket address begins with a `sockaddr`.
            guard let base = bytes.baseAddress else { return -1 }
            return Foundation.bind(
                descriptor, base.assumingMemoryBound(to: sockaddr.self), socklen_t(MemoryLayout<Address>.size))
        }
    }

    var port: UInt16 {
        get throws(SocketError) {
            var storage = sockaddr_storage()
            var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let result = withUnsafeMutableBytes(of: &storage) { bytes in
                guard let base = bytes.baseAddress else { return Int32(-1) }
                return getsockname(descriptor, base.assumingMemoryBound(to: sockaddr.self), &size)
            }
            guard result == 0 else { throw SocketError(call: "getsockname") }
            // The port is at the same offset in the addresses of both kinds.
            return withUnsafeBytes(of: &storage) { bytes in
                UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
            }
        }
    }

    func accept(until stop: StopSignal) -> RawSocket? {
        while waits(for: Int16(POLLIN), until: stop) {
            let other = Foundation.accept(descriptor, nil, nil)
            // The client may leave again before it is accepted.
            guard other >= 0 else { continue }
            let socket = RawSocket(other)
            // Each piece is sent as a packet of its own, without delay.
            socket.set(TCP_NODELAY, 1, of: Int32(IPPROTO_TCP))
            return socket
        }
        return nil
    }

    /// Returns no bytes at the end of the stream, and nil if the peer is stopped or the connection
    /// reset.
    func read(until stop: StopSignal) -> [UInt8]? {
        guard waits(for: Int16(POLLIN), until: stop) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count < 0 ? nil : Array(bytes.prefix(count))
    }

    /// Returns false if the client has left or the peer is stopped.
    func write(_ bytes: [UInt8], until stop: StopSignal) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard waits(for: Int16(POLLOUT), until: stop) else { return false }
            let count = rest.withUnsafeBytes { bytes in
                send(descriptor, bytes.baseAddress, min(bytes.count, 65_536), withoutSignal)
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Ends writing: the client reads the bytes in flight, and then the end.
    func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Makes closing reset the connection, which may lose bytes in flight.
    func resets() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    private func set(_ name: Int32, _ value: Int32, of level: Int32) {
        var value = value
        setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Returns false if the peer is stopped.
    private func waits(for events: Int16, until stop: StopSignal) -> Bool {
        var watched = [
            pollfd(fd: descriptor, events: events, revents: 0),
            pollfd(fd: stop.reading, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&watched, nfds_t(watched.count), -1) < 0 {
            guard errno == EINTR else { return false }
        }
        return watched[1].revents == 0
    }
}
