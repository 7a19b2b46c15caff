#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file descriptor of the process, with blocking reads and writes.
struct Descriptor: Sendable {
    let number: Int32
    /// The name in messages.
    let name: String

    static let standardInput = Descriptor(number: STDIN_FILENO, name: "standard input")
    static let standardOutput = Descriptor(number: STDOUT_FILENO, name: "standard output")
    static let standardError = Descriptor(number: STDERR_FILENO, name: "standard error")

    func write(_ bytes: [UInt8]) throws(OutputFailure) {
        var remaining = bytes[...]
        while !remaining.isEmpty {
            let count = remaining.withUnsafeBytes { systemWrite(number, $0.baseAddress, $0.count) }
            if count >= 0 {
                remaining = remaining.dropFirst(count)
                continue
            }
            let reason = errno
            if reason == EAGAIN {
                var poller = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
                _ = poll(&poller, 1, -1)
            } else if reason != EINTR {
                throw OutputFailure("\(name) could not be written", errno: reason)
            }
        }
    }

    func close() { systemClose(number) }

    /// Returns the ends of a new pipe, which no child inherits.
    static func pipe(_ name: String) throws(OutputFailure) -> (reading: Descriptor, writing: Descriptor) {
        var ends: [Int32] = [-1, -1]
        guard systemPipe(&ends) == 0 else { throw OutputFailure("\(name) could not be started", errno: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (Descriptor(number: ends[0], name: name), Descriptor(number: ends[1], name: name))
    }

    /// Returns all bytes of a file, pipe or device.
    static func contents(of path: String) throws(OutputFailure) -> [UInt8] {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw OutputFailure("'\(path)' could not be read", errno: errno) }
        defer { systemClose(number) }
        return try Descriptor(number: number, name: "'\(path)'").readAll()
    }

    /// Reads all bytes up to the end.
    func readAll() throws(OutputFailure) -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = buffer.withUnsafeMutableBytes { read(number, $0.baseAddress, $0.count) }
            if count == 0 { return all }
            if count > 0 {
                all += buffer[..<count]
            } else if errno != EINTR {
                throw OutputFailure("\(name) could not be read", errno: errno)
            }
        }
    }

    /// The width of the terminal in characters; nil if it is not a terminal.
    var columns: Int? {
        guard isatty(number) == 1 else { return nil }
        var size = winsize()
        guard ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    var isTerminal: Bool { isatty(number) == 1 }
}

/// Calls the system's `write`: inside the method of that name, the name would mean the method.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

/// Calls the system's `close`: see `systemWrite`.
private func systemClose(_ descriptor: Int32) { close(descriptor) }

/// Calls the system's `pipe`: see `systemWrite`.
private func systemPipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 { pipe(ends) }

extension Descriptor {
    /// Opens an existing device, pipe or file for writing.
    ///
    /// It stays open until the process ends.
    init(writing path: String) throws(OutputFailure) {
        let opened = open(path, O_WRONLY | O_CLOEXEC)
        guard opened >= 0 else { throw OutputFailure("'\(path)' could not be written", errno: errno) }
        self.init(number: opened, name: "'\(path)'")
    }

    /// Writes bytes to an existing file.
    static func write(_ bytes: [UInt8], to path: String) throws(OutputFailure) {
        let file = try Descriptor(writing: path)
        defer { file.close() }
        try file.write(bytes)
    }
}
