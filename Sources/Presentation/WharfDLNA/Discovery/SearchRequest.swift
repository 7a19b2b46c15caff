/// A search for renderers (UPnP Device Architecture 2.0, section 1.3.2).
struct SearchRequest {
    /// The multicast group of UPnP devices in IPv4.
    static let group = DatagramAddress(host: "239.255.255.250", port: 1900)
    /// The searched type. Renderers of later versions answer for version 1 too.
    static let target = "urn:schemas-upnp-org:device:MediaRenderer:1"

    /// The `MX` value in seconds, 1 to 5.
    ///
    /// Each device answers at a random time within it.
    let longestWait: Int

    var datagram: [UInt8] {
        let lines = [
            "M-SEARCH * HTTP/1.1", "HOST: \(Self.group.host):\(Self.group.port)", #"MAN: "ssdp:discover""#,
            "MX: \(longestWait)", "ST: \(Self.target)", "", "",
        ]
        return Array(lines.joined(separator: "\r\n").utf8)
    }
}
