#if Macros
/// Writes `AnyX` for a protocol `X`: a struct that wraps any conformer and is one itself.
///
/// Use it if an API needs one concrete type, so that `any X<…>` is not enough:
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
/// - Methods, properties and subscripts are forwarded with their effects, generics and isolation.
/// - A method that returns `Self` returns an `AnyX`. The struct is `Sendable` if the protocol is.
/// - Static requirements, initialisers and parameters of type `Self` are refused: they belong to a
///   type, and a box holds a value.
/// - Inherited protocols are refused, as a macro does not see their requirements. The exceptions
///   are `Sendable`, `Error`, `CustomStringConvertible` and `CustomDebugStringConvertible`. For
///   others see ``TypeErased(restating:)``.
@attached(peer, names: prefixed(Any))
public macro TypeErased() = #externalMacro(module: "WharfMacrosPlugin", type: "TypeErasedMacro")

/// Writes `AnyX` for a protocol `X` that repeats the requirements of inherited protocols.
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
/// If a requirement is not repeated, the compiler reports that `AnyX` does not conform.
///
/// - Parameter protocols: inherited protocols whose requirements are all repeated in `X`.
@attached(peer, names: prefixed(Any))
public macro TypeErased(restating protocols: Any.Type...) =
    #externalMacro(module: "WharfMacrosPlugin", type: "TypeErasedMacro")
#endif
