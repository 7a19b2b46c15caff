public import WharfPlayback

/// Where a datagram goes, in IPv4.
public struct DatagramAddress: Hashable, Sendable {
    /// Four numbers with dots: `239.255.255.250`.
    public var host: String
    public var port: UInt16

    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }
}

/// What came, and from where.
public struct Datagram: Hashable, Sendable {
    public var bytes: [UInt8]
    /// Nil where the socket can't tell.
    public var sender: DatagramAddress?

    public init(_ bytes: [UInt8], from sender: DatagramAddress? = nil) {
        self.bytes = bytes
        self.sender = sender
    }
}

/// Sends datagrams and hears what comes back to the port that they came from. ``UDPSocket`` is the
/// system's.
///
/// Conform to it where an app is not given sockets, or where a test is to have no network. A
/// conformer keeps these laws:
/// - What comes before anybody reads is kept, as far as a bounded buffer goes.
/// - Where it uses several network interfaces, `send` throws only when none of them took the
///   datagram.
/// - `received` ends after `close()`, which may be called by anybody, and more than once.
public protocol DatagramSocket: Sendable {
    /// - Throws: `disconnected` where it can't be sent.
    func send(_ datagram: [UInt8], to address: DatagramAddress) throws(PlaybackError)

    /// What comes, for one reader.
    var received: AsyncStream<Datagram> { get }

    func close()
}
