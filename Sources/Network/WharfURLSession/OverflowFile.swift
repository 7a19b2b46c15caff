internal import Foundation
internal import WharfCore

/// A temporary file without a name, readable only by this process, which is deleted on release.
final class OverflowFile {
    private let descriptor: Int32
    private var written: Int64 = 0
    private var consumed: Int64 = 0

    init() throws(TransportError) {
        var template = Array((NSTemporaryDirectory() + "/wharf-XXXXXX").utf8CString)
        // mkstemp creates the file with mode 0600, so no other user can open it before it is
        // unlinked.
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw Self.error("made") }
        // The name goes first: a process that ends in any way leaves no file.
        unlink(template)
    }

    deinit { close(descriptor) }

    func append(_ bytes: Data) throws(TransportError) {
        var rest = bytes
        while !rest.isEmpty {
            // Reads and writes have their own offsets, so one descriptor serves both.
            let count = rest.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(written)) }
            // A signal may interrupt the call. A short write is continued.
            if count < 0, errno == EINTR { continue }
            // A call that wrote nothing leaves the `errno` of an earlier one.
            if count == 0 { errno = EIO }
            guard count > 0 else { throw Self.error("written") }
            written += Int64(count)
            rest = rest.dropFirst(count)
        }
    }

    /// Returns the next bytes, or nil if all written bytes are read.
    func read() throws(TransportError) -> Data? {
        guard consumed < written else { return nil }
        let wanted = Int(min(written - consumed, 65_536))
        var count = 0
        var bytes = Data(count: wanted)
        bytes.withUnsafeMutableBytes { buffer in
            repeat {
                count = pread(descriptor, buffer.baseAddress, wanted, off_t(consumed))
            } while count < 0 && errno == EINTR
        }
        // 0 bytes are a failure too: the file is shorter than the bytes written.
        guard count > 0 else { throw Self.error("read") }
        consumed += Int64(count)
        return bytes.prefix(count)
    }

    private static func error(_ action: String) -> TransportError {
        let reason = String(cString: strerror(errno))
        return TransportError(
            .tooLarge,
            message: "the unread part of the body exceeds the memory allowed, and the temporary file for it can't be "
                + "\(action): \(reason); read faster, allow more memory, or make room in \(NSTemporaryDirectory())")
    }
}
