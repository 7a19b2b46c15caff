public import WharfPlayback

/// An IPv4 address and port of a datagram.
public struct DatagramAddress: Hashable, Sendable {
    /// The address in dotted notation, such as `239.255.255.250`.
    public var host: String
    /// The UDP port.
    public var port: UInt16

    /// Creates an address.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }
}

/// A received datagram with its sender.
public struct Datagram: Hashable, Sendable {
    /// The payload.
    public var bytes: [UInt8]
    /// The sender; nil if the socket does not know it.
    public var sender: DatagramAddress?

    /// Creates a datagram.
    public init(_ bytes: [UInt8], from sender: DatagramAddress? = nil) {
        self.bytes = bytes
        self.sender = sender
    }
}

/// A socket that sends datagrams and receives the answers. ``UDPSocket`` is the system's.
///
/// Conform to it if an app has no access to sockets, or for tests without a network. A conformer
/// keeps these laws:
/// - Datagrams that arrive before a reader are buffered, up to a limit.
/// - If it uses several network interfaces, `send` throws only if none of them accepts the
///   datagram.
/// - `received` ends after `close()`, which may be called from any task, and more than once.
public protocol DatagramSocket: Sendable {
    /// Sends a datagram.
    ///
    /// - Throws: `disconnected` if it cannot be sent.
    func send(_ datagram: [UInt8], to address: DatagramAddress) throws(PlaybackError)

    /// The received datagrams, for one reader.
    var received: AsyncStream<Datagram> { get }

    /// Closes the socket, and ends ``received``.
    func close()
}
