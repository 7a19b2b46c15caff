import WharfChecks
import WharfPresentation
import WharfPresentationLaws

/// A notice above a list, with one defect.
struct WrongDecorator: ListSource {
    enum Fault: CaseIterable {
        case showsAnother, takesTheNoticeForARow, forgetsTheEnd, addsAnElement, findsRowsOutside, saysItKnows
        case renamesSections, losesHeaders, losesFooters, losesTheHeader, losesTheFooter
        case forbidsToDelete, deletesTwice, forbidsToMove, forbidsPlaces, movesNowhere
        case deletesNotices, movesToNotices, offersNotices

        /// The law that must detect the fault.
        var law: String {
            switch self {
            case .showsAnother: "each row of the base is unchanged at its position"
            case .takesTheNoticeForARow: "a position that is mapped there and back is the same"
            case .forgetsTheEnd: "the position after the last row of a section maps back to itself"
            case .addsAnElement: "an added row is no element"
            case .findsRowsOutside: "a position outside of the list maps to no row of the base"
            case .saysItKnows: "the rows are known exactly if those of the base are"
            case .renamesSections: "sections keep their ids"
            case .losesHeaders: "sections keep their headers"
            case .losesFooters: "sections keep their footers"
            case .losesTheHeader: "the list keeps its header"
            case .losesTheFooter: "the list keeps its footer"
            case .forbidsToDelete, .deletesTwice:
                "a row can be deleted exactly if the base allows it, and is deleted in the base"
            case .forbidsToMove, .forbidsPlaces, .movesNowhere:
                "a row can be moved exactly if the base allows it, and is moved in the base"
            case .deletesNotices, .movesToNotices, .offersNotices:
                "an added row can be neither deleted nor moved, and is no destination"
            }
        }
    }

    static let mutants: [LawMutant<ListDecoratorLaws.Subject>] =
        Fault.allCases.map { fault in
            LawMutant(breaks: fault.law, .init("\(fault)") { WrongDecorator($0, fault) })
        } + [
            LawMutant(
                breaks: "each notice has a unique id",
                .init("SameNumber") { SameNumber(base: $0.banner.notice(ListNotice(.stale, "older"))) }),
            LawMutant(breaks: "the rows of the base keep their order", .init("Swapping") { Swapping(base: $0.banner) }),
            LawMutant(
                breaks: "a decorator that adds no row changes no position",
                .init("EmptySection") { EmptySection(base: $0) }),
        ]

    private let base: NoticedList<ListSample>
    private let fault: Fault

    init(_ sample: ListSample, _ fault: Fault) {
        base = sample.banner
        self.fault = fault
    }

    var isKnown: Bool { base.isKnown || fault == .saysItKnows }
    var sectionCount: Int { base.sectionCount }
    func rowCount(inSection section: Int) -> Int { base.rowCount(inSection: section) }

    func row(at position: ListPosition) -> ListRow<Int>? {
        switch (base.row(at: position), fault) {
        case (.element(let element), .showsAnother): .element(element + 1)
        case (.notice, .addsAnElement): .element(100)
        case (let row, _): row
        }
    }

    func position(ofSource position: ListPosition) -> ListPosition { base.position(ofSource: position) }

    func sourcePosition(of position: ListPosition) -> ListPosition? {
        let source = base.sourcePosition(of: position)
        let first = ListPosition(section: 0, row: 0)
        return switch fault {
        case .takesTheNoticeForARow: base.row(at: position)?.notice == nil ? source : first
        case .forgetsTheEnd: base.row(at: position) == nil ? nil : source
        case .findsRowsOutside: position.section >= sectionCount ? first : source
        default: source
        }
    }
}

extension WrongDecorator: IdentifiedSections, SectionHeaders, SectionFooters, ListHeader, ListFooter {
    func sectionID(_ section: Int) -> ListID<Int>? {
        let id = base.sectionID(section)
        if fault == .renamesSections, case .own(let key)? = id { return .own(key + 1) }
        return id
    }

    func header(ofSection section: Int) -> String? {
        fault == .losesHeaders ? nil : base.header(ofSection: section)
    }

