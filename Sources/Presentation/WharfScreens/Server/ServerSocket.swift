internal import WharfPlayback

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The system calls of a TCP server over IPv4. Descriptors are non-blocking and close-on-exec.
enum ServerSocket {
    enum Reading {
        case bytes(ArraySlice<UInt8>)
        /// No bytes are available yet.
        case none
        /// The peer has closed its side, or the connection is lost.
        case end
    }

    /// - Returns: a listening descriptor, and its port.
    static func listen(at host: ServerHost, port: UInt16) throws(PlaybackError) -> (Int32, UInt16) {
        #if canImport(Glibc)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw refusal("socket", host, port) }
        do throws(PlaybackError) {
            guard prepare(descriptor) else { throw refusal("fcntl", host, port) }
            var isReused: Int32 = 1
            let size = socklen_t(MemoryLayout<Int32>.size)
            // Without it a restarted server could not use its port while old connections are in
            // TIME_WAIT.
            guard setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, size) == 0 else {
                throw refusal("setsockopt", host, port)
            }
            var own = sockaddr_in()
            own.sin_family = sa_family_t(AF_INET)
            own.sin_port = port.bigEndian
            own.sin_addr.s_addr = host.number.bigEndian
            #if canImport(Darwin)
            own.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
            #endif
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let result = withUnsafeMutableBytes(of: &own) { own in
                let address = own.assumingMemoryBound(to: sockaddr.self).baseAddress
                return address.map { bind(descriptor, $0, length) } ?? -1
            }
            guard result == 0 else { throw refusal("bind", host, port) }
            guard start(descriptor) == 0 else { throw refusal("listen", host, port) }
            let named = withUnsafeMutableBytes(of: &own) { own in
                let address = own.assumingMemoryBound(to: sockaddr.self).baseAddress
                return address.map { getsockname(descriptor, $0, &length) } ?? -1
            }
            guard named == 0 else { throw refusal("getsockname", host, port) }
            return (descriptor, UInt16(bigEndian: own.sin_port))
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Accepts the next connection; nil if there is none.
    static func accept(on listener: Int32) -> Int32? {
        let descriptor = take(listener)
        guard descriptor >= 0 else { return nil }
        guard prepare(descriptor) else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    static func read(from descriptor: Int32, into buffer: inout [UInt8]) -> Reading {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 { return .bytes(buffer[..<count]) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? .none : .end
    }

    /// - Returns: the number of accepted bytes, 0 if the system's buffer is full; nil if the
    ///   connection is lost.
    static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int? {
        #if canImport(Darwin)
        let flags: Int32 = 0
        #else
        // Without this, writing to a peer that has left would end the process by SIGPIPE.
        let flags = Int32(MSG_NOSIGNAL)
        #endif
        let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : nil
    }

    /// Ends the answer. The peer reads the bytes in flight, and then the end.
    static func finish(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    private static func prepare(_ descriptor: Int32) -> Bool {
        #if canImport(Darwin)
        var isSilent: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        guard setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isSilent, size) == 0 else { return false }
        #endif
        return fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 && fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0
    }

    private static func refusal(_ call: String, _ host: ServerHost, _ port: UInt16) -> PlaybackError {
        PlaybackError(
            .refused,
            "the screen can't listen on \(host):\(port): \(call): \(String(cString: strerror(errno))); "
                + "check that the address belongs to this device and that the port is free")
    }
}

// In an extension of their own, because the names of these calls are taken by functions above.
extension ServerSocket {
    private static func start(_ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
        Darwin.listen(descriptor, 64)
        #elseif canImport(Glibc)
        Glibc.listen(descriptor, 64)
        #elseif canImport(Musl)
        Musl.listen(descriptor, 64)
        #endif
    }

    private static func take(_ listener: Int32) -> Int32 {
        #if canImport(Darwin)
        Darwin.accept(listener, nil, nil)
        #elseif canImport(Glibc)
        Glibc.accept(listener, nil, nil)
        #elseif canImport(Musl)
        Musl.accept(listener, nil, nil)
        #endif
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
}
