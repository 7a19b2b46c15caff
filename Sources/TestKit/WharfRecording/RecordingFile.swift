internal import Foundation
internal import WharfCore

/// The file of a recording. It is replaced atomically, and other users can't read it.
struct RecordingFile: Sendable {
    let path: String

    func read() throws(RecordingError) -> Recording {
        let bytes: [UInt8]
        do {
            bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw RecordingError(
                .unreadable, message: "could not read the recording \(path): \(error)",
                cause: error)
        }
        return try Recording(bytes, at: path)
    }

    func write(_ recording: Recording) throws(RecordingError) {
        let temporary = "\(path).\(String(UInt64.random(in: .min ... .max), radix: 36))"
        // Readable by this user alone from the first moment, and never an existing file or link.
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw unwritable(errno) }
        let failure = write(Array(recording.text.utf8), to: descriptor)
        close(descriptor)
        // A process that dies before this leaves the old recording whole.
        guard failure == nil, rename(temporary, path) == 0 else {
            let code = failure ?? errno
            unlink(temporary)
            throw unwritable(code)
        }
    }

    /// - Returns: the system's error; nil if all bytes are written.
    private func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            // An interrupted call has written nothing and is repeated.
            if count < 0, errno != EINTR { return errno }
            rest = rest.dropFirst(max(0, count))
        }
        return nil
    }

    private func unwritable(_ code: Int32) -> RecordingError {
        RecordingError(
            .unwritable,
            message: "could not write the recording \(path): \(String(cString: strerror(code))); make its folder, and "
                + "let this user write to it")
    }
}
