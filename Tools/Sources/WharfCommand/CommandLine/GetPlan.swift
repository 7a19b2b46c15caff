import Wharf

/// What one `wharf get` is to do, whole and valid.
struct GetPlan: Sendable {
    /// How the answer is written.
    enum Form: Sendable, Equatable {
        case body
        /// Status line and fields before the body.
        case headAndBody
        /// One JSON object for each answer.
        case json
    }

    var target: Target
    var request: TransportRequest
    var policy: ReadPolicy
    var cache: CacheLocation
    /// The longest body that is read, in bytes; nil for no limit.
    var maxSize: Int?
    var form: Form
    var explains: Bool
    var isStrict: Bool
    /// The file that the output goes to; nil for standard output.
    var file: String?
    /// The request carries credentials and no account owns the answer, so nothing is kept of it.
    var isUnowned: Bool

    /// The most that is collected in memory where no `--max-size` says otherwise.
    static let collectedLimit = 64 << 20

    /// A kept answer may stand in for one that broke off.
    var mayFallBack: Bool {
        policy != .networkOnly && policy != .cacheOnly && (request.head.method == .get || request.head.method == .head)
    }
}
