#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension ArraySlice<UInt8> {
    /// The next line feed from an index on, or the end.
    func lineEnd(from start: Int) -> Int {
        withUnsafeBytes { bytes in
            let offset = start - startIndex
            guard offset < bytes.count, let base = bytes.baseAddress,
                let found = memchr(base + offset, 0x0A, bytes.count - offset)
            else { return endIndex }
            return startIndex + (UnsafeRawPointer(found) - base)
        }
    }

    /// The parts between line feeds, each with its number from 0; those with nothing but white
    /// space are left out.
    ///
    /// - Returns: how many there are.
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

    /// Has nothing but white space of JSON (RFC 8259 §2).
    private var isBlank: Bool {
        for byte in self where byte != 0x20 && byte != 0x0A && byte != 0x0D && byte != 0x09 { return false }
        return true
    }
}
