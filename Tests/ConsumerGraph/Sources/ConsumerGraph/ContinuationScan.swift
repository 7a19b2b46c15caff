/// One use of a continuation that resumes a task by hand.
public struct ContinuationUse: Sendable, Hashable {
    /// `CheckedContinuation`, or `withUnsafeThrowingContinuation`.
    public let name: String
    public let line: Int
}

extension ContinuationUse {
    /// The one target that may use them: a continuation that is resumed twice, or under a lock, is
    /// found by its tests.
    static let home = "WharfPrimitives"

    /// The uses in a source file, of every `#if` branch. Comments and string literals don't count.
    public static func scan(_ source: String) -> [ContinuationUse] {
        let use = #/\b(?:CheckedContinuation|UnsafeContinuation|with\w*Continuation)\b/#
        return SourceText.withoutCommentsAndStrings(source).enumerated().flatMap { index, line in
            line.matches(of: use).map { ContinuationUse(name: String($0.output), line: index + 1) }
        }
    }

    static func offences(of source: String, in file: String, target: String) -> [Offence] {
        guard target != home else { return [] }
        return scan(source).map { use in
            Offence(
                place: "\(file):\(use.line)",
                message: "\(target) uses \(use.name); build it on \(home), which alone may")
        }
    }
}
