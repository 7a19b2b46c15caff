/// One use of a continuation, by which code resumes a task itself.
public struct ContinuationUse: Sendable, Hashable {
    /// `CheckedContinuation`, or `withUnsafeThrowingContinuation`.
    public let name: String
    public let line: Int
}

extension ContinuationUse {
    /// The only target that may use continuations. Its tests would find one that is resumed twice,
    /// or under a lock.
    static let home = "WharfPrimitives"

    /// Returns the uses in a source file, in all `#if` branches. Comments and string literals do
    /// not count.
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
