#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// An unbuffered file descriptor. The opener closes it.
struct Descriptor: Sendable, Hashable {
    let number: Int32

    static let input = Descriptor(number: 0)
    static let output = Descriptor(number: 1)
    static let error = Descriptor(number: 2)

    struct Failure: Error, Hashable {
        let code: Int32
        var text: String { String(cString: strerror(code)) }
        /// Whether the reader has closed the pipe.
        var isBrokenPipe: Bool { code == EPIPE }
    }

    static func open(_ path: String) throws(Failure) -> Descriptor {
        let number = systemOpen(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw Failure(code: errno) }
        return Descriptor(number: number)
    }

    func close() { systemClose(number) }

    /// The size in bytes; nil if this is not a regular file.
    var size: Int? { status.map { Int($0.st_size) } }

    /// The file's status; nil if this is not a regular file.
    var status: stat? {
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return status
    }

    /// Whether a read would return at once.
    var isReadable: Bool {
        var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 0) != 0
    }

    var isTerminal: Bool { isatty(number) != 0 }

    /// Appends the available bytes, at least one and at most `limit`; waits for the first.
    ///
    /// - Returns: the number of bytes; 0 at the end.
    func read(into bytes: inout [UInt8], upTo limit: Int) throws(Failure) -> Int {
        let start = bytes.count
        // Room for the read, of which the unused part is removed below.
        bytes.append(contentsOf: repeatElement(0, count: limit))
        var failure: Failure?
        var count = 0
        repeat {
            // `limit` bytes were appended at `start`, so the array is not empty and has a base
            // address.
            count = bytes.withUnsafeMutableBytes {
                systemRead(number, $0.baseAddress.unsafelyUnwrapped + start, limit)
            }
            failure = count < 0 ? Failure(code: errno) : nil
        } while failure.map { mayGoOn($0, waitingFor: POLLIN) } ?? false
        bytes.removeLast(limit - max(0, count))
        if let failure { throw failure }
        return count
    }

    /// Reads exactly `count` bytes; nil if the end comes first.
    func read(exactly count: Int) throws(Failure) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            // Memory grows with the bytes that arrive, so a wrong length can't exhaust it.
            if try read(into: &bytes, upTo: min(count - bytes.count, 1 << 20)) == 0 { return nil }
        }
        return bytes
    }

    /// Waits until a call can be retried.
    ///
    /// The process that passed the descriptor on may have made it non-blocking.
    private func mayGoOn(_ failure: Failure, waitingFor event: Int32) -> Bool {
        if failure.code == EINTR { return true }
        guard failure.code == EAGAIN || failure.code == EWOULDBLOCK else { return false }
        var request = pollfd(fd: number, events: Int16(event), revents: 0)
        poll(&request, 1, -1)
        return true
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        var rest = bytes
        while let start = rest.baseAddress, !rest.isEmpty {
            let count = systemWrite(number, start, rest.count)
            if count < 0 {
                let failure = Failure(code: errno)
                guard mayGoOn(failure, waitingFor: POLLOUT) else { throw failure }
                continue
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    func write(_ bytes: [UInt8]) throws(Failure) {
        let failure: Failure? = bytes.withUnsafeBytes { bytes in
            do throws(Failure) { try write(bytes) } catch { return error }
            return nil
        }
        if let failure { throw failure }
    }
}

extension Descriptor {
    func duplicate() throws(Failure) -> Descriptor {
        // From 3 on, so that a copy never takes the place of a closed standard stream.
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw Failure(code: errno) }
        return Descriptor(number: copy)
    }

    /// Makes another number refer to this file, too (`dup2`).
    func take(over other: Descriptor) throws(Failure) {
        guard dup2(number, other.number) >= 0 else { throw Failure(code: errno) }
    }

    /// Opens `/dev/null`: it has nothing to read and discards all writes.
    static func null() throws(Failure) -> Descriptor {
        let number = systemOpen("/dev/null", O_RDWR | O_CLOEXEC)
        guard number >= 0 else { throw Failure(code: errno) }
        return Descriptor(number: number)
    }

    /// Discards writes to this descriptor while `body` runs.
    func silenced<Result>(_ body: () -> Result) -> Result {
        // Without a copy there would be no way back, so the output is not silenced.
        guard let saved = try? duplicate() else { return body() }
        defer {
            try? saved.take(over: self)
            saved.close()
        }
        if let nothing = try? Descriptor.null() {
            try? nothing.take(over: self)
            nothing.close()
        }
        return body()
    }
}

private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }

// Inside the type these names would refer to its own methods.
private func systemRead(_ number: Int32, _ target: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(number, target, count)
}

private func systemWrite(_ number: Int32, _ source: UnsafeRawPointer, _ count: Int) -> Int {
    write(number, source, count)
}

private func systemClose(_ number: Int32) { close(number) }
