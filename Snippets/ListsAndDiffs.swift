// Article "Lists and diffs": rows in sections, the stages from one list to the next, and a source
// of your own that passes the laws.

// snippet.hide
import WharfPresentation
import WharfPresentationLaws

// snippet.show
// snippet.list
struct Film: Identifiable, Equatable, Sendable {
    let id: Int
    var title: String
    var isSeen = false
}

func list(_ films: [Film]) -> some ListSource<Film> & IdentifiedSections {
    RowSource(films)
        .sections { $0.isSeen }
        .sectionHeaders { $0 ? "Seen" : "To see" }
        .placeholder("No films yet")
}
// snippet.end

// snippet.table
/// A view of the app. When `show` returns, all batches have been performed.
struct FilmTable<Key: Hashable & Sendable> {
    typealias Section = ListSection<ListID<Key>, ListRow<Film>>

    private(set) var shown: [Section]

    mutating func show(_ next: [Section]) {
        for stage in ListChanges(from: shown, to: next).stages {
            do {
                try stage.validate(
                    shown: shown.map(\.elements.count), source: stage.sections.map(\.elements.count))
            } catch {
                shown = next
                return print("reload:", error)
            }
            shown = stage.sections
            print("sections: deleted", stage.deletedSections, "inserted", stage.insertedSections)
            print("rows: inserted", stage.insertedRows, "moved", stage.movedRows, "changed", stage.changedRows)
        }
    }
}
// snippet.end

// snippet.changes
let before = list([
    Film(id: 1, title: "Alien"), Film(id: 2, title: "Heat"), Film(id: 3, title: "Ran", isSeen: true),
])
let after = list([
    Film(id: 2, title: "Heat"), Film(id: 4, title: "Tron"), Film(id: 1, title: "Alien", isSeen: true),
    Film(id: 3, title: "Ran, 1985", isSeen: true),
])

var table = FilmTable(shown: before.listSections())
table.show(after.listSections())  // Alien moves to "Seen", Tron is inserted, two rows are redrawn
table.show(list([]).listSections())  // both sections are deleted, the placeholder is inserted
// snippet.end

// snippet.ids
let orders = ListChanges(
    from: [ListSection(id: "today", elements: ["Alien", "Heat"])],
    to: [ListSection(id: "today", elements: ["Heat", "Alien"])],
    id: { $0 }, isEqual: { $0 == $1 })
print("moves:", orders.stages.map(\.movedRows.count))
// snippet.end

// snippet.own
/// Names in sections by their first letters.
struct AddressBook: ListSource, IdentifiedSections {
    private let letters: [Character]
    private let names: [Character: [String]]

    init(_ all: [String]) {
        names = Dictionary(grouping: all.sorted()) { $0.first ?? "#" }
        letters = names.keys.sorted()
    }

    var sectionCount: Int { letters.count }

    func rowCount(inSection section: Int) -> Int { names(inSection: section).count }

    func row(at position: ListPosition) -> ListRow<String>? {
        let names = names(inSection: position.section)
        return names.indices.contains(position.row) ? .element(names[position.row]) : nil
    }

    func sectionID(_ section: Int) -> ListID<Character>? {
        letters.indices.contains(section) ? .own(letters[section]) : nil
    }

    private func names(inSection section: Int) -> [String] {
        letters.indices.contains(section) ? names[letters[section]] ?? [] : []
    }
}
// snippet.end

for law in ListSourceLaws.all {
    try await law.check(.init("AddressBook") { count in AddressBook((0..<count).map { "\($0 % 7): \($0)" }) })
}
print("AddressBook keeps the laws")

// snippet.output
// Output:
// sections: deleted [] inserted []
// rows: inserted [0.1] moved [0.0→1.0] changed []
// sections: deleted [] inserted []
// rows: inserted [] moved [] changed [1.0, 1.1]
// sections: deleted [0, 1] inserted [0]
// rows: inserted [] moved [] changed []
// moves: [1]
// AddressBook keeps the laws
