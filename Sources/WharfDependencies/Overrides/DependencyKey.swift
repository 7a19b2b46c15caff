/// Names a dependency that code deep in a graph reads.
///
/// Default arguments come first: `init(profiles: ProfileReading = .live)` shows what a type needs,
/// and the compiler checks it. A key is for a dependency that nearly everything needs, or that is
/// read many calls below the place that decides, where each initialiser in between would pass it.
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
/// A module that declares an interface conforms it to this protocol, and if it has data to show to
/// ``PreviewDependencyKey``. The module with the live value adds ``LiveDependencyKey``.
public protocol DependencyKey<Value> {
    associatedtype Value: Sendable = Self

    /// The value in a test that does not override the key, and in an app without a live value.
    ///
    /// Each use of it fails the test by the name of the endpoint. It is made once for the process,
    /// when it is first read, so tests share it: it holds no state.
    static var unimplemented: Value { get }
}

/// A key with the value that apps read.
public protocol LiveDependencyKey<Value>: DependencyKey {
    /// The value for the whole process.
    ///
    /// - It is made when it is first read, once: threads that read it meanwhile wait for it. So it
    ///   does not wait itself for a thread or task that reads it.
    /// - It may read other live values. It does not see overrides.
    /// - A value that needs itself is a failure that names the cycle.
    static var live: Value { get }
}

/// A key with the value that previews of Xcode read.
public protocol PreviewDependencyKey<Value>: DependencyKey {
    /// The value for the whole preview: data that needs no service.
    ///
    /// It is made once, as ``LiveDependencyKey/live`` is. A key without it has its live value in a
    /// preview.
    static var preview: Value { get }
}
