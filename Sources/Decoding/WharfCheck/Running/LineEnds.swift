#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension ArraySlice<UInt8> {
    /// Returns the index of the next line feed at or after `start`, or the end index.
    func lineEnd(from start: Int) -> Int {
        withUnsafeBytes { bytes in
            let offset = start - startIndex
            guard offset < bytes.count, let base = bytes.baseAddress,
                let found = memchr(base + offset, 0x0A, bytes.count - offset)
            else { return endIndex }
            return startIndex + (UnsafeRawPointer(found) - base)
        }
    }

    /// Calls `body` with each line and its number from 0.
    ///
    /// Lines of only white space are counted and skipped.
    ///
    /// - Returns: the number of lines.
    func forEachLine(_ body: (_ number: Int, _ line: ArraySlice<UInt8>) throws -> Void) rethrows -> Int {
        var number = 0
        var start = startIndex
        while start < endIndex {
            let end = lineEnd(from: start)
            let line = self[start..<end]
            if !line.isBlank { try body(number, line) }
            number += 1
            start = end + 1
        }
        return number
    }

    /// Whether the line has only JSON white space (RFC 8259 §2).
    private var isBlank: Bool {
        for byte in self where byte != 0x20 && byte != 0x0A && byte != 0x0D && byte != 0x09 { return false }
        return true
    }
}
