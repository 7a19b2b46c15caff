internal import WharfCore

/// Which of two values of a key stays in the store.
enum Resolution: Hashable, Sendable {
    case incoming, current
}

/// A value that wants to be in the store.
struct Incoming: Hashable, Sendable {
    /// The version of the account that its request knew; nil for a value that came without a
    /// request.
    var basis: StoreVersion?
    /// Its request, in the order of this process's requests.
    var request: UInt64?
    var asOf: WallTime
}

/// The state of the key in the store.
struct Current: Hashable, Sendable {
    var version: StoreVersion
    /// nil for a key without a row.
    var asOf: WallTime?
    /// The version of the account that the request knew which brought the row; nil if no request
    /// did.
    var basis: StoreVersion?
    /// That request, if this process has asked it.
    var request: UInt64?

    init(version: StoreVersion, asOf: WallTime?, basis: StoreVersion? = nil, request: UInt64? = nil) {
        self.version = version
        self.asOf = asOf
        self.basis = basis
        self.request = request
    }

    init(_ state: EntityState, request: UInt64?) {
        self.init(
            version: state.version, asOf: state.row?.asOf, basis: state.row?.basis(at: state.version),
            request: request)
    }
}

extension Resolution {
    /// Decides which of two values of a key is the newer one, after the store has refused a commit.
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
    /// A delivered change counts as the answer to a request that began with its own commit: so it
    /// is newer than every answer that was asked for before it, whatever the clocks say.
    static func resolve(_ current: Current, _ incoming: Incoming) -> Resolution {
        if let basis = incoming.basis, current.version <= basis { return .incoming }
        guard let asOf = current.asOf else { return incoming.basis == nil ? .incoming : .current }
        guard let basis = incoming.basis, let other = current.basis else {
            return asOf > incoming.asOf ? .current : .incoming
        }
        var isOrdered = basis != other
        if let mine = incoming.request, let theirs = current.request {
            if theirs > mine { return .current }
            isOrdered = true
        } else if other > basis {
            return .current
        }
        if asOf != incoming.asOf { return asOf > incoming.asOf ? .current : .incoming }
        return isOrdered ? .incoming : .current
    }
}

extension EntityRow {
    /// As ``basis`` of the result of a delivered change: newer than every request that began before
    /// its commit.
    static var deliveredBasis: StoreVersion { StoreVersion(.max) }

    /// The basis of a row that a commit of this version has put.
    func basis(at version: StoreVersion) -> StoreVersion? { basis.map { min($0, version) } }
}
