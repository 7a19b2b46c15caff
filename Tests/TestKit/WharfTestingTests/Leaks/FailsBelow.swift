import Testing

/// Passes if the test, with its leaks checked, fails once per text, the given number of lines below
/// its attribute.
struct FailsBelow: TestTrait, TestScoping {
    let texts: [String]
    let distances: [Int]

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let found = Failures()
        try await withKnownIssue {
            try await function()
        } matching: { issue in
            found.add("\(issue)")
            guard let line = issue.sourceLocation?.line, distances.contains(line - test.sourceLocation.line) else {
                return false
            }
            return texts.contains { "\(issue)".contains($0) }
        }
        #expect(found.messages.count == texts.count, "\(found.messages)")
    }
}

extension Trait where Self == FailsBelow {
    static func fails(_ texts: String..., lines: Int...) -> Self {
        Self(texts: texts, distances: lines)
    }
}
