#if Macros
/// Writes `AnyX` beside a protocol `X`: a struct that holds any conformer and is one itself.
///
/// Use it where a place wants one concrete type, and `any X<…>` is not enough:
///
/// ```swift
/// @TypeErased
/// protocol Fetchable<FetchType> {
///     associatedtype FetchType
///     func fetch(completion: @escaping ([FetchType]?) -> Void)
/// }
///
/// let users: AnyFetchable<User> = AnyFetchable(UserFetch())
/// ```
///
/// - The primary associated types become its generic parameters, and it holds an `any X<…>`.
/// - Methods, properties and subscripts are handed on, with their effects, generics and isolation.
/// - A method that returns `Self` returns an `AnyX`. It is `Sendable` when the protocol is.
/// - Static requirements, initialisers and parameters of type `Self` are refused: they belong to a
///   type, and a box holds a value.
/// - A macro does not see what an inherited protocol requires, and refuses it. It knows `Sendable`,
///   `Error`, `CustomStringConvertible` and `CustomDebugStringConvertible`. For others see
///   ``TypeErased(restating:)``.
@attached(peer, names: prefixed(Any))
public macro TypeErased() = #externalMacro(module: "WharfMacrosPlugin", type: "TypeErasedMacro")

/// Writes `AnyX` beside a protocol `X` that states requirements of inherited protocols again.
///
/// ```swift
/// protocol Named { var name: String { get } }
///
/// @TypeErased(restating: (any Named).self)
/// protocol Shelf: Named {
///     var name: String { get }                // again, so that the macro sees it
///     func count() -> Int
/// }
/// ```
///
/// A requirement that is not stated again is an error of the compiler: `AnyX` does not conform.
///
/// - Parameter protocols: inherited protocols of which each requirement stands in `X` too.
@attached(peer, names: prefixed(Any))
public macro TypeErased(restating protocols: Any.Type...) =
    #externalMacro(module: "WharfMacrosPlugin", type: "TypeErasedMacro")
#endif
