#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The lines that begin in a part of a file.
///
/// A worker reads them from the file itself, which avoids the copy through a pipe.
///
/// Adjacent parts contain each line once, whole.
struct FilePart: Sendable, Equatable, Codable {
    let path: String
    /// The identity of the file that was at the path when the run began.
    let identity: FileIdentity
    /// The range in bytes.
    let range: Range<Int>

    /// Returns the lines; nil if the file can't be opened, or another file is at its path.
    func read() -> (lines: ArraySlice<UInt8>, offset: Int)? {
        guard let file = try? Descriptor.open(path) else { return nil }
        defer { file.close() }
        // Another file may have been put at the path meanwhile. Its lines would be reported at
        // wrong places.
        return file.identity == identity ? try? file.lines(beginningIn: range) : nil
    }
}

/// The device and inode number, which identify a file.
struct FileIdentity: Sendable, Equatable, Codable {
    let device: UInt64
    let number: UInt64
}

extension Descriptor {
    /// The file's identity; nil if this is not a regular file.
    var identity: FileIdentity? {
        guard let status else { return nil }
        return FileIdentity(
            device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino))
    }

    /// - Parameter range: in bytes from the file's start.
    /// - Returns: the lines, and the number of bytes of the range before them.
    func lines(beginningIn range: Range<Int>) throws(Failure) -> (lines: ArraySlice<UInt8>, offset: Int) {
        // Reads one byte more at the front: a line begins in the range only after the end of
        // another.
        let lead = range.lowerBound == 0 ? 0 : 1
        guard lseek(number, off_t(range.lowerBound - lead), SEEK_SET) >= 0 else { throw Failure(code: errno) }
        let size = lead + range.count
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + Self.piece)
        while bytes.count < size, try read(into: &bytes, upTo: size - bytes.count) > 0 {}
        let start = lead == 0 ? 0 : bytes[...].lineEnd(from: 0) + 1
        guard start < bytes.count else { return ([], range.count) }
        var end = bytes[...].lineEnd(from: bytes.count - 1)
        // The last line may extend beyond the part; the next part leaves it out.
        while end == bytes.count, try read(into: &bytes, upTo: Self.piece) > 0 { end = bytes[...].lineEnd(from: end) }
        return (bytes[start..<min(end + 1, bytes.count)], start - lead)
    }

    /// The number of bytes read at a time after the end of a part.
    private static var piece: Int { 1 << 14 }
}
