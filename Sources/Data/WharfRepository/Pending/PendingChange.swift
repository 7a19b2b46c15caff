internal import WharfCore

/// An unsettled change of a model: an entry of the journal, or a local write.
///
/// A local write is in no journal.
struct PendingChange<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    /// The order in which changes are delivered and lie over each other.
    ///
    /// Places in the journal come first. A change that was not read from the journal yet comes
    /// behind them.
    enum Position: Hashable, Comparable, Sendable {
        case journal(Int64)
        case local(UInt64)
    }

    enum Phase: Hashable, Sendable {
        case waiting, sending
        /// The service has decided, and the journal may not have the settlement yet.
        case decided
        /// A dead letter.
        case dead
    }

    /// The content of the entry's bytes.
    struct Content: Sendable {
        /// The name by which other changes refer to it.
        let name: WaitingChange.Reference
        /// See ``WaitingChange/chain``.
        let chain: String
        /// See ``WaitingChange/behind``.
        let behind: [WaitingChange.Reference]
        /// The entity tag of the model that it was made on.
        let validator: String?
        let isAddition: Bool
        /// Whether it is shown before it is delivered.
        let isShown: Bool
        /// nil if the change can't be read.
        let overlay: Overlay?

        /// Returns whether both are the same version of the change, on the same entity tag.
        func isSame(as other: Content) -> Bool {
            (name, validator, isAddition) == (other.name, other.validator, other.isAddition)
        }
    }

    let entry: OutboxEntry.ID
    let lane: String
    let began: WallTime
    /// Whether the change is in no journal. Then it is gone once the service has decided.
    let isLocal: Bool
    /// nil until it is applied to a state.
    var place: Position?
    var key: EntityKey
    /// nil if the model can't be read.
    var id: Model.ID?
    /// The earlier ids of its model.
    var formerIDs: Set<String> = []
    var content: Content
    /// The entity tag that the change is sent with.
    ///
    /// It is that of its content, or the one to which the delivery of earlier changes has led.
    var validator: String?
    var phase = Phase.waiting
    /// The reason why the change was refused, or is not delivered yet.
    var failure: DeliveryFailure?
    /// The id that the service has given an added model, if it differs from the first.
    ///
    /// The journal may not have it yet.
    var assignedID: String?
    /// The model of the service that the change is in conflict with.
    var theirs: Snapshot<Model>?

    init(
        _ entry: OutboxEntry, key: EntityKey, id: Model.ID?, _ content: Content, at place: Position? = nil,
        isLocal: Bool = false
    ) {
        (self.entry, lane, began) = (entry.id, entry.lane, entry.enqueuedAt)
        (self.key, self.id, self.content, self.place, self.isLocal) = (key, id, content, place, isLocal)
        validator = content.validator
    }

    /// Whether the service has not decided yet.
    var isOpen: Bool { phase == .waiting || phase == .sending }

    /// Whether the change is shown over the row of its model.
    var isShown: Bool { isOpen && content.isShown && content.overlay != nil }

    /// Returns whether the change was made on another one, in the version that this is.
    func isMade(on other: Self) -> Bool {
        validator == other.validator && content.behind.contains(other.content.name)
    }

    /// Returns the pending state that the change gives its model.
    ///
    /// If there are several changes, the one with the greatest rank counts.
    ///
    /// - Parameter unreached: the reason why no change is sent now.
    func standing(_ unreached: DeliveryFailure?) -> (rank: Int, state: PendingState)? {
        switch phase {
        // A delivered change has no failure, and gives its model no pending state.
        case .decided, .dead: return failure.map { (3, .failed($0)) }
        case .sending: return (2, .sending)
        case .waiting:
            // Its own failure says more than that of another change.
            let why = failure ?? unreached
            return (why == nil ? 0 : 1, .waiting(why))
        }
    }
}

extension DeliveryFailure {
    /// Whether the failure holds up all changes of the destination.
    var holdsAll: Bool { code == .offline || code == .needsAuthentication }
}
