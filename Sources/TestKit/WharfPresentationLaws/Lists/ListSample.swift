internal import Synchronization
internal import WharfChecks
public import WharfPresentation

/// A list of numbers that has every role, to be decorated.
///
/// Its elements count from 0. Its rows and its captions are distinct.
public struct ListSample: ListSource {
    private let sections: [[Int]]
    public let isKnown: Bool
    private let changes = Changes()

    private final class Changes: Sendable {
        let all = Mutex<[String]>([])
    }

    init(rowCounts: [Int], isKnown: Bool) {
        var next = 0
        sections = rowCounts.map { count in
            defer { next += count }
            return Array(next..<next + count)
        }
        // A list with elements knows them, as a law demands of every source.
        self.isKnown = isKnown || next > 0
    }

    static let any = Generator.zip(.array(of: .int(in: 0...3), count: 0...4), .bool)
        .map { ListSample(rowCounts: $0.0, isKnown: $0.1) }

    public var sectionCount: Int { sections.count }

    public func rowCount(inSection section: Int) -> Int {
        sections.indices.contains(section) ? sections[section].count : 0
    }

    public func row(at position: ListPosition) -> ListRow<Int>? {
        guard sections.indices.contains(position.section),
            sections[position.section].indices.contains(position.row)
        else { return nil }
        return .element(sections[position.section][position.row])
    }

    /// Returns the changes since the last call.
    func takeChanges() -> [String] {
        changes.all.withLock { all in
            defer { all = [] }
            return all
        }
    }
}

extension ListSample: IdentifiedSections, SectionHeaders, SectionFooters, ListHeader, ListFooter {
    public func sectionID(_ section: Int) -> ListID<Int>? {
        sections.indices.contains(section) ? .own(section) : nil
    }

    public func header(ofSection section: Int) -> String? {
        // One section without a header, and another without a footer, so that a lost nil shows.
        sections.indices.contains(section) && section != 1 ? "header \(section)" : nil
    }

    public func footer(ofSection section: Int) -> String? {
        sections.indices.contains(section) && section != 2 ? "footer \(section)" : nil
    }

    public var listHeader: String? { "header" }
    public var listFooter: String? { "footer" }
}

extension ListSample: EditableRows, MovableRows {
    // Some elements can't be edited and others can't be moved, so a decorator that answers by
    // itself is detected.
    public func isEditable(at position: ListPosition) -> Bool { element(at: position).map { $0 % 3 != 1 } ?? false }

    public func delete(at position: ListPosition) async throws {
        guard isEditable(at: position) else { throw ListError(.notEditable, message: "there is no such row") }
        changes.all.withLock { $0.append("delete \(position)") }
    }

    public func isMovable(at position: ListPosition) -> Bool { element(at: position).map { $0 % 3 != 2 } ?? false }

    public func canMove(from position: ListPosition, to destination: ListPosition) -> Bool {
        isMovable(at: position) && places(from: position.section).contains(destination)
    }

    public func move(from position: ListPosition, to destination: ListPosition) async throws {
        guard isMovable(at: position) else { throw ListError(.notMovable, message: "there is no such row") }
        guard canMove(from: position, to: destination) else {
            throw ListError(.noDestination, message: "there is no such place")
        }
        changes.all.withLock { $0.append("move \(position) to \(destination)") }
    }

    /// Returns the places that a row of a section can move to.
    func places(from section: Int) -> [ListPosition] {
        // The end of its own section is no place: the row would leave it and come back one place
        // earlier.
        shownPositions + endPositions.filter { $0.section != section }
    }
}

extension ListSample: CustomStringConvertible {
    public var description: String { isKnown ? "\(sections)" : "\(sections), not known" }
}
