internal import Foundation
internal import WharfCore
internal import WharfHTTP

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

extension URLRequest {
    /// One week. Linux converts it to an `Int32` of milliseconds, so an infinite timeout would
    /// overflow.
    static let longestTimeout: TimeInterval = 7 * 86_400

    init(head: HTTPRequest) throws(TransportError) {
        self.init(url: try URL(target: head))
        httpMethod = head.method.rawValue
        timeoutInterval = Self.longestTimeout
        // `CachingTransport` is the cache. A second cache below it would return responses that it
        // has invalidated.
        cachePolicy = .reloadIgnoringLocalCacheData
        // No cookie is added: the response would depend on a field that the cache does not see.
        httpShouldHandleCookies = false
        // `URLRequest` has one value for each name. RFC 9110 §5.3 joins fields by a comma, RFC 6265
        // §5.4 cookies by a semicolon.
        for name in Set(head.headerFields.map(\.name)) {
            let separator = name == .cookie ? "; " : ", "
            setValue(
                head.headerFields[values: name].joined(separator: separator), forHTTPHeaderField: name.rawName)
        }
    }

    /// - Returns: the report for the body's progress; nil if the caller wants none.
    mutating func setBody(_ body: RequestBody, of head: HTTPRequest) async throws(TransportError) -> SendingReport? {
        let bytes: [UInt8]
        var report: SendingReport?
        switch body {
        case .none: return nil
        case .bytes(let given): bytes = given
        case .stream(let make, _):
            let stream = make()
            // The counted body would report bytes as they are collected. Its base is collected
            // instead, and the session reports the bytes it sends.
            if let counted = stream.producer as? CountedBody, let base = counted.takeBase() {
                bytes = try await base.collect()
                report = SendingReport(total: Int64(bytes.count), onProgress: counted.onProgress)
            } else {
                bytes = try await stream.collect()
            }
        }
        guard head.method != .get, head.method != .head else {
            throw TransportError(
                .invalidRequest,
                message: "URLSession can't send \(head.method) with a body, and this one has \(bytes.count) bytes; use "
                    + "POST or QUERY")
        }
        httpBody = Data(bytes)
        // URLSession would label the body `application/x-www-form-urlencoded`.
        if head.headerFields[.contentType] == nil {
            setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        }
        return report
    }
}

extension URL {
    /// Creates the target URI of a request for http or https (RFC 9110 §7.1).
    fileprivate init(target head: HTTPRequest) throws(TransportError) {
        let scheme = head.scheme?.lowercased() ?? ""
        guard scheme == "http" || scheme == "https" else {
            throw TransportError(
                .invalidRequest, message: "expected the scheme http, https or file, found \"\(scheme)\"")
        }
        try head.checkEscapes()
        let text = "\(scheme)://\(head.authority ?? "")\(head.path ?? "/")"
        // Encoding invalid characters would encode existing escapes a second time.
        guard let url = URL(string: text, encodingInvalidCharacters: false), let host = url.host(), !host.isEmpty else {
            throw TransportError(
                .invalidRequest,
                message: "expected a URL with a host and with every other character percent-encoded, found "
                    + head.redactedURL())
        }
        self = url
    }
}
