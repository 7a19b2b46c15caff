#if canImport(Testing)
public import Testing
public import WharfDependencies

/// A trait that replaces dependencies for a test, or for each test of a suite.
///
/// ```swift
/// @Suite(.dependencies { $0[Analytics.self] = .silent })
/// struct HeaderTests {
///     @Test(.dependencies { $0[ProfileReading.self] = .ann })
///     func showsTheName() async throws { … }
/// }
/// ```
///
/// - A test sees the overrides of its suite. Its own overrides take precedence.
/// - Each test, and each argument of a parameterised test, has default values of its own. Live
///   values that it reads under `$0.context = .live` are made for it alone.
/// - The suite's stored properties are made with the overrides.
public struct DependenciesTrait: TestTrait, SuiteTrait, TestScoping {
    let override: @Sendable (inout Dependencies) throws -> Void

    public var isRecursive: Bool { true }

    @concurrent public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // Values of the test's own: a suite runs tests in parallel, and a value that one of them
        // makes must not reach another.
        let dependencies = try Dependencies.current.withOwnValues.overriding(override)
        try await withDependencies(from: dependencies) { try await function() }
    }
}

extension Trait where Self == DependenciesTrait {
    /// Replaces dependencies for a test, or for each test of a suite.
    ///
    /// - Parameter override: runs before each test. An error fails the test.
    public static func dependencies(
        _ override: @escaping @Sendable (inout Dependencies) throws -> Void = { _ in }
    ) -> Self {
        Self(override: override)
    }
}
#endif
