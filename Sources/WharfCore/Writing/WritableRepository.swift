/// Takes changes of models.
///
/// Each call returns when the change is safe: the service has decided on it, or it lies in an outbox from where it will be delivered
/// whatever happens. It throws when neither is so: then nothing was kept, nothing is shown, and the caller still has the change.
///
/// ```swift
/// let receipt = try await notes.edit(note, .optimistic)
/// switch await receipt.delivery() {
/// case .delivered: break
/// case .conflict(let theirs): merge(note, theirs.value)
/// case .rejected(let failure), .unknown(let failure): show(failure.message)
/// }
/// ```
///
/// To conform, hold these laws (`WriteLaws` in `WharfCoreLaws` checks them):
/// - What was delivered is what the next read finds, also when a read that was asked for before is answered after.
/// - A change that was rejected, in conflict, or not taken changes nothing that is read.
/// - An optimistic change is read at once, is not clobbered by a refresh, and goes without a trace when it is not delivered. It takes
///   back its own fields only: those of other changes stay.
/// - Changes of one model are delivered in the order of their calls.
public protocol WritableRepository<Model>: Sendable {
    associatedtype Model: Identifiable & Sendable where Model.ID: Sendable

    /// A model that the service does not have yet. Whether its id is kept is the service's business: see what was delivered.
    func add(_ model: Model, _ mode: WriteMode) async throws(WriteFailure) -> WriteReceipt<Model>

    /// A whole model, in the place of what the repository has under its id at the call.
    func edit(_ model: Model, _ mode: WriteMode) async throws(WriteFailure) -> WriteReceipt<Model>

    /// One that is gone already is deleted.
    func delete(id: Model.ID, _ mode: WriteMode) async throws(WriteFailure) -> WriteReceipt<Model>
}

/// When a change is shown.
public struct WriteMode: Hashable, Sendable {
    let name: String

    /// When the service has it.
    public static let confirmed = Self(name: "confirmed")
    /// At once, over what is known, until the service has decided.
    public static let optimistic = Self(name: "optimistic")
}

extension WritableRepository {
    @discardableResult
    public func add(_ model: Model) async throws(WriteFailure) -> WriteReceipt<Model> {
        try await add(model, .confirmed)
    }

    @discardableResult
    public func edit(_ model: Model) async throws(WriteFailure) -> WriteReceipt<Model> {
        try await edit(model, .confirmed)
    }

    @discardableResult
    public func delete(id: Model.ID) async throws(WriteFailure) -> WriteReceipt<Model> {
        try await delete(id: id, .confirmed)
    }
}

/// A repository that reads and writes.
///
/// Take it as a parameter where a test passes a fake: `any ReadWriteRepository<Note>`.
public protocol ReadWriteRepository<Model>: ReadableRepository, WritableRepository {}
