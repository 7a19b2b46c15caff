internal import WharfCore

/// The loaded pages of a list, and the requests that are under way.
///
/// It is a value type: each rule for which value replaces another is here, and is tested without
/// tasks.
///
/// A refresh reads as many pages as there are, from the first on. The list stays as it was until
/// the last of them is there, and is then replaced at once. If one of them fails, the list stays as
/// it was, with the error.
struct LoadedPages<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    typealias Kept = Snapshot<Page<Model>>.Kept

    struct Slot: Sendable {
        let token: PageToken?
        var kept: Kept
        /// Whether a refresh that broke off has replaced the page below, but not the list.
        var isReplaced = false
        /// The ids on the page below at the last look, with the `asOf` of that page.
        var below: (asOf: WallTime, ids: Set<Model.ID>)?
    }

    struct DroppedPage: Sendable {
        let token: PageToken?
        let count: Int
    }

    enum LoadKind: CaseIterable, Sendable {
        case refresh, later, earlier
    }

    struct Request: Hashable, Sendable {
        let kind: LoadKind
        let token: PageToken?
        let serial: UInt64
        /// A page that was read before this does not fit behind the loaded ones.
        let notBefore: WallTime?
        /// Whether the kept page may be an answer that a refresh has overtaken.
        var isAgain = false
    }

    /// The most pages in a row without a new item.
    ///
    /// A service gives such pages if it filters after it has cut its pages. So does one whose list
    /// has grown at its front.
    static var mostIdlePages: Int { 5 }

    var slots: [Slot] = []
    /// The unique items of the slots.
    var unique = UniqueItems<Model>()
    /// Pages before the first that were let go of; the nearest is last.
    var dropped: [DroppedPage] = []
    /// The reason why the list is not as new as it could be.
    var refreshError: ReadFailure?
    /// The reason why the list is not as long: the error of the page asked for last.
    var pageError: ReadFailure?
    var error: ReadFailure? { refreshError ?? pageError }
    /// Whether the refresh waits for a network.
    var isPaused = false
    var isEndless = false
    /// The pages that the present refresh has read.
    var arriving: [Slot] = []
    var uniqueArriving = UniqueItems<Model>()
    /// The number of pages in a row that have brought nothing new.
    var idlePages = 0
    /// The purposes that are under way, each with the number of its last request.
    var open: [LoadKind: UInt64] = [:]
    private var serial: UInt64 = 0
    let cap: Int?
    let limit: Int?

    /// - Parameters:
    ///   - cap: the most items to hold; beyond it, pages at the other end go.
    ///   - limit: the most items of the whole list.
    init(cap: Int? = nil, limit: Int? = nil) {
        self.cap = cap
        self.limit = limit
    }

    func isUnderWay(_ kind: LoadKind) -> Bool { open[kind] != nil }

    var hasMore: Bool {
        guard !isEndless, slots.last?.kept.value.next != nil else { return false }
        return rest.map { unique.items.count < $0 } ?? true
    }

    /// The most items behind the pages that were let go of; nil without a limit.
    var rest: Int? { limit.map { $0 - dropped.reduce(0) { $0 + $1.count } } }

    // MARK: Beginning

    /// Begins with the kept first page, if nothing is known yet.
    mutating func begin(_ stored: Snapshot<Page<Model>>) {
        // A refresh may have landed while the store was read. Its list is newer.
        guard slots.isEmpty else { return }
        if let kept = stored.kept { show(kept) }
        // An empty look is no news while the network is still to be asked.
        refreshError = stored.error?.code == .nothingKept ? nil : stored.error
    }

    /// Begins the list with a first page.
    mutating func show(_ kept: Kept) {
        slots = [Slot(token: nil, kept: kept)]
        collect()
    }

    /// Begins with the kept first page, after which nothing more is asked for.
    mutating func settle(_ stored: Snapshot<Page<Model>>) {
        begin(stored)
        refreshError = stored.error
    }

    /// Begins a load.
    ///
    /// - Returns: the request; nil if there is nothing to ask for.
    mutating func start(_ kind: LoadKind) -> Request? {
        let token: PageToken?
        switch kind {
        // A new refresh overtakes one that is under way, whose pages are then marked as replaced.
        case .refresh:
            breakOff()
            isPaused = false
            token = nil
        case .later:
            guard hasMore else { return nil }
            token = slots.last?.kept.value.next
        case .earlier:
            // The nearest page that was let go of comes back first.
            guard let last = dropped.last else { return nil }
            token = last.token
        }
        return request(kind, token)
    }

    mutating func request(_ kind: LoadKind, _ token: PageToken?) -> Request {
        // A later request of the same purpose overtakes an earlier one: only the last serial is
        // accepted.
        serial += 1
        open[kind] = serial
        let notBefore = kind == .later ? slots.last?.kept.asOf : nil
        return Request(kind: kind, token: token, serial: serial, notBefore: notBefore)
    }

    mutating func pause(_ failure: ReadFailure) { (isPaused, refreshError) = (true, failure) }

    /// Ends the list: nothing can be asked for any more.
    mutating func end(_ failure: ReadFailure) {
        breakOff()
        (open, isPaused, refreshError) = ([:], false, failure)
    }
}

extension ReadFailure {
    static let endlessPages = ReadFailure(
        .endlessPages,
        message: "the list does not end: the service gave a page again, or many pages without anything new; the loaded "
            + "pages stay, and a refresh begins anew")
}
