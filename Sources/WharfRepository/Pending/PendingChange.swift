internal import WharfCore

/// A change of a model that is not settled: an entry of the journal, or a write that is in no
/// journal.
struct PendingChange<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    /// The order in which changes are delivered and lie over each other.
    ///
    /// The journal's own order comes first. A change that was not read from it yet comes behind.
    enum Place: Hashable, Comparable, Sendable {
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
        let name: WaitingChange.Name
        /// See ``WaitingChange/chain``.
        let chain: String
        /// See ``WaitingChange/behind``.
        let behind: [WaitingChange.Name]
        /// The entity tag of the model that it was made on.
        let validator: String?
        let isAddition: Bool
        /// Whether it is shown before it is delivered.
        let isShown: Bool
        /// nil if the change can't be read.
        let overlay: Overlay?

        /// Whether both are the same version of the change, made on the same.
        func isSame(as other: Content) -> Bool {
            (name, validator, isAddition) == (other.name, other.validator, other.isAddition)
        }
    }

    let entry: OutboxEntry.ID
    let lane: String
    let began: WallTime
    /// Whether no journal has it: then it is gone once the service has decided.
    let isLocal: Bool
    /// nil until it is applied to a state.
    var place: Place?
    var key: EntityKey
    /// nil if the model can't be read.
    var id: Model.ID?
    /// The ids that its model had before.
    var formerIDs: Set<String> = []
    var content: Content
    /// The entity tag that it is sent with: that of its content, or of what earlier changes have
    /// made of that.
    var validator: String?
    var phase: Phase
    /// Why it was not delivered until now, or was refused.
    var failure: DeliveryFailure?
    /// The id that the service has given an added model, if it is another one and the journal may
    /// not have it yet.
    var assignedID: String?
    /// The model that the service had in its place.
    var theirs: Snapshot<Model>?

    init(
        _ entry: OutboxEntry, key: EntityKey, id: Model.ID?, _ content: Content, _ phase: Phase = .waiting,
        _ failure: DeliveryFailure? = nil, at place: Place? = nil, isLocal: Bool = false
    ) {
        (self.entry, lane, began) = (entry.id, entry.lane, entry.enqueuedAt)
        (self.key, self.id, self.content, self.place, self.isLocal) = (key, id, content, place, isLocal)
        (self.phase, self.failure, validator) = (phase, failure, content.validator)
    }

    /// Whether the service has not decided yet.
    var isOpen: Bool { phase == .waiting || phase == .sending }

    /// Whether it lies over the row of its model.
    var isShown: Bool { isOpen && content.isShown && content.overlay != nil }

    /// Whether it was made on another change, as far as its maker knew of that.
    func isMade(on other: Self) -> Bool {
        validator == other.validator && content.behind.contains(other.content.name)
    }

    /// The pending state that it gives its model; the greater rank counts.
    ///
    /// - Parameter unreached: why no change is sent now.
    func standing(_ unreached: DeliveryFailure?) -> (rank: Int, state: PendingState)? {
        switch phase {
        case .decided, .dead: return failure.map { (3, .failed($0)) }
        case .sending: return (2, .sending)
        case .waiting:
            let why = failure ?? unreached
            return (why == nil ? 0 : 1, .waiting(why))
        }
    }
}

extension DeliveryFailure {
    /// Whether no other change of the destination is sent either, for the same reason.
    var holdsAll: Bool { code == .offline || code == .needsAuthentication }
}
