extension HTTPResponse {
    /// RFC 9110 §6.4.1.
    package func hasBody(for method: HTTPRequest.Method) -> Bool {
        method != .head && status.code >= 200 && status.code != 204 && status.code != 304
    }

    /// The length of the body that follows: zero where there can't be one, nil where it is not
    /// known.
    package func announcedLength(for method: HTTPRequest.Method) -> Int64? {
        guard hasBody(for: method) else { return 0 }
        guard let field = headerFields[.contentLength] else { return nil }
        // A sender that repeats it may have it joined to a list of one and the same number (RFC
        // 9110 §8.6).
        let values = Set(field.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } })
        guard values.count == 1, let value = values.first, value.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        return Int64(value) ?? .max
    }
}
