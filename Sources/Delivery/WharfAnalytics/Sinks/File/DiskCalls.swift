#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The system calls of a ``LineFile``. Tests replace those that rarely fail.
struct DiskCalls: Sendable {
    /// - Returns: the number of bytes written; nil for a failure.
    var write: @Sendable (_ file: Int32, _ bytes: ArraySlice<UInt8>) -> Int? = { file, bytes in
        again { bytes.withUnsafeBytes { systemWrite(file, $0.baseAddress, $0.count) } }
    }

    var sync: @Sendable (_ file: Int32) -> Bool = { file in
        #if canImport(Darwin)
        // On Darwin fsync leaves the data in the drive's cache.
        fcntl(file, F_FULLFSYNC) == 0
        #else
        fsync(file) == 0
        #endif
    }

    func open(_ path: String) -> Int32? {
        again { Int(systemOpen(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)) }.map(Int32.init)
    }

    func lock(_ file: Int32) -> Bool { again { Int(flock(file, LOCK_EX)) } != nil }

    /// Releases the lock and closes the file.
    ///
    /// After `close` alone, a child process would keep the lock from fork to exec.
    func unlock(_ file: Int32) {
        flock(file, LOCK_UN)
        close(file)
    }

    func size(of file: Int32) -> Int64? {
        let size = Int64(lseek(file, 0, SEEK_END))
        return size < 0 ? nil : size
    }

    func read(_ file: Int32, _ range: Range<Int64>) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: Int(range.upperBound - range.lowerBound))
        var count = 0
        while count < bytes.count {
            let read = bytes.withUnsafeMutableBytes { buffer in
                again {
                    pread(
                        file, buffer.baseAddress! + count, buffer.count - count, off_t(range.lowerBound) + off_t(count))
                }
            }
            // 0 is the end of the file: another program has cut it, as ours hold the lock.
            guard let read, read > 0 else { return nil }
            count += read
        }
        return bytes
    }

    func truncate(_ file: Int32, to size: Int64) -> Bool { again { Int(ftruncate(file, off_t(size))) } != nil }

    func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    func rename(_ path: String, to other: String) -> Bool { systemRename(path, other) == 0 }

    func syncFolder(of path: String) -> Bool {
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        guard let file = again({ Int(systemOpen(folder, O_RDONLY | O_CLOEXEC, 0)) }) else { return false }
        defer { close(Int32(file)) }
        return fsync(Int32(file)) == 0
    }

    func close(_ file: Int32) { _ = systemClose(file) }

    /// The failure of the last call.
    func failure(_ what: String, _ path: String) -> FileFailure {
        // Read first: any later call may change it.
        let number = errno
        return FileFailure(
            description: "could not \(what) \(path): error \(number), \(String(cString: strerror(number)))")
    }
}

/// - Returns: nil if the call failed, other than by a signal.
private func again(_ call: () -> Int) -> Int? {
    while true {
        let result = call()
        if result >= 0 { return result }
        // A signal interrupts the call before it has done anything.
        if errno != EINTR { return nil }
    }
}

// The methods of the same names hide the system calls, so these are outside.
private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
private func systemClose(_ file: Int32) -> Int32 { close(file) }
private func systemRename(_ path: String, _ other: String) -> Int32 { rename(path, other) }
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(file, bytes, count) }
