/// The error of a server whose key is not among the pins of its host.
///
/// Either the connection is intercepted, or the pins are out of date. It is the cause of a
/// ``TransportError/Code/pinningFailed``.
public struct PublicKeyMismatch: Error, Sendable, Hashable, CustomStringConvertible {
    /// The host, as it is written in the pins.
    public let host: String
    /// The pins of the host.
    public let expected: Set<String>
    /// The pin of the key that the server proved to have.
    public let found: String

    package init(host: String, expected: Set<String>, found: String) {
        self.host = host
        self.expected = expected
        self.found = found
    }

    public var description: String {
        "the key \(found) of \(host) is not among the pinned keys (\(expected.sorted().joined(separator: ", ")))"
    }
}

extension PublicKeyPins.Entry {
    /// Checks the pin of a server's key.
    ///
    /// - Throws: ``TransportError/Code/pinningFailed`` if the key is not pinned.
    package func check(_ pin: String) throws(TransportError) {
        guard !pins.contains(pin) else { return }
        let mismatch = PublicKeyMismatch(host: host, expected: pins, found: pin)
        throw TransportError(
            .pinningFailed,
            message: "\(mismatch); ship its pin if the server changed its key, otherwise do not trust this network",
            cause: mismatch)
    }

    /// Returns the error of a transport that can't find out the server's key.
    ///
    /// - Parameter reason: the obstacle and the remedy.
    package func uncheckable(_ reason: String) -> TransportError {
        TransportError(
            .pinningFailed, message: "could not check the keys pinned for \(host): \(reason)")
    }
}
