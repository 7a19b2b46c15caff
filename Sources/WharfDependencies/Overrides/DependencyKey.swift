/// Names a dependency that code deep in a graph reads, where passing it through every initialiser would burden those in between.
///
/// Default arguments come first: `init(profiles: ProfileReading = .live)` shows what a type needs, and the compiler checks it. A
/// key is for what nearly everything needs, or what lies many calls below the place that decides.
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
///     init(profiles: ProfileReading = Dependencies.current[ProfileReading.self]) { self.profiles = profiles }
/// }
/// ```
///
/// A module that declares an interface conforms it to this protocol; the module with the live value adds ``LiveDependencyKey``.
public protocol DependencyKey<Value> {
    associatedtype Value: Sendable = Self

    /// What is read in a test that does not override it, and where there is no live value: each use fails by its name.
    static var unimplemented: Value { get }
}

/// A key with the value that apps read.
public protocol LiveDependencyKey<Value>: DependencyKey {
    /// The value for the whole process. It is made when it is first read, with no lock held, and may so be made more than once when
    /// several read it at once: all of them get the one that was there first. Other live values may be read in it; overrides are not
    /// seen by it.
    static var live: Value { get }
}
