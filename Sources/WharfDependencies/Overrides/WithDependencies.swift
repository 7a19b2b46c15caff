/// Runs an operation with some dependencies replaced, for the operation and for what it calls.
///
/// Other tasks see none of the overrides, so that tests can run in parallel.
///
/// ```swift
/// try await withDependencies {
///     $0[ProfileReading.self] = .unimplemented.overriding(readProfile: { _ in .ann })
/// } operation: {
///     try await Header().load()
/// }
/// ```
public func withDependencies<Result>(
    _ override: (inout Dependencies) throws -> Void, operation: () throws -> Result
) rethrows -> Result {
    try Dependencies.local.withValue(Dependencies.current.overriding(override), operation: operation)
}

/// Runs an asynchronous operation with some dependencies replaced.
public nonisolated(nonsending) func withDependencies<Result>(
    _ override: (inout Dependencies) throws -> Void,
    operation: nonisolated(nonsending) () async throws -> Result
) async rethrows -> Result {
    try await Dependencies.local.withValue(Dependencies.current.overriding(override), operation: operation)
}

/// Runs an operation with dependencies that were captured before, in another task or thread.
///
/// The captured dependencies replace the current ones, overrides of this task included. Use it
/// where an escaping closure runs on a dispatch queue or in a detached task, and where an object
/// makes another one with the dependencies that it was made with itself:
///
/// ```swift
/// final class FeedModel {
///     private let dependencies = Dependencies.current
///
///     func open(_ post: Post) -> PostModel {
///         withDependencies(from: dependencies) { PostModel(post) }
///     }
/// }
/// ```
///
/// - Parameters:
///   - dependencies: ``Dependencies/current`` of an earlier moment, or a copy of it.
///   - override: further replacements, for this operation.
public func withDependencies<Result>(
    from dependencies: Dependencies, _ override: (inout Dependencies) -> Void = { _ in },
    operation: () throws -> Result
) rethrows -> Result {
    try Dependencies.local.withValue(dependencies.overriding(override), operation: operation)
}

/// Runs an asynchronous operation with dependencies that were captured before.
public nonisolated(nonsending) func withDependencies<Result>(
    from dependencies: Dependencies, _ override: (inout Dependencies) -> Void = { _ in },
    operation: nonisolated(nonsending) () async throws -> Result
) async rethrows -> Result {
    try await Dependencies.local.withValue(dependencies.overriding(override), operation: operation)
}

/// Gives keys the values that the whole process reads.
///
/// Use it at launch for values that are not known before, such as an open database:
///
/// ```swift
/// @main struct MyApp: App {
///     init() {
///         prepareDependencies { $0[Database.self] = Database(at: .documentsDirectory) }
///     }
/// }
/// ```
///
/// - A prepared key needs no conformance to ``LiveDependencyKey``.
/// - A key keeps its value for good: to prepare a key that was read or prepared is a failure that
///   names it, and changes nothing. In a preview the last preparation counts.
/// - A test reads prepared values only where its context is ``DependencyContext/live``. Override
///   keys by ``withDependencies(_:operation:)`` there: what is prepared reaches other tests.
public func prepareDependencies(_ prepare: (inout Dependencies) throws -> Void) rethrows {
    try Dependencies.current.withoutOverrides.overriding(prepare).prepare()
}
