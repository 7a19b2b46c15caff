public import WharfCore

extension TransportLaws {
    /// The exact bytes of an answer, and the end of its connection.
    public struct Wire: Sendable, Hashable {
        /// The end of the connection after the answer.
        public enum End: Sendable, Hashable {
            /// The connection stays open. The origin writes nothing more and reads the next
            /// request.
            case open
            /// The origin closes the connection after the last byte (FIN).
            case close
            /// The origin resets the connection after the last byte.
            ///
            /// It sends RST, by `SO_LINGER` with zero seconds.
            case reset
        }

        /// The pieces of the answer, each written by a call of its own.
        public var pieces: [[UInt8]]
        /// The end of the connection.
        public var end: End

        /// Creates an answer.
        public init(_ pieces: [[UInt8]], end: End = .open) {
            self.pieces = pieces
            self.end = end
        }

        init(_ text: String, end: End = .open) { self.init([Array(text.utf8)], end: end) }

        var bytes: [UInt8] { Array(pieces.joined()) }
    }
}

extension TransportLaws.Scene {
    /// Returns the bytes that the origin writes as the answer to a request.
    ///
    /// These are ``wire``, or the usual form of the head and the body.
    ///
    /// - Parameter method: the method of the request. HEAD is answered by the head alone.
    public func written(to method: HTTPRequest.Method) -> TransportLaws.Wire {
        if let wire { return wire }
        var content = encoded ?? body
        let hasBody = head.hasBody(for: method)
        let head = interim.flatMap { Self.bytes($0) } + usualHead(length: content.count)
        if !trailers.isEmpty {
            let lines = trailers.map { "\($0.name.rawName): \($0.value)\r\n" }.joined()
            content =
                Array("\(String(content.count, radix: 16))\r\n".utf8) + content
                + Array("\r\n0\r\n\(lines)\r\n".utf8)
        }
        return switch ending {
        case .withoutHead: .init([], end: .close)
        case .silent: .init([])
        case .truncated(let count) where hasBody: .init([head, Array(content.prefix(count))], end: .close)
        case .stalled(let count) where hasBody: .init([head, Array(content.prefix(count))])
        default: .init(hasBody ? [head, content] : [head])
        }
    }

    private func usualHead(length: Int) -> [UInt8] {
        var head = head
        if !trailers.isEmpty {
            head.headerFields[.transferEncoding] = "chunked"
        } else if head.status.code != 204, head.status.code != 304 {
            // RFC 9110 §8.6: a 204 has no length, and the length in a 304 would be that of another
            // answer.
            head.headerFields.append(HTTPField(name: .contentLength, value: "\(length)"))
        }
        return Self.bytes(head)
    }

    private static func bytes(_ head: HTTPResponse) -> [UInt8] {
        var text = "HTTP/1.1 \(head.status.code) \(head.status.reasonPhrase)\r\n"
        for field in head.headerFields { text += "\(field.name.rawName): \(field.value)\r\n" }
        return Array("\(text)\r\n".utf8)
    }

    /// The address of a fake origin.
    package var fakeAuthority: String { isAtIPv6 ? "[::1]:8080" : "origin.example" }
}
