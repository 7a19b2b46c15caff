internal import WharfPlayback

/// An IPv4 address to listen at.
struct ServerHost: Hashable, CustomStringConvertible {
    /// The address as a number. Its first byte is the highest.
    let number: UInt32

    /// - Throws: `malformed` unless the text is four decimal numbers. Names are not resolved.
    init(_ text: String) throws(PlaybackError) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { part in
            // `UInt8` accepts a sign, and other systems read a leading zero as octal, which is
            // another address.
            part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                && (part == "0" || part.first != "0")
                ? UInt8(part) : nil
        }
        guard parts.count == 4, bytes.count == 4 else {
            throw PlaybackError(
                .malformed, "expected an IPv4 address such as 192.168.1.20, found \(text.debugDescription)")
        }
        number = bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Whether only this device reaches the address.
    ///
    /// That is 127.0.0.0/8 (RFC 1122, section 3.2.1.3).
    var isLoopback: Bool { number >> 24 == 127 }

    var description: String {
        [24, 16, 8, 0].map { "\(number >> UInt32($0) & 0xFF)" }.joined(separator: ".")
    }

    /// Returns whether a `Host` field names this device alone.
    ///
    /// A name that a page's owner has pointed to this device does not count.
    static func isLoopback(authority: String) -> Bool {
        let name = authority.prefix { $0 != ":" }.lowercased()
        if name == "localhost" { return true }
        do throws(PlaybackError) { return try ServerHost(name).isLoopback } catch { return false }
    }
}
