/// The name of a dependency that code deep in a call graph reads.
///
/// Prefer default arguments: `init(profiles: ProfileReading = .live)` shows the needs of a type,
/// and the compiler checks it. Use a key for a dependency that nearly all code needs. Use it too
/// for a dependency that would otherwise pass through many initialisers.
///
/// An interface is usually its own key:
///
/// ```swift
/// extension ProfileReading: LiveDependencyKey {
///     static var live: ProfileReading { ProfileReading(ProfileService()) }
/// }
///
/// struct Header {
///     let profiles: ProfileReading
///
///     init(profiles: ProfileReading = Dependencies.current[ProfileReading.self]) {
///         self.profiles = profiles
///     }
/// }
/// ```
///
/// The module that declares an interface conforms it to this protocol. If the module has sample
/// data, it adds ``PreviewDependencyKey``. The module with the live value adds
/// ``LiveDependencyKey``.
public protocol DependencyKey<Value> {
    /// The type of the value.
    associatedtype Value: Sendable = Self

    /// The value in a test without an override, and in an app without a live value.
    ///
    /// Each use of it fails the test with the name of the endpoint. It is made once for the
    /// process, at its first read. Tests share it, so it must not hold state.
    static var unimplemented: Value { get }
}

/// A key with the value that apps read.
public protocol LiveDependencyKey<Value>: DependencyKey {
    /// The value for the whole process.
    ///
    /// - It is made once, at its first read. Other threads that read it meanwhile wait. So making
    ///   it must not wait for a thread or task that reads it.
    /// - It may read other live values. It does not see overrides.
    /// - A value that needs itself causes a failure that names the cycle.
    static var live: Value { get }
}

/// A key with the value that previews of Xcode read.
public protocol PreviewDependencyKey<Value>: DependencyKey {
    /// The value for the whole preview, such as sample data without a service.
    ///
    /// It is made once, like ``LiveDependencyKey/live``. A key without it has its live value in
    /// previews.
    static var preview: Value { get }
}
