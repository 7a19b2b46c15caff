internal import Foundation
internal import Synchronization
internal import WharfCore

/// An open file that is read up to the length that it had when it was opened.
final class OpenFile: BodyStream.Producer {
    let length: Int64
    /// The time of the last change, in seconds since 1970.
    let modified: Int64
    private let path: String
    private let descriptor: Int32
    private let state = Mutex((offset: Int64(0), cancelled: false))

    init(_ path: String) throws(TransportError) {
        // Without O_NONBLOCK, opening a pipe without a writer would block the thread.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.unreadable(path, String(cString: strerror(errno))) }
        var status = stat()
        // Checked on the descriptor: the path may name another file by now.
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw Self.unreadable(path, "it is not a regular file")
        }
        self.path = path
        length = Int64(status.st_size)
        #if canImport(Darwin)
        modified = Int64(status.st_mtimespec.tv_sec)
        #else
        modified = Int64(status.st_mtim.tv_sec)
        #endif
    }

    deinit { close(descriptor) }

    func next() async throws(TransportError) -> [UInt8]? {
        if Task.isCancelled { throw .cancelled }
        return try state.withLock { state throws(TransportError) in
            if state.cancelled { throw .cancelled }
            // Up to the length at the opening: it was announced as `Content-Length`. Bytes appended
            // later are not sent.
            let wanted = Int(min(length - state.offset, 65_536))
            guard wanted > 0 else { return nil }
            var count = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, initialized in
                repeat {
                    count = pread(descriptor, buffer.baseAddress, wanted, off_t(state.offset))
                } while count < 0 && errno == EINTR
                initialized = max(count, 0)
            }
            guard count >= 0 else { throw Self.unreadable(path, String(cString: strerror(errno))) }
            // A body that is shorter than announced must fail, or it would look complete.
            guard count > 0 else {
                throw TransportError(
                    .connectionLost,
                    message: "the file \(path) was cut from \(length) to \(state.offset) bytes while it was read")
            }
            state.offset += Int64(count)
            return bytes
        }
    }

    func cancel() { state.withLock { $0.cancelled = true } }

    private static func unreadable(_ path: String, _ reason: String) -> TransportError {
        TransportError(
            .fileUnreadable,
            message: "could not read the file \(path): \(reason); check path and permission")
    }
}
