/// An object that should be gone once its test is.
///
/// `@unchecked Sendable`: the reference is weak and never handed out. It is asked whether it is
/// nil, and reflection reads the properties of a leak, on the actor where it was registered or
/// which it is. An object that guards its properties by a lock may be changed meanwhile by whoever
/// holds it; reflection can't know the lock.
struct TrackedObject: @unchecked Sendable {
    private weak var object: AnyObject?
    private weak var registrar: (any Actor)?
    let type: String
    /// Fails the test, where the object was registered.
    let fail: @Sendable (String) -> Void

    init(_ object: AnyObject, isolation: (any Actor)?, fail: @escaping @Sendable (String) -> Void) {
        self.object = object
        registrar = isolation
        type = "\(Swift.type(of: object))"
        self.fail = fail
    }

    var isAlive: Bool { object != nil }

    /// Nil when it is gone.
    var identity: ObjectIdentifier? { object.map(ObjectIdentifier.init) }

    /// What its properties lead to; nil when it is gone.
    func paths(lookingFor others: Set<ObjectIdentifier>) async -> ReferencePaths? {
        await paths(lookingFor: others, on: object as? any Actor ?? registrar)
    }

    private func paths(lookingFor others: Set<ObjectIdentifier>, on _: isolated (any Actor)?) -> ReferencePaths? {
        object.map { ReferenceWalk(from: $0, lookingFor: others).paths }
    }
}