    func footer(ofSection section: Int) -> String? {
        fault == .losesFooters ? nil : base.footer(ofSection: section)
    }

    var listHeader: String? { fault == .losesTheHeader ? nil : base.listHeader }
    var listFooter: String? { fault == .losesTheFooter ? nil : base.listFooter }
}

extension WrongDecorator: EditableRows, MovableRows {
    func isEditable(at position: ListPosition) -> Bool {
        fault == .forbidsToDelete ? false : base.isEditable(at: position)
    }

    func delete(at position: ListPosition) async throws {
        if fault == .deletesNotices, base.row(at: position)?.notice != nil { return }
        try await base.delete(at: position)
        if fault == .deletesTwice { try await base.delete(at: position) }
    }

    func isMovable(at position: ListPosition) -> Bool {
        fault == .forbidsToMove ? false : base.isMovable(at: position)
    }

    func canMove(from position: ListPosition, to destination: ListPosition) -> Bool {
        switch fault {
        case .forbidsPlaces: false
        case .offersNotices where base.row(at: destination)?.notice != nil: true
        default: base.canMove(from: position, to: destination)
        }
    }

    func move(from position: ListPosition, to destination: ListPosition) async throws {
        let isNotice = base.row(at: destination)?.notice != nil
        if fault == .movesToNotices, isNotice { return }
        try await base.move(from: position, to: fault == .movesNowhere && !isNotice ? position : destination)
    }
}

extension ListSample {
    fileprivate var banner: NoticedList<ListSample> { notice(ListNotice(.stale, "old")) }
}

/// Swaps the first two rows of a section.
private struct Swapping<Base: ListSource>: ListDecorator {
    let base: Base

    func position(ofBase position: ListPosition) -> ListPosition {
        guard position.row == 0 || position.row == 1, base.rowCount(inSection: position.section) > 1 else {
            return position
        }
        return ListPosition(section: position.section, row: 1 - position.row)
    }

    func basePosition(of position: ListPosition) -> ListPosition? { self.position(ofBase: position) }
}

extension Swapping: IdentifiedSections where Base: IdentifiedSections {}
extension Swapping: SectionHeaders where Base: SectionHeaders {}
extension Swapping: SectionFooters where Base: SectionFooters {}
extension Swapping: ListHeader where Base: ListHeader {}
extension Swapping: ListFooter where Base: ListFooter {}
extension Swapping: EditableRows where Base: EditableRows {}
extension Swapping: MovableRows where Base: MovableRows {}

/// Puts a section without rows above all others.
private struct EmptySection<Base: ListSource>: ListDecorator {
    let base: Base

    var sectionCount: Int { base.sectionCount + 1 }
    func section(ofBase section: Int) -> Int { section + 1 }
    func baseSection(of section: Int) -> Int? { section <= 0 ? nil : section - 1 }
}

extension EmptySection: IdentifiedSections where Base: IdentifiedSections {}
extension EmptySection: SectionHeaders where Base: SectionHeaders {}
extension EmptySection: SectionFooters where Base: SectionFooters {}
extension EmptySection: ListHeader where Base: ListHeader {}
extension EmptySection: ListFooter where Base: ListFooter {}
extension EmptySection: EditableRows where Base: EditableRows {}
extension EmptySection: MovableRows where Base: MovableRows {}

/// Gives all notices the same number.
private struct SameNumber<Base: ListSource>: ListDecorator {
    let base: Base

    func row(at position: ListPosition) -> ListRow<Base.Element>? {
        let row = base.row(at: position)
        return row?.notice.map { .notice(ListNotice($0.kind, $0.text)) } ?? row
    }
}

extension SameNumber: IdentifiedSections where Base: IdentifiedSections {}
extension SameNumber: SectionHeaders where Base: SectionHeaders {}
extension SameNumber: SectionFooters where Base: SectionFooters {}
extension SameNumber: ListHeader where Base: ListHeader {}
extension SameNumber: ListFooter where Base: ListFooter {}
extension SameNumber: EditableRows where Base: EditableRows {}
extension SameNumber: MovableRows where Base: MovableRows {}
