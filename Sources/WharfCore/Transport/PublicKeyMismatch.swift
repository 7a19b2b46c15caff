/// A server showed another key than those that are pinned for its host: somebody is in between, or
/// the pins are out of date. The cause of a ``TransportError/Code/pinningFailed``.
public struct PublicKeyMismatch: Error, Sendable, Hashable, CustomStringConvertible {
    /// As it is written in the pins.
    public let host: String
    public let expected: Set<String>
    /// The pin of the key that the server proved to have.
    public let found: String

    package init(host: String, expected: Set<String>, found: String) {
        self.host = host
        self.expected = expected
        self.found = found
    }

    public var description: String {
        "expected one of the keys pinned for \(host) (\(expected.sorted().joined(separator: ", "))), found \(found)"
    }
}

extension PublicKeyPins.Entry {
    /// - Parameter pin: that of the server's key.
    package func check(_ pin: String) throws(TransportError) {
        guard !pins.contains(pin) else { return }
        let mismatch = PublicKeyMismatch(host: host, expected: pins, found: pin)
        throw TransportError(
            .pinningFailed,
            message: "\(mismatch); if the server changed its key, ship its pin, and if not, do not trust this network",
            cause: mismatch)
    }

    /// For a transport that can't find out which key the server has.
    ///
    /// - Parameter reason: what stands in the way, and what to do.
    package func uncheckable(_ reason: String) -> TransportError {
        TransportError(
            .pinningFailed, message: "expected to check the keys pinned for \(host), found that \(reason)")
    }
}
