#if Macros
/// Writes what a struct of closures needs to be an interface: the depender declares what it calls
/// and nothing else, and whoever composes it gives the closures. The file that uses it imports
/// `WharfDependencies` too.
///
/// ```swift
/// @Interface(of: ProfileService.self)
/// struct ProfileReading: Sendable {
///     let readProfile: @Sendable (_ ofUser: String) async throws -> Profile
///     @Endpoint("readProfile") let readProfileByEmail: @Sendable (_ byEmail: String) async throws -> Profile
///     @Endpoint(default: 0) let unread: @Sendable () -> Int
///     let settings: SettingsReading                       // another interface
/// }
///
/// let profiles = ProfileReading(ProfileService())         // by methods of the same names
/// try await profiles.readProfile(ofUser: "ann")           // with the names of its arguments
/// ProfileReading.unimplemented.overriding(readProfile: { _ in .ann })
/// ```
///
/// It adds:
/// - an initialiser that takes each endpoint;
/// - a method for each endpoint whose parameters have names, written `_ name:` in the type of the
///   closure;
/// - `unimplemented`, whose endpoints fail the running test by their names, and throw where they
///   can. An endpoint that neither throws any error nor returns nothing says by
///   ``Endpoint(_:default:)`` what it returns then;
/// - `overriding(…)`, a copy with other closures for the endpoints named. Endpoints are constants,
///   so nobody else can replace one;
/// - with `of:` an initialiser from a concrete service.
///
/// An endpoint that takes an `any P.Type`, throws, and returns `any P` gets a generic method:
/// `(_ type: any Decodable.Type) throws -> any Decodable` is called as `read(type: Profile.self)`
/// and returns a `Profile`.
///
/// A property of a named type that is no closure is another interface, by which this one is
/// composed: its type has an `unimplemented` of its own. A type alias of a closure stands in the
/// struct, where the macro sees it. Elsewhere it is taken for an interface; write the closure's
/// type in its place there.
///
/// All of this can be written by hand, and nothing else refers to the macro.
@attached(member, names: named(init), named(unimplemented), named(overriding), arbitrary)
public macro Interface() = #externalMacro(module: "WharfMacrosPlugin", type: "InterfaceMacro")

/// The same with an initialiser from a concrete service, which maps each endpoint to the method
/// with its name and the names of its arguments. The compiler checks that it is there and fits.
/// Interfaces inside are made of the same service.
///
/// - Parameter service: a type that is `Sendable`; an actor answers asynchronous endpoints only.
///   `(any P).self` for a protocol.
@attached(member, names: named(init), named(unimplemented), named(overriding), arbitrary)
public macro Interface<Service: Sendable>(of service: Service.Type) =
    #externalMacro(module: "WharfMacrosPlugin", type: "InterfaceMacro")

/// The name by which an endpoint is called, where several share one: overloads.
@attached(peer) public macro Endpoint(_ method: String) =
    #externalMacro(module: "WharfMacrosPlugin", type: "EndpointMacro")

/// What an endpoint returns after it has failed a test because nobody has implemented it; needed
/// where it can't throw.
@attached(peer) public macro Endpoint<Value>(_ method: String? = nil, default: Value) =
    #externalMacro(module: "WharfMacrosPlugin", type: "EndpointMacro")

/// The same for `nil`.
@attached(peer) public macro Endpoint(_ method: String? = nil, default: Never?) =
    #externalMacro(module: "WharfMacrosPlugin", type: "EndpointMacro")

/// The same for `[]`.
@attached(peer) public macro Endpoint(_ method: String? = nil, default: [Never]) =
    #externalMacro(module: "WharfMacrosPlugin", type: "EndpointMacro")
#endif
