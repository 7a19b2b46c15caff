import Foundation

/// A reserved port of the loopback interface, for a receiver that has disappeared.
///
/// No server that takes any free port gets it. On Linux the system refuses connections to it. A
/// server that asks for the port by its number gets it (`SO_REUSEADDR`).
final class ReservedPort: Sendable {
    #if os(Linux)
    let port: Int?
    private let socket: Int32

    init() throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw Self.failure }
        var (yes, address) = (Int32(1), sockaddr_in())
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let isBound =
            setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size)) == 0
            && withUnsafeMutablePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
                }
            }
        guard isBound else {
            let failure = Self.failure
            close(socket)
            throw failure
        }
        self.socket = socket
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(socket) }

    private static var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    #else
    /// Other kernels drop connections to such a socket, and Linux refuses them. So none is made.
    let port: Int? = nil

    init() throws {}
    #endif
}
