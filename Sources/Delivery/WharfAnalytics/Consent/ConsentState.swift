internal import Synchronization
internal import WharfPrimitives

/// The consent that is in force, shared by ``Analytics`` and its destinations.
///
/// Without consent ``Analytics`` keeps nothing, and destinations send nothing.
///
/// The state lasts as long as the process: store the answer with the app's settings. Change it by
/// ``Analytics/setConsent(_:)``.
public final class ConsentState: Sendable {
    /// A change's place in the queue of changes.
    typealias Reservation = AsyncMutex.Reservation

    private let changes: Mutex<ConsentChanges>
    /// Serialises changes, in the order in which they began.
    private let mutex = AsyncMutex()

    /// Creates the state with the answer that the app has stored.
    public init(_ consent: Consent) { changes = Mutex(ConsentChanges(consent)) }

    /// The consent in force.
    public var consent: Consent { changes.withLock { $0.inForce } }

    /// Begins a change. Call ``end(_:)`` once after it.
    ///
    /// A withdrawal is in force from here on, even while earlier changes are running.
    func begin(_ consent: Consent) -> Reservation {
        changes.withLock { changes in
            changes.begin(consent)
            // In the same critical section, so that the places are in the order of the changes.
            return mutex.reserve()
        }
    }

    /// Waits until the earlier changes are done. Then the categories given by this change are in
    /// force.
    func turn(of reservation: Reservation) async {
        await mutex.wait(for: reservation)
        changes.withLock { $0.settle() }
    }

    func end(_ reservation: Reservation) {
        // Before the mutex is left: the next change takes `changes[0]` for itself when its turn
        // comes.
        changes.withLock { $0.end() }
        mutex.leave(reservation)
    }
}

/// The queue of a consent's changes.
///
/// A withdrawal is in force at once, and a new consent when the earlier changes are done. So if
/// consent is given again while withdrawn events are being discarded, none of them comes back.
struct ConsentChanges {
    // Invariant: `inForce` is `settled`, without each category that a change in `changes` leaves
    // out. So no change that waits can give a category back.
    private(set) var inForce: Consent
    private var settled: Consent
    /// The waiting changes. The first one is running.
    private var changes: [Consent] = []

    init(_ consent: Consent) {
        inForce = consent
        settled = consent
    }

    mutating func begin(_ consent: Consent) {
        changes.append(consent)
        update()
    }

    /// Settles the first change, whose turn has come.
    mutating func settle() {
        // The categories that the change gives count only now: the events of an earlier withdrawal
        // are discarded.
        settled = changes[0]
        update()
    }

    mutating func end() { changes.removeFirst() }

    private mutating func update() {
        inForce.categories = changes.reduce(settled.categories) { $0.intersection($1.categories) }
    }
}
