internal import WharfPlayback

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A failed system call.
public struct SocketFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the function that failed.
    public let call: String
    /// The value of `errno`.
    public let number: Int32

    /// Creates a failure.
    public init(call: String, number: Int32) {
        self.call = call
        self.number = number
    }

    public var description: String { "\(call): \(String(cString: strerror(number)))" }
}

extension UDPSocket {
    /// - Returns: a descriptor that is bound, non-blocking and close-on-exec.
    static func open(_ interface: String?) throws(PlaybackError) -> Int32 {
        var own = try address(interface ?? "0.0.0.0", 0)
        let descriptor = make()
        guard descriptor >= 0 else { throw refusal("socket") }
        do throws(PlaybackError) {
            guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else {
                throw refusal("fcntl")
            }
            // The TTL that the architecture recommends (2.0, section 1.3.2).
            try set(IP_MULTICAST_TTL, to: UInt8(2), on: descriptor)
            if interface != nil { try set(IP_MULTICAST_IF, to: own.sin_addr, on: descriptor) }
            let bound = withUnsafeBytes(of: &own) { own in
                bind(descriptor, own.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(own.count))
            }
            guard bound == 0 else { throw refusal("bind") }
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    static func close(_ descriptor: Int32) {
        #if canImport(Darwin)
        _ = Darwin.close(descriptor)
        #elseif canImport(Glibc)
        _ = Glibc.close(descriptor)
        #elseif canImport(Musl)
        _ = Musl.close(descriptor)
        #endif
    }

    /// - Throws: `malformed` if the host is not an IPv4 address in dotted notation.
    static func address(_ host: String, _ port: UInt16) throws(PlaybackError) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        #if canImport(Darwin)
        address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
        #endif
        guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else {
            throw PlaybackError(
                .malformed, "expected an IPv4 address such as 192.168.0.2, found \(host.debugDescription)")
        }
        return address
    }

    static func address(_ address: sockaddr_in) -> DatagramAddress? {
        var numbers = address.sin_addr
        var text = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
        guard address.sin_family == sa_family_t(AF_INET),
            inet_ntop(AF_INET, &numbers, &text, socklen_t(text.count)) != nil
        else { return nil }
        let host = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return DatagramAddress(host: host, port: UInt16(bigEndian: address.sin_port))
    }

    private static func make() -> Int32 {
        #if canImport(Glibc)
        socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #elseif canImport(Musl)
        socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)
        #else
        socket(AF_INET, SOCK_DGRAM, 0)
        #endif
    }

    private static func set<Value: BitwiseCopyable>(
        _ option: Int32, to value: Value, on descriptor: Int32
    ) throws(PlaybackError) {
        var value = value
        let size = socklen_t(MemoryLayout<Value>.size)
        guard setsockopt(descriptor, Int32(IPPROTO_IP), option, &value, size) == 0 else { throw refusal("setsockopt") }
    }

    private static func refusal(_ call: String) -> PlaybackError {
        PlaybackError(
            .refused, "the system refused a UDP socket; see the cause",
            cause: SocketFailure(call: call, number: errno))
    }
}

extension UDPSocket {
    /// Returns the port that the descriptor is bound to.
    static func port(of descriptor: Int32) -> UInt16? {
        var own = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutableBytes(of: &own) { own in
            getsockname(descriptor, own.assumingMemoryBound(to: sockaddr.self).baseAddress, &size)
        }
        return result == 0 ? UInt16(bigEndian: own.sin_port) : nil
    }
}
