internal import Synchronization
internal import WharfPrimitives

/// The consent that is in force, shared by ``Analytics`` and its destinations.
///
/// Without it ``Analytics`` keeps nothing, and destinations send nothing.
///
/// It is as old as the process: keep the answer where the app keeps its settings. It is changed by
/// ``Analytics/setConsent(_:)``.
public final class ConsentState: Sendable {
    /// One change's place among the others.
    typealias Place = AsyncMutex.Place

    private let changes: Mutex<ConsentChanges>
    /// Changes one after the other, in the order in which they began.
    private let mutex = AsyncMutex()

    /// Creates the state, with the answer as the app has kept it.
    public init(_ consent: Consent) { changes = Mutex(ConsentChanges(consent)) }

    /// The consent in force.
    public var consent: Consent { changes.withLock { $0.inForce } }

    /// A withdrawal counts from here on, whatever is done still. To be followed by one ``end(_:)``.
    func begin(_ consent: Consent) -> Place {
        changes.withLock { changes in
            changes.begin(consent)
            // In the same step, so that the places are in the order of the changes.
            return mutex.reserve()
        }
    }

    /// Waits until the changes before are done; what this one gives is in force then.
    func turn(of place: Place) async {
        await mutex.wait(for: place)
        changes.withLock { $0.settle() }
    }

    func end(_ place: Place) {
        changes.withLock { $0.end() }
        mutex.leave(place)
    }
}

/// Changes of a consent, one after the other: what is withdrawn counts at once, what is given when
/// the changes before are done. So a consent that is given again while what was withdrawn is still
/// being discarded brings nothing of it back.
struct ConsentChanges {
    private(set) var inForce: Consent
    private var settled: Consent
    /// The first is the one that is being done.
    private var changes: [Consent] = []

    init(_ consent: Consent) {
        inForce = consent
        settled = consent
    }

    mutating func begin(_ consent: Consent) {
        changes.append(consent)
        update()
    }

    /// The first change has its turn.
    mutating func settle() {
        settled = changes[0]
        update()
    }

    mutating func end() { changes.removeFirst() }

    private mutating func update() {
        inForce.categories = changes.reduce(settled.categories) { $0.intersection($1.categories) }
    }
}
