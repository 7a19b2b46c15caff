#if TestServer
import WharfCore
import WharfPrimitives

/// A method and a pattern of segments: literal ones, `:name` for one of any text, and a last `*`
/// for the rest.
struct Route: Sendable {
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

    /// The request with its parameters, or nil when it is not for this route. HEAD goes where GET
    /// goes.
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
#endif
