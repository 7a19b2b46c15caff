/// RFC 9111 §4: the part that a cache takes in a request, by its method.
enum ModelScope: Hashable {
    /// A stored response may answer the request.
    case answerable
    /// "A cache MUST write through requests with methods that are unsafe […] to the origin server".
    case unsafe
    /// The method is safe, and the RFC defines no caching for it.
    case passing

    init(_ method: String) {
        // RFC 9110 §9.1: "The method token is case-sensitive".
        switch method {
        // RFC 9110 §9.2.3 defines caching for GET, HEAD and POST. §9.3.3: "a POST request cannot be
        // satisfied by a cached POST response because POST is potentially unsafe".
        case "GET", "HEAD": self = .answerable
        // RFC 9110 §9.2.1: "the GET, HEAD, OPTIONS, and TRACE methods are defined to be safe."
        case "OPTIONS", "TRACE": self = .passing
        // §4.4: "an unsafe request method (including methods whose safety is unknown)".
        default: self = .unsafe
        }
    }
}
