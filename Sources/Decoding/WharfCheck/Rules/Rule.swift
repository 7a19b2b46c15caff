public import WharfJSON

/// A condition that a decoded payload must meet, such as a business rule.
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
/// A rule sees the value that the type decoded. A payload that can't be decoded breaks no rule.
public struct Rule<Value>: Sendable {
    /// The condition in words.
    public let name: String
    private let check: @Sendable (Value, inout RuleReport) throws -> Void

    /// Creates a rule from a condition on the whole value.
    ///
    /// - Parameter holds: returns whether the rule holds; an error that it throws breaks the rule,
    ///   too.
    public init(_ name: String, _ holds: @escaping @Sendable (Value) throws -> Bool) {
        self.init(name) { value, report in
            if try !holds(value) { report() }
        }
    }

    /// Creates a rule that reports each place where it is broken.
    ///
    /// - Parameter check: reports the places.
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

/// Collects the places at which a rule is broken.
public struct RuleReport {
    struct Violation {
        let message: String?
        let path: JSONPath
    }

    private(set) var violations: [Violation] = []

    /// Reports a broken rule.
    ///
    /// - Parameters:
    ///   - message: the fault, beside the rule's name.
    ///   - path: the place in the document. Steps that do not exist there are ignored.
    public mutating func callAsFunction(_ message: String? = nil, at path: JSONPath = []) {
        violations.append(Violation(message: message, path: path))
    }
}
