#if Macros
/// Completes a struct of closures to an interface.
///
/// The depender declares the calls it makes and nothing else. The code that composes the program
/// gives the closures. A file that uses the macro imports `WharfDependencies` too.
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
/// - a method for each endpoint whose parameters have names, written `_ name:` in the closure's
///   type;
/// - `unimplemented`, whose endpoints fail the running test by their names, and throw if they can.
///   An endpoint that returns a value, but does not throw `any Error`, needs
///   ``Endpoint(_:default:)``;
/// - `overriding(…)`, a copy with other closures for the named endpoints. Endpoints are constants,
///   so they can't be replaced otherwise;
/// - with `of:` an initialiser from a concrete service.
///
/// An endpoint that takes an `any P.Type`, throws, and returns `any P` gets a generic method. For
/// example, `(_ type: any Decodable.Type) throws -> any Decodable` is called as
/// `read(type: Profile.self)` and returns a `Profile`.
///
/// A property of a named type that is not a closure is another interface, of which this one is
/// composed. Its type needs an `unimplemented` of its own. A type alias of a closure must be
/// declared in the struct, where the macro sees it. An alias from elsewhere is taken for an
/// interface; write the closure's type out instead.
///
/// All of this can be written by hand; nothing else depends on the macro.
@attached(member, names: named(init), named(unimplemented), named(overriding), arbitrary)
public macro Interface() = #externalMacro(module: "WharfMacrosPlugin", type: "InterfaceMacro")

/// Completes an interface and adds an initialiser from a concrete service.
///
/// The initialiser maps each endpoint to the method of the same name and argument names. The
/// compiler checks that the method exists and fits. Nested interfaces are made of the same service.
///
/// - Parameter service: a `Sendable` type; `(any P).self` for a protocol. An actor can answer
///   asynchronous endpoints only.
@attached(member, names: named(init), named(unimplemented), named(overriding), arbitrary)
public macro Interface<Service: Sendable>(of service: Service.Type) =
    #externalMacro(module: "WharfMacrosPlugin", type: "InterfaceMacro")

/// The name by which an endpoint is called, for overloads that share one.
@attached(peer) public macro Endpoint(_ method: String) =
    #externalMacro(module: "WharfMacrosPlugin", type: "EndpointMacro")

/// The value that an unimplemented endpoint returns after it has failed a test.
///
/// An endpoint that returns a value, but does not throw `any Error`, needs one.
@attached(peer) public macro Endpoint<Value>(_ method: String? = nil, default: Value) =
    #externalMacro(module: "WharfMacrosPlugin", type: "EndpointMacro")

/// The value `nil`, for an unimplemented endpoint that has failed a test.
@attached(peer) public macro Endpoint(_ method: String? = nil, default: Never?) =
    #externalMacro(module: "WharfMacrosPlugin", type: "EndpointMacro")

/// The value `[]`, for an unimplemented endpoint that has failed a test.
@attached(peer) public macro Endpoint(_ method: String? = nil, default: [Never]) =
    #externalMacro(module: "WharfMacrosPlugin", type: "EndpointMacro")
#endif
