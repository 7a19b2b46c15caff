internal import Foundation
internal import WharfCore
internal import WharfPlayback

/// Requests to a device, each with one complete answer within a timeout.
struct DeviceExchange: Sendable {
    /// The maximum length of an answer in bytes. Answers and descriptions are a few kilobytes long.
    static let largest = 1 << 20
    /// The maximum length of a description. It is lower, because several may be read at once.
    static let largestDescription = 1 << 16

    let transport: any Transport
    /// The limit for one answer.
    let timeout: Duration

    func get(_ url: URL) async throws(PlaybackError) -> [UInt8] {
        let (status, body) = try await send(HTTPRequest(method: .get, to: url), .none, upTo: Self.largestDescription)
        guard status == .ok else {
            throw PlaybackError(
                .refused,
                "\(url.redacted) answered \(status.code) in place of a device description; search again")
        }
        return body
    }

    /// - Returns: the result arguments of the action, by name.
    func perform(
        _ action: SOAPAction, at service: DeviceDescription.Service
    ) async throws(PlaybackError) -> [String: String] {
        var request = try HTTPRequest(method: .post, to: service.control)
        request.headerFields[.contentType] = #"text/xml; charset="utf-8""#
        if let name = HTTPField.Name("SOAPAction") {
            request.headerFields[name] = "\"\(service.type)#\(action.name)\""
        }
        let envelope = Array(action.envelope(for: service.type).utf8)
        let (status, body) = try await send(request, .bytes(envelope), upTo: Self.largest)
        return try action.outcome(status, body, from: service.control.redacted)
    }

    private func send(
        _ head: HTTPRequest, _ body: RequestBody, upTo limit: Int
    ) async throws(PlaybackError) -> (HTTPResponse.Status, [UInt8]) {
        // All actions are idempotent: none is relative to the state before.
        let request = TransportRequest(head, body: body, timeout: timeout, isIdempotent: true)
        do throws(TransportError) {
            let response = try await transport.send(request)
            return (response.head.status, try await response.body.collect(upTo: limit))
        } catch {
            throw PlaybackError(error, at: head.redactedURL())
        }
    }
}

extension HTTPRequest {
    /// - Throws: `malformed` if the URL is not an http or https URL with a host.
    fileprivate init(method: Method, to url: URL) throws(PlaybackError) {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = url.host(percentEncoded: true), !host.isEmpty
        else {
            throw PlaybackError(.malformed, "expected an http or https URL of a device, found \(url.redacted)")
        }
        // An IPv6 address needs its brackets in an authority (RFC 3986 §3.2.2).
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        let path = url.path(percentEncoded: true)
        self.init(
            method: method, scheme: scheme, authority: name + (url.port.map { ":\($0)" } ?? ""),
            path: (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?\($0)" } ?? ""))
    }
}

extension URL {
    /// The URL for messages, without query values, because these may be secrets.
    var redacted: String { RedactedURL.text(absoluteString) }
}

extension PlaybackError {
    fileprivate init(_ error: TransportError, at url: String) {
        let code: Code =
            switch error.code {
            case .timedOut: .timedOut
            case .cancelled: .cancelled
            case .invalidResponse, .tooLarge, .invalidRequest: .malformed
            default: .disconnected
            }
        self.init(
            code,
            code == .cancelled
                ? "the calling task was cancelled before the device at \(url) answered"
                : "the device at \(url) did not answer: \(error.code); check that it is on and in this network",
            cause: error)
    }
}
