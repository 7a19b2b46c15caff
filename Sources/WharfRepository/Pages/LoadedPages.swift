internal import WharfCore

/// The pages of a list that are in memory, and which are on their way: a value, so that every rule
/// about what replaces what stands in one place and is tested without tasks.
///
/// A refresh reads as many pages as there are, from the first on. The list stays as it was until
/// the last of them is there, and is then replaced at once. When one of them fails it stays as it
/// was, with the error.
struct LoadedPages<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    typealias Kept = Snapshot<Page<Model>>.Kept

    struct Slot: Sendable {
        let token: PageToken?
        var kept: Kept
        /// A refresh that broke off has replaced the page below, but not the list.
        var isReplaced = false
        /// Who was on the page below when it was looked at last, and when that was said.
        var below: (asOf: WallTime, ids: Set<Model.ID>)?
    }

    struct Dropped: Sendable {
        let token: PageToken?
        let count: Int
    }

    enum Purpose: Hashable, Sendable {
        case refresh, later, earlier

        static var all: [Self] { [.refresh, .later, .earlier] }
    }

    struct Request: Hashable, Sendable {
        let purpose: Purpose
        let token: PageToken?
        let serial: UInt64
        /// A page that was read before this does not fit behind what is there.
        let notBefore: WallTime?
        /// What is kept of it may be an answer that a refresh has overtaken.
        var isAgain = false
    }

    /// As many pages in a row may bring nothing new. A service that filters after it has cut its
    /// pages gives such, and so does one whose list has grown at its front.
    static var mostIdlePages: Int { 5 }

    var slots: [Slot] = []
    /// Of the slots.
    var unique = UniqueItems<Model>()
    /// Pages before the first, which were let go of; the nearest last.
    var dropped: [Dropped] = []
    /// Why the list is not as new as it could be.
    var refreshError: ReadFailure?
    /// Why it is not as long: of the page that was asked for last.
    var pageError: ReadFailure?
    var error: ReadFailure? { refreshError ?? pageError }
    /// The refresh waits for a network.
    var isPaused = false
    var isEndless = false
    /// Pages of the refresh that is under way.
    var arriving: [Slot] = []
    var uniqueArriving = UniqueItems<Model>()
    /// So many in a row have brought nothing new.
    var idlePages = 0
    /// What is under way, by the number of its last request.
    var open: [Purpose: UInt64] = [:]
    private var serial: UInt64 = 0
    let cap: Int?
    let limit: Int?

    /// - Parameters:
    ///   - cap: when there are more items, pages at the other end go.
    ///   - limit: the whole list has no more items.
    init(cap: Int? = nil, limit: Int? = nil) {
        self.cap = cap
        self.limit = limit
    }

    func isUnderWay(_ purpose: Purpose) -> Bool { open[purpose] != nil }

    var hasMore: Bool {
        guard !isEndless, slots.last?.kept.value.next != nil else { return false }
        return rest.map { unique.items.count < $0 } ?? true
    }

    /// How many items there may be behind those that were let go of.
    var rest: Int? { limit.map { $0 - dropped.reduce(0) { $0 + $1.count } } }

    // MARK: Beginning

    /// What is kept of the first page, where nothing is known yet.
    mutating func begin(_ stored: Snapshot<Page<Model>>) {
        guard slots.isEmpty else { return }
        if let kept = stored.kept { show(kept) }
        // Not finding anything is no news while the network is still to be asked.
        refreshError = stored.error?.code == .nothingKept ? nil : stored.error
    }

    /// The first page, where nothing is known yet.
    mutating func show(_ kept: Kept) {
        slots = [Slot(token: nil, kept: kept)]
        collect()
    }

    /// What is kept is all that is wanted.
    mutating func settle(_ stored: Snapshot<Page<Model>>) {
        begin(stored)
        refreshError = stored.error
    }

    /// - Returns: what to ask for; nil where there is nothing to ask.
    mutating func start(_ purpose: Purpose) -> Request? {
        let token: PageToken?
        switch purpose {
        case .refresh:
            breakOff()
            isPaused = false
            token = nil
        case .later:
            guard hasMore else { return nil }
            token = slots.last?.kept.value.next
        case .earlier:
            guard let last = dropped.last else { return nil }
            token = last.token
        }
        return request(purpose, token)
    }

    mutating func request(_ purpose: Purpose, _ token: PageToken?) -> Request {
        serial += 1
        open[purpose] = serial
        let notBefore = purpose == .later ? slots.last?.kept.asOf : nil
        return Request(purpose: purpose, token: token, serial: serial, notBefore: notBefore)
    }

    mutating func pause(_ failure: ReadFailure) { (isPaused, refreshError) = (true, failure) }

    /// Nothing can be asked for any more.
    mutating func end(_ failure: ReadFailure) {
        breakOff()
        (open, isPaused, refreshError) = ([:], false, failure)
    }
}

extension ReadFailure {
    static let endlessPages = ReadFailure(
        .endlessPages,
        message: "expected a list with an end, but the service gave a page again, or many pages without anything new; "
            + "what is loaded stays, and a refresh begins anew")
}
