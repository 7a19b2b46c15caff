import WharfCore
import WharfPrimitives

/// A method and a pattern of path segments.
///
/// A segment is literal, `:name` for any text, or a final `*` for the rest.
struct TestRoute: Sendable {
    let method: HTTPRequest.Method?
    let segments: [Substring]
    let answer: @Sendable (TestRequest) async -> TestResponse

    init(
        _ method: HTTPRequest.Method?, _ pattern: String,
        answer: @escaping @Sendable (TestRequest) async -> TestResponse
    ) {
        self.method = method
        self.segments = pattern.split(separator: "/", omittingEmptySubsequences: false)
        self.answer = answer
    }

    /// Returns the request with its parameters, or nil if it does not match. A GET route also
    /// matches HEAD.
    func match(_ request: TestRequest) -> TestRequest? {
        if let method, method != request.method, !(method == .get && request.method == .head) { return nil }
        var parameters: [String: String] = [:]
        let path = request.path.split(separator: "/", omittingEmptySubsequences: false)
        guard segments.last == "*" ? path.count >= segments.count : path.count == segments.count else { return nil }
        for (index, segment) in segments.enumerated() {
            if segment == "*", index == segments.count - 1 { break }
            if segment.hasPrefix(":") {
                parameters[String(segment.dropFirst())] = PercentDecoding.path(path[index])
            } else if segment != path[index] {
                return nil
            }
        }
        var matched = request
        matched.parameters = parameters
        return matched
    }
}
