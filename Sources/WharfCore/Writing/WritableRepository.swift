/// Takes changes of models.
///
/// A call returns when the change is safe: the service has decided about it, or it is in an outbox,
/// from where it is delivered. It throws if neither is so. Then nothing was kept, nothing is shown,
/// and the caller still has the change.
///
/// ```swift
/// var changed = shown
/// changed.title = titleField.text
/// let receipt = try await notes.edit(changed, basedOn: shown)
/// switch await receipt.delivery() {
/// case .delivered: break
/// case .conflict(let theirs): merge(changed, theirs.value)
/// case .rejected(let failure), .unknown(let failure): show(failure.message)
/// }
/// ```
///
/// A conformance keeps these laws, which `WriteLaws` of `WharfCoreLaws` checks:
/// - The next read finds what was delivered, also if a read that was asked for before is answered
///   after.
/// - A change that was rejected, in conflict, or not taken changes nothing that is read.
/// - An edit leaves the members alone that it does not change. It never replaces a value that its
///   caller has not seen.
/// - An optimistic change is read at once and survives a refresh. If it is not delivered, its own
///   members are taken back, and those of other changes stay.
/// - Changes of one model are delivered in the order of their calls.
public protocol WritableRepository<Model>: Sendable {
    associatedtype Model: Identifiable & Sendable where Model.ID: Sendable

    /// Adds a model that the service does not have yet.
    ///
    /// The service may give it another id: see what was delivered.
    @discardableResult
    func add(_ model: Model, _ mode: WriteMode) async throws(WriteFailure) -> WriteReceipt<Model>

    /// Edits a model as it was shown, such as in a form.
    ///
    /// - Parameters:
    ///   - changed: the edited model. Its members that differ from `shown` are the edit.
    ///   - shown: the model that the edit was made on.
    /// - Throws: ``WriteFailure/Code/invalid`` if `changed` has another id than `shown`.
    @discardableResult
    func edit(
        _ changed: Model, basedOn shown: Model, _ mode: WriteMode
    ) async throws(WriteFailure) -> WriteReceipt<Model>

    /// Edits a model as it is when the change is made, with the changes that were made before.
    ///
    /// - Parameter change: runs at most once.
    /// - Throws: ``WriteFailure/Code/notFound`` if the repository does not have the model, and
    ///   ``WriteFailure/Code/invalid`` if `change` gives it another id.
    @discardableResult
    func edit(
        _ id: Model.ID, _ mode: WriteMode, _ change: @escaping @Sendable (inout Model) -> Void
    ) async throws(WriteFailure) -> WriteReceipt<Model>

    /// Deletes a model. One that is gone already is deleted.
    @discardableResult
    func delete(id: Model.ID, _ mode: WriteMode) async throws(WriteFailure) -> WriteReceipt<Model>
}

/// When a change is shown. Calls that name no mode are optimistic.
public struct WriteMode: Hashable, Sendable {
    let name: String

    /// When the service has it.
    public static let confirmed = Self(name: "confirmed")
    /// At once, over what is known, until the service has decided.
    public static let optimistic = Self(name: "optimistic")
}

extension WritableRepository {
    /// Adds a model, which is shown at once.
    @discardableResult
    public func add(_ model: Model) async throws(WriteFailure) -> WriteReceipt<Model> {
        try await add(model, .optimistic)
    }

    /// Edits a model as it was shown. The edit is shown at once.
    @discardableResult
    public func edit(
        _ changed: Model, basedOn shown: Model
    ) async throws(WriteFailure) -> WriteReceipt<Model> {
        try await edit(changed, basedOn: shown, .optimistic)
    }

    /// Edits a model as a snapshot showed it.
    ///
    /// - Throws: ``WriteFailure/Code/invalid`` if the snapshot has no value, or one with another
    ///   id.
    @discardableResult
    public func edit(
        _ changed: Model, basedOn shown: Snapshot<Model>, _ mode: WriteMode = .optimistic
    ) async throws(WriteFailure) -> WriteReceipt<Model> {
        guard let shown = shown.value else { throw .nothingShown }
        return try await edit(changed, basedOn: shown, mode)
    }

    /// Edits a model as it is when the change is made. The edit is shown at once.
    ///
    /// ```swift
    /// try await notes.edit(id) { $0.isDone = true }
    /// ```
    @discardableResult
    public func edit(
        _ id: Model.ID, _ change: @escaping @Sendable (inout Model) -> Void
    ) async throws(WriteFailure) -> WriteReceipt<Model> {
        try await edit(id, .optimistic, change)
    }

    /// Deletes a model, which is shown no longer.
    @discardableResult
    public func delete(id: Model.ID) async throws(WriteFailure) -> WriteReceipt<Model> {
        try await delete(id: id, .optimistic)
    }
}

/// A repository that reads and writes.
///
/// Take it as a parameter where a test passes a fake: `any ReadWriteRepository<Note>`.
public protocol ReadWriteRepository<Model>: ReadableRepository, WritableRepository {}

extension WriteFailure {
    fileprivate static let nothingShown = WriteFailure(
        .invalid,
        message:
            "the edit is based on a snapshot without a value, so nothing says which members were changed; read the "
            + "model first, or add it")
}
