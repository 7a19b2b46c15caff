internal import Foundation
internal import WharfCore

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

extension HTTPResponse {
    /// The codings that `URLSession` decodes without changing the head.
    #if canImport(Darwin)
    private static let decodedCodings: Set<String> = ["gzip", "x-gzip", "deflate", "br"]
    #else
    private static let decodedCodings: Set<String> = ["gzip", "x-gzip", "deflate", "br", "zstd"]
    #endif

    /// Returns a head that describes the decoded bytes of the body.
    static func made(from response: URLResponse, to request: HTTPRequest) -> Result<HTTPResponse, TransportError> {
        guard let response = response as? HTTPURLResponse, (100...999).contains(response.statusCode) else {
            return .failure(
                TransportError(
                    .invalidResponse,
                    message: "the response is not HTTP, or its status does not have three digits"))
        }
        var head = HTTPResponse(status: Status(code: response.statusCode))
        for (key, value) in response.allHeaderFields {
            guard let key = key as? String, let name = HTTPField.Name(key), let value = value as? String else {
                continue
            }
            // Other fields may be joined (RFC 9110 §5.3), but `Set-Cookie` contains commas.
            let values = name == .setCookie ? splitCookies(value) : [value]
            for value in values { head.headerFields.append(HTTPField(name: name, value: value)) }
        }
        // `URLSession` has joined the chunks already.
        head.headerFields[.transferEncoding] = nil
        head.dropDecodedCodings(request.method)
        return .success(head)
    }

    private mutating func dropDecodedCodings(_ method: HTTPRequest.Method) {
        // The answer to HEAD describes the encoded body, which was not decoded.
        guard let encoding = headerFields[.contentEncoding], hasBody(for: method) else { return }
        let codings = encoding.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        // The fields stay if the list has a coding that URLSession does not decode.
        guard !codings.isEmpty, codings.allSatisfy(Self.decodedCodings.contains) else { return }
        headerFields[.contentEncoding] = nil
        // It counts the encoded bytes. `ExchangeState` would compare the decoded bytes with it.
        headerFields[.contentLength] = nil
    }

    /// Splits cookies that were joined by commas. Dates contain commas too, so a cookie begins only
    /// where a token and `=` follow (RFC 6265 §4.1).
    static func splitCookies(_ joined: String) -> [String] {
        var cookies: [String] = []
        for piece in joined.split(separator: ",", omittingEmptySubsequences: false) {
            let name = piece.prefix { $0 != "=" && $0 != ";" }.drop { $0 == " " }
            let startsCookie =
                name.endIndex < piece.endIndex && piece[name.endIndex] == "=" && HTTPField.Name(String(name)) != nil
            // The first piece always begins a cookie, even a malformed one.
            if startsCookie || cookies.isEmpty {
                cookies.append(String(piece.drop { $0 == " " }))
            } else {
                cookies[cookies.count - 1] += ",\(piece)"
            }
        }
        return cookies
    }
}
