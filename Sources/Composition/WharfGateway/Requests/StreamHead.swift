#if Server
internal import NIOHPACK
internal import NIOHTTP1
internal import WharfCore

/// Converts heads between HTTP/2 and the form of HTTP/1.1, in which both versions are checked.
enum StreamHead {
    /// The head of a request that must not be passed on, and the answer to it.
    struct Refused: Error {
        let refusal: Refusal
        /// nil if it is unknown.
        let method: HTTPRequest.Method?
    }

    /// Converts the fields of a request (RFC 9113 §8.3.1).
    ///
    /// SwiftNIO resets the stream before, if a pseudo field is missing or repeated. It does the
    /// same for a name in upper case and for a field of the connection.
    ///
    /// - Parameters:
    ///   - endsStream: whether the request has no body.
    ///   - scheme: the scheme by which clients reach the gateway.
    ///   - limit: the most bytes of the head.
    static func request(
        _ block: HPACKHeaders, endsStream: Bool, scheme: String, limit: Int
    ) throws(Refused) -> HTTPRequestHead {
        var size = 0
        var (method, path, given, authority) = ("", "", scheme, String?.none)
        var (hosts, cookies): ([String], [String]) = ([], [])
        var headers = HTTPHeaders()
        headers.reserveCapacity(block.count)
        for (name, value, _) in block {
            // RFC 9113 §6.5.2: the size of a field has an overhead of 32 bytes.
            size += name.utf8.count + value.utf8.count + 32
            switch name {
            case ":method": method = value
            case ":path": path = value
            case ":scheme": given = value
            case ":authority": authority = value
            case "host": hosts.append(value)
            case "cookie": cookies.append(value)
            default: headers.add(name: name, value: value)
            }
        }
        let refused = { (refusal: Refusal) in Refused(refusal: refusal, method: HTTPRequest.Method(method)) }
        guard size <= limit else { throw refused(.longHead(limit)) }
        guard given.lowercased() == scheme else {
            throw refused(Refusal(421, "this gateway does not serve \(given); use \(scheme)"))
        }
        if let authority {
            // Two names of the target would be two readings of the request.
            guard hosts.allSatisfy({ $0.lowercased() == authority.lowercased() }) else {
                throw refused(.malformed("its Host is not its authority"))
            }
            hosts = [authority]
        }
        for host in hosts { headers.add(name: "Host", value: host) }
        // RFC 9113 §8.2.3: HTTP/1.1 has one field.
        if !cookies.isEmpty { headers.add(name: "Cookie", value: cookies.joined(separator: "; ")) }
        if !endsStream, !headers.contains(name: "content-length") {
            headers.add(name: "Transfer-Encoding", value: "chunked")
        }
        return HTTPRequestHead(version: .http2, method: HTTPMethod(rawValue: method), uri: path, headers: headers)
    }

    /// Converts the head of an answer. The names become lower case.
    static func response(_ head: HTTPResponseHead) -> HPACKHeaders {
        var block = HPACKHeaders()
        block.reserveCapacity(head.headers.count + 1)
        block.add(name: ":status", value: String(head.status.code))
        block.add(contentsOf: HPACKHeaders(httpHeaders: head.headers))
        return block
    }
}
#endif
