public import WharfJSON

/// What must hold of a decoded payload besides that it can be decoded: a business rule.
///
/// ```swift
/// let rules: [Rule<BlogPostsRequest>] = [
///     Rule("at most 100 posts") { $0.posts.count <= 100 },
///     Rule("every post has a title") { request, report in
///         for (index, post) in request.posts.enumerated() where post.title.isEmpty {
///             report("an empty title", at: ["posts", .index(index), "title"])
///         }
///     },
/// ]
/// ```
///
/// Rules see values that their type has decoded by itself; a payload that can't be decoded breaks
/// none.
public struct Rule<Value>: Sendable {
    /// What holds, in words.
    public let name: String
    private let check: @Sendable (Value, inout RuleReport) throws -> Void

    /// - Parameter holds: an error that it throws breaks the rule, too.
    public init(_ name: String, _ holds: @escaping @Sendable (Value) throws -> Bool) {
        self.init(name) { value, report in
            if try !holds(value) { report() }
        }
    }

    /// - Parameter check: reports each place where the rule is broken.
    public init(_ name: String, _ check: @escaping @Sendable (Value, inout RuleReport) throws -> Void) {
        self.name = name
        self.check = check
    }

    func violations(in value: Value) -> [RuleReport.Violation] {
        var report = RuleReport()
        do { try check(value, &report) } catch { report("\(error)") }
        return report.violations
    }
}

/// Where a rule says that it is broken.
public struct RuleReport {
    struct Violation {
        let message: String?
        let path: JSONPath
    }

    private(set) var violations: [Violation] = []

    /// - Parameters:
    ///   - message: what is wrong there, besides the rule's name.
    ///   - path: in the document, as far as it is there: its place is shown.
    public mutating func callAsFunction(_ message: String? = nil, at path: JSONPath = []) {
        violations.append(Violation(message: message, path: path))
    }
}
