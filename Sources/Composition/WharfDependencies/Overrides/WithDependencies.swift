/// Runs an operation with some dependencies replaced.
///
/// The overrides hold for the operation and the code that it calls. Other tasks do not see them, so
/// tests can run in parallel.
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

/// Runs an operation with dependencies that were captured earlier.
///
/// The captured dependencies replace the current ones, including the overrides of this task. Use it
/// for an escaping closure that runs on a dispatch queue or in a detached task. Use it too for an
/// object that creates another with its own dependencies:
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
///   - dependencies: an earlier ``Dependencies/current``, or a modified copy of it.
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

/// Sets the values of keys for the whole process.
///
/// Use it at launch for values that are not known earlier, such as an open database:
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
/// - A key keeps its value for good. Preparing a key that was read or prepared before changes
///   nothing, and causes a failure that names the key. In a preview the last preparation wins.
/// - A test reads prepared values only in the context ``DependencyContext/live``. Override keys by
///   ``withDependencies(_:operation:)`` there, because prepared values reach other tests.
public func prepareDependencies(_ prepare: (inout Dependencies) throws -> Void) rethrows {
    try Dependencies.current.withoutOverrides.overriding(prepare).prepare()
}
