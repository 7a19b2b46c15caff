internal import WharfCore

/// An event that a ``PendingChanges/State`` is folded over: a record of the journal, or a step of
/// this process.
enum PendingEvent<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    /// The effect of a change that the service has made.
    struct ServiceEffect: Sendable {
        /// The entity tag of the model now.
        var validator: String?
        /// The id of a model that was added.
        var added: String?
    }

    /// A record of the journal.
    case recorded(PendingChange<Model>)
    /// A change that is in no record yet, or one that is about to be sent.
    case begun(PendingChange<Model>)
    case sending(OutboxEntry.ID)
    /// An attempt did not settle the change.
    case answered(OutboxEntry.ID, DeliveryFailure)
    /// The service has another version of the model.
    case conflicted(OutboxEntry.ID, theirs: Snapshot<Model>)
    /// The change was merged with the version of the service.
    case merged(OutboxEntry.ID, PendingChange<Model>.Content)
    /// - Parameters:
    ///   - failure: the reason why a person is asked; nil if the service has made the change.
    case decided(OutboxEntry.ID, DeliveryFailure?, ServiceEffect? = nil, at: WallTime)
    /// The store has the answer to the change already.
    ///
    /// Another process has received it, or this app before a restart.
    case received(OutboxEntry.ID, ServiceEffect, at: WallTime)
    /// The journal has neither an open delivery nor a dead letter of the change.
    case settled(OutboxEntry.ID)
}
