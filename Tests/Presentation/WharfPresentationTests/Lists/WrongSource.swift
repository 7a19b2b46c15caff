import Synchronization
import WharfChecks
import WharfPresentation
import WharfPresentationLaws

/// Elements in sections of three, with one defect.
struct WrongSource: ListSource, IdentifiedSections, SectionHeaders, SectionFooters, EditableRows, MovableRows {
    enum Fault: CaseIterable {
        case losesAnElement, countsTooFar, wrapsAround, hasRowsElsewhere, changes, doesNotKnow
        case repeatsItsID, hasIDsElsewhere, hasHeadersElsewhere, hasFootersElsewhere
        case deletesAnything, throwsAnotherError, movesAnything, movesAnywhere, offersNothing

        /// The law that must detect the fault.
        var law: String {
            switch self {
            case .losesAnElement: "all elements of the source are in its rows"
            case .countsTooFar: "there is a row at each position below the counts"
            case .wrapsAround: "there is no row at any other position"
            case .hasRowsElsewhere: "a section that is not there has no rows"
            case .changes: "repeated reads of the source agree"
            case .doesNotKnow: "a source that does not know its rows has no elements"
            case .repeatsItsID: "each section has an id of its own"
            case .hasIDsElsewhere: "a section that is not there has no id"
            case .hasHeadersElsewhere, .hasFootersElsewhere:
                "a section that is not there has neither header nor footer"
            case .deletesAnything, .throwsAnotherError: "deleting a row that is not editable throws a ListError"
            case .movesAnything: "moving a row that is not movable throws a ListError"
            case .movesAnywhere: "moving a row to an invalid destination throws a ListError"
            case .offersNothing: "only elements can be deleted or moved"
            }
        }
    }

    static let mutants = Fault.allCases.map { fault in
        LawMutant(breaks: fault.law, ListSourceLaws.Subject("\(fault)") { WrongSource(count: $0, fault: fault) })
    }

    private struct OtherError: Error {}

    private final class Reads: Sendable {
        let count = Atomic(0)
    }

    private let count: Int
    private let fault: Fault
    private let reads = Reads()

    init(count: Int, fault: Fault) {
        self.count = fault == .losesAnElement ? max(0, count - 1) : count
        self.fault = fault
    }

    var isKnown: Bool { fault != .doesNotKnow }
    var sectionCount: Int { (count + 2) / 3 }

    private func has(_ section: Int) -> Bool { (0..<sectionCount).contains(section) }

    func rowCount(inSection section: Int) -> Int {
        guard has(section) else { return fault == .hasRowsElsewhere && section == sectionCount ? 1 : 0 }
        return min(3, count - 3 * section) + (fault == .countsTooFar ? 1 : 0)
    }

    func row(at position: ListPosition) -> ListRow<Int>? {
        guard has(position.section) else { return nil }
        var row = position.row
        if fault == .wrapsAround, row == -1 { row = 0 }
        guard (0..<min(3, count - 3 * position.section)).contains(row) else { return nil }
        let read = fault == .changes ? reads.count.add(1, ordering: .relaxed).newValue * 1_000 : 0
        return .element(3 * position.section + row + read)
    }

    func sectionID(_ section: Int) -> ListID<Int>? {
        guard has(section) else { return fault == .hasIDsElsewhere && section == sectionCount ? .own(section) : nil }
        return .own(fault == .repeatsItsID ? 0 : section)
    }

    func header(ofSection section: Int) -> String? {
        has(section) || fault == .hasHeadersElsewhere ? "header" : nil
    }

    func footer(ofSection section: Int) -> String? {
        has(section) || fault == .hasFootersElsewhere ? "footer" : nil
    }

    private var isOffering: Bool { fault == .offersNothing }

    func isEditable(at position: ListPosition) -> Bool { element(at: position).map { $0 % 2 == 0 } ?? isOffering }

    func delete(at position: ListPosition) async throws {
        guard !isEditable(at: position), fault != .deletesAnything else { return }
        if fault == .throwsAnotherError { throw OtherError() }
        throw ListError(.notEditable, message: "\(position)")
    }

    func isMovable(at position: ListPosition) -> Bool { element(at: position).map { $0 % 2 == 1 } ?? isOffering }

    func canMove(from position: ListPosition, to destination: ListPosition) -> Bool {
        isMovable(at: position) && element(at: destination) != nil
    }

    func move(from position: ListPosition, to destination: ListPosition) async throws {
        guard isMovable(at: position) || fault == .movesAnything else {
            throw ListError(.notMovable, message: "\(position)")
        }
        guard canMove(from: position, to: destination) || !isMovable(at: position) || fault == .movesAnywhere else {
            throw ListError(.noDestination, message: "\(destination)")
        }
    }
}
