import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// A TCP client on the loopback interface that sends any bytes, on a thread that may block.
struct RawSender: Sendable {
    struct Failure: Error {
        let call: String
        let number = errno
    }

    let port: UInt16

    /// Sends bytes, ends its side unless the answer is awaited, and reads up to the end.
    ///
    /// - Parameter isPatient: whether its own side stays open while it waits for the answer.
    func exchange(_ bytes: [UInt8], isPatient: Bool = true) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try block(bytes, isPatient) }) }
        }
    }

    func exchange(_ text: String, isPatient: Bool = true) async throws -> String {
        try await exchange(Array(text.utf8), isPatient: isPatient)
    }

    private func block(_ bytes: [UInt8], _ isPatient: Bool) throws -> String {
        #if canImport(Glibc)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let flags = Int32(MSG_NOSIGNAL)
        #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        let flags: Int32 = 0
        #endif
        guard descriptor >= 0 else { throw Failure(call: "socket") }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure(call: "connect") }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        if !isPatient { shutdown(descriptor, Int32(SHUT_WR)) }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 { answer += buffer[..<count] }
        return String(decoding: answer, as: UTF8.self)
    }
}
