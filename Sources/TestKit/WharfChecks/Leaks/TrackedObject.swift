/// An object that should be released once its test has ended.
///
/// `@unchecked Sendable`: the reference is weak and never handed out. It is compared with nil.
/// Reflection reads the properties of a leaked object, on the actor that registered it, or on the
/// object if that is an actor. If an object guards its properties by a lock, another owner may
/// change them meanwhile, as reflection does not know the lock.
struct TrackedObject: @unchecked Sendable {
    private weak var object: AnyObject?
    private weak var registrar: (any Actor)?
    let type: String
    /// Records a failure at the line where the object was registered.
    let fail: @Sendable (String) -> Void

    init(_ object: AnyObject, isolation: (any Actor)?, fail: @escaping @Sendable (String) -> Void) {
        self.object = object
        registrar = isolation
        type = "\(Swift.type(of: object))"
        self.fail = fail
    }

    var isAlive: Bool { object != nil }

    /// The identity of the object, or nil if it is released.
    var identity: ObjectIdentifier? { object.map(ObjectIdentifier.init) }

    /// The paths from its properties, or nil if it is released.
    func paths(lookingFor others: Set<ObjectIdentifier>) async -> ReferencePaths? {
        await paths(lookingFor: others, on: object as? any Actor ?? registrar)
    }

    private func paths(lookingFor others: Set<ObjectIdentifier>, on _: isolated (any Actor)?) -> ReferencePaths? {
        object.map { ReferenceWalk(from: $0, lookingFor: others).paths }
    }
}
