extension HTTPResponse {
    /// Returns whether the answer to a method can have a body (RFC 9110 §6.4.1).
    package func hasBody(for method: HTTPRequest.Method) -> Bool {
        method != .head && status.code >= 200 && status.code != 204 && status.code != 304
    }

    /// Returns the length of the body; zero if there is none, nil if it is unknown.
    package func announcedLength(for method: HTTPRequest.Method) -> Int64? {
        guard hasBody(for: method) else { return 0 }
        guard let field = headerFields[.contentLength] else { return nil }
        // If a sender repeats the field, a recipient may get a list of equal numbers (RFC 9110
        // §8.6).
        let values = Set(field.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } })
        guard values.count == 1, let value = values.first, value.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        // A number with too many digits is longer than each limit, and not unknown.
        return Int64(value) ?? .max
    }
}
