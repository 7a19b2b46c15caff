#if Macros
/// Writes `AnyX` beside a protocol `X`: a struct that holds any conformer and is one itself, for places that want one concrete type.
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
/// The primary associated types become its generic parameters, and it holds an `any X<…>`; where that is enough, it is not needed.
/// Methods, properties and subscripts are handed on, with their effects, generics and isolation. A method that returns `Self`
/// returns an `AnyX`. It is `Sendable` when the protocol is.
///
/// What belongs to a type can't be asked of a box and is refused: static requirements, initialisers, parameters of type `Self`. So
/// are inherited protocols with requirements, which a macro does not see.
@attached(peer, names: prefixed(Any))
public macro TypeErased() = #externalMacro(module: "WharfMacrosPlugin", type: "TypeErasedMacro")
#endif
