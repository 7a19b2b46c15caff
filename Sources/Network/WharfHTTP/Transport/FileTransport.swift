internal import Foundation
public import WharfCore
internal import WharfPrimitives

/// A transport that answers GET and HEAD for `file:` URLs from the local disk.
///
/// The body comes in pieces of 64 KiB. The answer is a 200 with `Content-Length`, `Last-Modified`,
/// and for json, txt and html a `Content-Type`. A file that is missing, unreadable or a directory
/// throws ``TransportError/Code/fileUnreadable``. The request's timeout is ignored, because a local
/// read does not wait for a peer.
public struct FileTransport: Transport {
    private let wallClock: any WallClock

    /// Creates the transport.
    ///
    /// - Parameter wallClock: stamps the answers.
    public init(wallClock: any WallClock = .system) {
        self.wallClock = wallClock
    }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard request.head.method == .get || request.head.method == .head else {
            throw TransportError(
                .invalidRequest, message: "expected GET or HEAD for a file, found \(request.head.method)")
        }
        if Task.isCancelled { throw .cancelled }
        let path = try Self.path(of: request.head)
        let file = try OpenFile(path)
        let head = HTTPResponse(status: .ok, headerFields: Self.fields(of: file, at: path))
        return TransportResponse(
            head: head, body: request.head.method == .head ? .empty : BodyStream(file, expectedLength: file.length),
            provenance: Provenance(source: .file, asOf: wallClock.now()))
    }

    /// Returns the percent-decoded path. Another host than localhost names another machine's disk
    /// (RFC 8089 §2).
    private static func path(of head: HTTPRequest) throws(TransportError) -> String {
        let host = head.authority ?? ""
        guard host.isEmpty || host.lowercased() == "localhost" else {
            throw TransportError(.invalidRequest, message: "expected a local file, found the host \(host)")
        }
        try head.checkEscapes()
        let encoded = (head.path ?? "").prefix { $0 != "?" && $0 != "#" }
        guard let octets = try? PercentDecoding.strict(encoded.utf8),
            // A NUL would cut the path for the system, and name another file.
            let path = String(validating: octets, as: UTF8.self), path.hasPrefix("/"), !path.contains("\0")
        else {
            throw TransportError(
                .invalidRequest, message: "expected an absolute, percent-encoded path, found \(encoded)")
        }
        return path
    }

    private static func fields(of file: OpenFile, at path: String) -> HTTPFields {
        var fields: HTTPFields = [
            .contentLength: String(file.length),
            .lastModified: WallTime(secondsSince1970: file.modified).httpDate,
        ]
        switch path.split(separator: ".").last?.lowercased() {
        case "json": fields[.contentType] = "application/json"
        case "txt": fields[.contentType] = "text/plain; charset=utf-8"
        case "html", "htm": fields[.contentType] = "text/html; charset=utf-8"
        default: break
        }
        return fields
    }
}
