// Lists without repetition: a source of rows, cells that render themselves, and decorators in
// layers.
import WharfPresentation

// snippet.model
struct Task: Identifiable, Sendable {
    let id: Int
    let title: String
    var isDone = false
}

let tasks = [
    Task(id: 1, title: "Write the text"), Task(id: 2, title: "Buy milk", isDone: true),
    Task(id: 3, title: "Call the dentist"),
]
// snippet.end

// snippet.cells
/// A line of a terminal in place of a `UITableViewCell`. It gets a task and renders it.
struct TaskCell: ListCell {
    func render(_ task: Task) -> String { "[\(task.isDone ? "x" : " ")] \(task.title)" }
}

struct NoticeCell: ListCell {
    func render(_ notice: ListNotice) -> String { "(\(notice.text))" }
}

let cells = CellRegistry {
    TaskCell()
} notices: {
    NoticeCell()
}
// snippet.end

// snippet.show
/// The table. It uses the roles of a list, and does not depend on tasks.
func show<List: ListSource & IdentifiedSections>(_ list: List, render: (ListRow<List.Element>) -> String) {
    if let header = (list as? any ListHeader)?.listHeader { print("=", header, "=") }
    for section in list.listSections() {
        if let header = section.header { print("-", header) }
        for row in section.elements { print(" ", render(row)) }
    }
    if let footer = (list as? any ListFooter)?.listFooter { print("=", footer) }
    print()
}
// snippet.end

// snippet.decorators
let rows = RowSource(tasks)

// Rows only, and the same with one header.
show(rows) { cells.render($0) }
show(rows.header("Tasks")) { cells.render($0) }

// A header, headers of sections, and a footer.
let sectioned = rows.sections { $0.isDone }.sectionHeaders { $0 ? "Done" : "To do" }
show(sectioned.header("Tasks").footer("\(tasks.count) tasks")) { cells.render($0) }

// Changed headers need one more layer.
show(sectioned.sectionHeaders { isDone, header in isDone ? "\(header ?? ""), well" : header }) { cells.render($0) }

// Positions are converted through the rows that a layer adds.
let noticed = sectioned.notice(ListNotice(.stale, "Not up to date"))
show(noticed) { cells.render($0) }
if let source = noticed.sourcePosition(of: ListPosition(section: 2, row: 0)) {
    print("row 2.0 is", source, "of the source:", sectioned.element(at: source)?.title ?? "none")
}
print(noticed.sourcePosition(of: ListPosition(section: 0, row: 0)) == nil ? "row 0.0 is none of its rows\n" : "")
// snippet.end

// snippet.specialisation
/// A generic source, specialised for one type of element: no subclass, and no change of the source.
struct Appliance: Identifiable, Sendable {
    let id: Int
    let name: String
    let room: String
}

extension Appliance: HeadedElement {
    static func sectionHeader(of elements: [Appliance]) -> String? {
        elements.first.map { "\($0.room), \(elements.count)" }
    }
}

struct ApplianceCell: ListCell {
    func render(_ appliance: Appliance) -> String { appliance.name }
}

let appliances = RowSource([
    Appliance(id: 1, name: "Oven", room: "Kitchen"), Appliance(id: 2, name: "Boiler", room: "Cellar"),
    Appliance(id: 3, name: "Fridge", room: "Kitchen"),
])
let applianceCells = CellRegistry {
    ApplianceCell()
} notices: {
    NoticeCell()
}

show(appliances.sections { $0.room }) { applianceCells.render($0) }
print("in one section:", appliances.header(ofSection: 0) ?? "no header")
print("tasks have section headers:", rows is any SectionHeaders)
// snippet.end

// snippet.hide
// Output:
//   [ ] Write the text
//   [x] Buy milk
//   [ ] Call the dentist
//
// = Tasks =
//   [ ] Write the text
//   [x] Buy milk
//   [ ] Call the dentist
//
// = Tasks =
// - To do
//   [ ] Write the text
//   [ ] Call the dentist
// - Done
//   [x] Buy milk
// = 3 tasks
//
// - To do
//   [ ] Write the text
//   [ ] Call the dentist
// - Done, well
//   [x] Buy milk
//
//   (Not up to date)
// - To do
//   [ ] Write the text
//   [ ] Call the dentist
// - Done
//   [x] Buy milk
//
// row 2.0 is 1.0 of the source: Buy milk
// row 0.0 is none of its rows
//
// - Kitchen, 2
//   Oven
//   Fridge
// - Cellar, 1
//   Boiler
//
// in one section: Kitchen, 3
// tasks have section headers: false
