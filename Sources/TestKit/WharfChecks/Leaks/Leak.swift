/// An object that outlived its test, and the cause that reflection finds.
struct Leak {
    let object: TrackedObject
    let cause: Cause

    enum Cause {
        /// The properties by which it retains itself.
        case cycle(String)
        /// The properties by which another leaked object retains it.
        case holder(String)
        /// Properties that may retain it but that reflection can't read.
        case hidden([String])
        case unknown
    }

    /// Explains the leaks, in the order of registration.
    static func explained(_ leaked: [TrackedObject]) async -> [Leak] {
        let identities = Set(leaked.compactMap(\.identity))
        var found: [(object: TrackedObject, paths: ReferencePaths)] = []
        for object in leaked {
            if let paths = await object.paths(lookingFor: identities) { found.append((object, paths)) }
        }
        return found.map { object, paths in
            let holders = found.lazy.compactMap { other in object.identity.flatMap { other.paths.found[$0] } }
            let cause: Cause =
                if let cycle = paths.cycle {
                    .cycle(cycle)
                } else if let holder = holders.first {
                    .holder(holder)
                } else {
                    paths.hidden.isEmpty ? .unknown : .hidden(paths.hidden)
                }
            return Leak(object: object, cause: cause)
        }
    }

    func message(after occasion: String, grace: Duration) -> String {
        let fact =
            "expected \(object.type) to be released after \(occasion), but it is still alive"
            + (grace > .zero ? " \(grace) later. " : ". ")
        switch cause {
        case .cycle(let path):
            return fact + "It holds itself: \(path). Make one of these references weak"
        case .holder(let path):
            return fact + "The object that holds it has leaked too: \(path)"
        case .hidden(let properties):
            return fact + "No visible property leads back to it, but reflection can't look into "
                + properties.joined(separator: ", ") + ". Look there for a strong capture"
        case .unknown:
            return fact
                + "No visible property leads back to it; look for another owner: a task that runs, a timer, "
                + "an observation, or a variable"
        }
    }
}
