internal import WharfCore
internal import WharfStorage

/// The choice of which of two values of a key stays in the store.
enum RowChoice: Hashable, Sendable {
    case incoming, current
}

/// A value that is to be committed to the store.
struct IncomingValue: Hashable, Sendable {
    /// The version of the account that the look before its request saw.
    ///
    /// nil for a value that came without a request.
    var basis: StoreVersion?
    /// The number of its request, in the order of this process's requests.
    var request: UInt64?
    var asOf: WallTime
}

/// The state of the key in the store.
struct StoredValue: Hashable, Sendable {
    var version: StoreVersion
    /// nil for a key without a row.
    var asOf: WallTime?
    /// The version of the account that the row's request knew.
    ///
    /// nil if no request brought the row.
    var basis: StoreVersion?
    /// The number of that request, if the ``RequestLog`` of this process has it.
    var request: UInt64?
}

extension StoredValue {
    init(_ state: EntityState, request: UInt64?) {
        self.init(
            version: state.version, asOf: state.row?.asOf, basis: state.row?.basis(at: state.version),
            request: request)
    }
}

extension RowChoice {
    /// Decides which of two values of a key is the newer one.
    ///
    /// Called if the key has changed since the look, or if it was not looked at.
    ///
    /// | the first row that applies | stays |
    /// |---|---|
    /// | the key was not changed since the request began | incoming |
    /// | the key was removed since | current |
    /// | incoming came without a request, or current did | the later `asOf`, else incoming |
    /// | the request of current began later, as far as this process knows | current |
    /// | the request of current knew a later version of the store | current |
    /// | the requests have an order, and that of current is the earlier one | the later `asOf`, else incoming |
    /// | nothing tells their order | the later `asOf`, else current |
    ///
    /// A delivered change counts as the answer to a request that began with its own commit. So it
    /// is newer than every answer that was asked for before that commit, even if the clocks differ.
    static func resolve(_ current: StoredValue, _ incoming: IncomingValue) -> RowChoice {
        // The request has seen this state, so its answer is based on it.
        if let basis = incoming.basis, current.version <= basis { return .incoming }
        // The key was removed after the request began. A late answer must not bring it back, but a
        // pushed model may.
        guard let asOf = current.asOf else { return incoming.basis == nil ? .incoming : .current }
        guard let basis = incoming.basis, let other = current.basis else {
            return asOf > incoming.asOf ? .current : .incoming
        }
        var isOrdered = basis != other
        // Both requests are of this process, whose log knows their order. Versions can't: both may
        // have begun at one.
        if let mine = incoming.request, let theirs = current.request {
            if theirs > mine { return .current }
            isOrdered = true
        } else if other > basis {
            return .current
        }
        if asOf != incoming.asOf { return asOf > incoming.asOf ? .current : .incoming }
        // Equal times and no order: nothing says that the answer is newer than the row.
        return isOrdered ? .incoming : .current
    }
}

extension EntityRow {
    /// The ``basis`` of a delivered change's row.
    ///
    /// It makes the row newer than every request that began before the row's commit.
    static var deliveredBasis: StoreVersion { StoreVersion(.max) }

    /// Returns the basis of a row that a commit of this version has put.
    ///
    /// It is at most that version.
    func basis(at version: StoreVersion) -> StoreVersion? { basis.map { min($0, version) } }
}
