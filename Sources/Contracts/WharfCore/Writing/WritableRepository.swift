/// A repository that changes models.
///
/// A call returns when the change is safe: the service has decided, or an outbox has stored the
/// change and delivers it. Otherwise the call throws. The change is then neither stored nor
/// visible, and the caller still has it.
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
/// A conformer keeps these laws, which `WriteLaws` of `WharfCoreLaws` checks:
/// - A read after a delivery returns the delivered change. This holds even if a read that started
///   earlier is answered later.
/// - A change that was rejected, in conflict or not accepted has no effect on reads.
/// - An edit keeps the members that it does not change. It never replaces a value that its caller
///   has not seen.
/// - An optimistic change is visible at once and survives a refresh. If it is not delivered, its
///   own members are rolled back, and those of other changes stay.
/// - Changes of one model are delivered in the order of their calls.
public protocol WritableRepository<Model>: Sendable {
    /// The type of the models.
    associatedtype Model: Identifiable & Sendable where Model.ID: Sendable

    /// Adds a model that the service does not have yet.
    ///
    /// The service may assign another id. The delivered model has it.
    @discardableResult
    func add(_ model: Model, _ mode: WriteMode) async throws(WriteFailure) -> WriteReceipt<Model>

    /// Edits a model as the caller has shown it, such as in a form.
    ///
    /// - Parameters:
    ///   - changed: the edited model. Its members that differ from `shown` are the edit.
    ///   - shown: the model on which the edit was made.
    /// - Throws: ``WriteFailure/Code/invalid`` if `changed` has another id than `shown`.
    @discardableResult
    func edit(
        _ changed: Model, basedOn shown: Model, _ mode: WriteMode
    ) async throws(WriteFailure) -> WriteReceipt<Model>

    /// Edits a model in its state at the time of the change, with all earlier changes.
    ///
    /// - Parameter change: edits the model. It runs at most once.
    /// - Throws: ``WriteFailure/Code/notFound`` if the repository does not have the model, and
    ///   ``WriteFailure/Code/invalid`` if `change` gives it another id.
    @discardableResult
    func edit(
        _ id: Model.ID, _ mode: WriteMode, _ change: @escaping @Sendable (inout Model) -> Void
    ) async throws(WriteFailure) -> WriteReceipt<Model>

    /// Deletes a model. It is no error if the model is already gone.
    @discardableResult
    func delete(id: Model.ID, _ mode: WriteMode) async throws(WriteFailure) -> WriteReceipt<Model>
}

/// The time at which a change becomes visible. The default is ``optimistic``.
public struct WriteMode: Hashable, Sendable {
    let name: String

    /// The change becomes visible when the service has confirmed it.
    public static let confirmed = Self(name: "confirmed")
    /// The change is visible at once. It is rolled back if the service refuses it.
    public static let optimistic = Self(name: "optimistic")
}

extension WritableRepository {
    /// Adds a model. It is visible at once.
    @discardableResult
    public func add(_ model: Model) async throws(WriteFailure) -> WriteReceipt<Model> {
        try await add(model, .optimistic)
    }

    /// Edits a model as the caller has shown it. The edit is visible at once.
    @discardableResult
    public func edit(
        _ changed: Model, basedOn shown: Model
    ) async throws(WriteFailure) -> WriteReceipt<Model> {
        try await edit(changed, basedOn: shown, .optimistic)
    }

    /// Edits a model as a snapshot has shown it.
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

    /// Edits a model in its present state. The edit is visible at once.
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

    /// Deletes a model. It disappears from reads at once.
    @discardableResult
    public func delete(id: Model.ID) async throws(WriteFailure) -> WriteReceipt<Model> {
        try await delete(id: id, .optimistic)
    }
}

/// A repository that reads and writes.
///
/// Use it as the type of a parameter that takes a fake in tests: `any ReadWriteRepository<Note>`.
public protocol ReadWriteRepository<Model>: ReadableRepository, WritableRepository {}

extension WriteFailure {
    fileprivate static let nothingShown = WriteFailure(
        .invalid,
        message:
            "the edit is based on a snapshot without a value, so the members that it changes are unknown; read the "
            + "model first, or add it")
}
