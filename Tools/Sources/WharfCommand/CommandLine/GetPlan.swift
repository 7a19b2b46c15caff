import Wharf

/// The validated options of one `wharf get`.
struct GetPlan: Sendable {
    /// The output format of the answer.
    enum Form: Sendable, Equatable {
        case body
        /// The status line and fields before the body.
        case headAndBody
        /// One JSON object per answer.
        case json
    }

    var target: Target
    var request: TransportRequest
    var policy: ReadPolicy
    var cache: CacheLocation
    /// The maximum length of the body in bytes; nil for no limit.
    var maxSize: Int?
    var form: Form
    var explains: Bool
    var isStrict: Bool
    /// The output file; nil for standard output.
    var file: String?
    /// Whether the request has credentials without an account. Its answer is not cached.
    var isUnowned: Bool

    /// The limit for bodies that are collected in memory, unless `--max-size` gives another.
    static let collectedLimit = 64 << 20

    /// Whether a cached answer may replace one that broke off.
    var mayFallBack: Bool {
        policy != .networkOnly && policy != .cacheOnly && (request.head.method == .get || request.head.method == .head)
    }
}
