internal import Synchronization

/// The consent that is in force, shared by ``Analytics``, which keeps nothing without it, and its destinations, which send
/// nothing.
///
/// It is as old as the process: keep the answer where the app keeps its settings. It is changed by ``Analytics/setConsent(_:)``.
public final class ConsentState: Sendable {
    private let changes: Mutex<ConsentChanges>

    public init(_ consent: Consent) { changes = Mutex(ConsentChanges(consent)) }

    public var consent: Consent { changes.withLock { $0.inForce } }

    /// A withdrawal counts from here on, whatever is done still.
    ///
    /// - Returns: the number of the change.
    func begin(_ consent: Consent) -> UInt64 { changes.withLock { $0.begin(consent) } }

    /// Waits until the changes before are done; what this one gives is in force then.
    func turn(of change: UInt64) async {
        await withCheckedContinuation { continuation in
            if changes.withLock({ $0.takeTurn(change, continuation) }) { continuation.resume() }
        }
    }

    func end() { changes.withLock { $0.end() }?.resume() }
}

/// Changes of a consent, one after the other: what is withdrawn counts at once, what is given when the changes before are done.
/// So a consent that is given again while what was withdrawn is still being discarded brings nothing of it back.
struct ConsentChanges {
    private struct Change {
        let number: UInt64
        let consent: Consent
        var waiter: CheckedContinuation<Void, Never>?
    }

    private(set) var inForce: Consent
    private var settled: Consent
    /// The first is the one that is being done.
    private var changes: [Change] = []
    private var lastNumber: UInt64 = 0

    init(_ consent: Consent) {
        inForce = consent
        settled = consent
    }

    mutating func begin(_ consent: Consent) -> UInt64 {
        lastNumber += 1
        changes.append(Change(number: lastNumber, consent: consent))
        update()
        return lastNumber
    }

    /// - Returns: whether it is its turn; otherwise the continuation is kept until it is.
    mutating func takeTurn(_ number: UInt64, _ continuation: CheckedContinuation<Void, Never>) -> Bool {
        guard let index = changes.firstIndex(where: { $0.number == number }) else { return true }
        guard index == 0 else {
            changes[index].waiter = continuation
            return false
        }
        settled = changes[0].consent
        update()
        return true
    }

    /// - Returns: who is next, where it waits.
    mutating func end() -> CheckedContinuation<Void, Never>? {
        changes.removeFirst()
        guard let next = changes.first?.waiter else { return nil }
        settled = changes[0].consent
        update()
        return next
    }

    private mutating func update() {
        inForce.categories = changes.reduce(settled.categories) { $0.intersection($1.consent.categories) }
    }
}
