import Foundation
import WharfCore

/// Reads the requests of one connection: a head, then a body with a length or in chunks.
struct RawRequestReader {
    let socket: RawSocket
    let stop: StopSignal
    private var buffer: [UInt8] = []

    init(socket: RawSocket, stop: StopSignal) {
        self.socket = socket
        self.stop = stop
    }

    /// Returns the next request, or nil if the client has left or the peer is stopped.
    mutating func next() -> RawPeer.Request? {
        guard let first = line() else { return nil }
        let words = first.split(separator: " ")
        guard words.count == 3, let method = HTTPRequest.Method(String(words[0])) else { return nil }
        var fields = HTTPFields()
        while let line = line(), !line.isEmpty {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else { return nil }
            fields.append(HTTPField(name: name, value: parts[1].trimmingCharacters(in: .whitespaces)))
        }
        if fields[.expect] != nil, !socket.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), until: stop) {
            return nil
        }
        guard let body = body(fields) else { return nil }
        return RawPeer.Request(
            method: method, path: String(words[1]), fields: fields, body: body, connection: 0, earlier: 0)
    }

    private mutating func body(_ fields: HTTPFields) -> [UInt8]? {
        guard fields[.transferEncoding] != nil else { return take(fields[.contentLength].flatMap { Int($0) } ?? 0) }
        var body: [UInt8] = []
        while let line = line(), let size = Int(line, radix: 16) {
            guard let chunk = take(size), self.line() == "" else { return nil }
            if size == 0 { return body }
            body += chunk
        }
        return nil
    }

    private mutating func line() -> String? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = buffer[..<end]
                buffer.removeSubrange(...end)
                return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
            }
            guard more() else { return nil }
        }
    }

    private mutating func take(_ count: Int) -> [UInt8]? {
        while buffer.count < count { guard more() else { return nil } }
        defer { buffer.removeFirst(count) }
        return Array(buffer.prefix(count))
    }

    private mutating func more() -> Bool {
        guard let bytes = socket.read(until: stop), !bytes.isEmpty else { return false }
        buffer += bytes
        return true
    }
}
