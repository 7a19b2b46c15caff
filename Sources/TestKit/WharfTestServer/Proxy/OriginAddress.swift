#if TestServer
import FlyingSocks
import Foundation

/// `HOST:PORT` of an origin or a listener. The host is an IPv4 address or `localhost`.
struct OriginAddress: Sendable, CustomStringConvertible {
    let host: String
    let port: UInt16
    let address: sockaddr_in

    init(_ text: String) throws(FaultProxyError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let port = UInt16(parts[1]) else {
            throw FaultProxyError(
                .invalidAddress,
                message: "expected an address and a port such as 127.0.0.1:8080, found '\(text)'")
        }
        let host = parts[0] == "localhost" ? "127.0.0.1" : String(parts[0])
        do {
            address = try sockaddr_in.inet(ip4: host, port: port)
        } catch {
            throw FaultProxyError(
                .invalidAddress,
                message:
                    "expected localhost or an IPv4 address before the colon, found '\(text)'; give the address of the name",
                cause: error)
        }
        self.host = host
        self.port = port
    }

    var description: String { "\(host):\(port)" }
}
#endif
