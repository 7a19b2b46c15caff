internal import WharfChecks
internal import WharfPresentation

extension ListDecoratorLaws {
    static let captions: [Law<Subject>] = [
        Law("sections keep their ids", for: ListSample.any) { subject, base in
            let list = try subject.decorate(base)
            let role = try require(list as? any IdentifiedSections, "its sections have no ids")
            try requireSame(base, list, "id", of: { base.anyID(of: $0) }) { role.anyID(of: $0) }
        },
        Law("sections keep their headers", for: ListSample.any) { subject, base in
            guard !subject.own.contains(.sectionHeaders) else { return }
            let list = try subject.decorate(base)
            let role = try require(list as? any SectionHeaders, "its sections have no headers")
            try requireSame(base, list, "header", of: base.header(ofSection:)) { role.header(ofSection: $0) }
        },
        Law("sections keep their footers", for: ListSample.any) { subject, base in
            guard !subject.own.contains(.sectionFooters) else { return }
            let list = try subject.decorate(base)
            let role = try require(list as? any SectionFooters, "its sections have no footers")
            try requireSame(base, list, "footer", of: base.footer(ofSection:)) { role.footer(ofSection: $0) }
        },
        Law("the list keeps its header", for: ListSample.any) { subject, base in
            guard !subject.own.contains(.listHeader) else { return }
            let header = (try subject.decorate(base) as? any ListHeader)?.listHeader
            try require(header == base.listHeader, "it was \(header ?? "none")")
        },
        Law("the list keeps its footer", for: ListSample.any) { subject, base in
            guard !subject.own.contains(.listFooter) else { return }
            let footer = (try subject.decorate(base) as? any ListFooter)?.listFooter
            try require(footer == base.listFooter, "it was \(footer ?? "none")")
        },
    ]

    private static func requireSame<Caption: Equatable>(
        _ base: ListSample, _ list: any ListSource<Int>, _ what: String, of caption: (Int) -> Caption?,
        in decorated: (Int) -> Caption?
    ) throws {
        for section in 0..<base.sectionCount {
            // A decorator may add sections before this one, so its own number is found by mapping.
            let shown = list.position(ofSource: ListPosition(section: section, row: 0)).section
            let found = decorated(shown)
            try require(
                found == caption(section), "the \(what) of section \(section) was \(found.map { "\($0)" } ?? "none")")
        }
    }

    static let changes: [Law<Subject>] = [
        Law("a row can be deleted exactly if the base allows it, and is deleted in the base", for: ListSample.any) {
            subject, base in
            guard !subject.own.contains(.editing) else { return }
            let list = try subject.decorate(base)
            let rows = try require(list as? any EditableRows, "its rows can't be edited")
            for position in base.shownPositions {
                let shown = list.position(ofSource: position)
                let isEditable = rows.isEditable(at: shown)
                try require(isEditable == base.isEditable(at: position), "it says otherwise of the row at \(position)")
                guard isEditable else { continue }
                try await rows.delete(at: shown)
                let done = base.takeChanges()
                try require(done == ["delete \(position)"], "when \(position) was deleted it did \(done)")
            }
        },
        Law("a row can be moved exactly if the base allows it, and is moved in the base", for: ListSample.any) {
            subject, base in
            guard !subject.own.contains(.moving) else { return }
            let list = try subject.decorate(base)
            let rows = try require(list as? any MovableRows, "its rows can't be moved")
            for position in base.shownPositions {
                let shown = list.position(ofSource: position)
                let isMovable = rows.isMovable(at: shown)
                try require(isMovable == base.isMovable(at: position), "it says otherwise of the row at \(position)")
                guard isMovable else { continue }
                for place in base.places(from: position.section) {
                    let destination = list.position(ofSource: place)
                    try require(rows.canMove(from: shown, to: destination), "\(position) can't be moved to \(place)")
                    try await rows.move(from: shown, to: destination)
                    let done = base.takeChanges()
                    try require(
                        done == ["move \(position) to \(place)"],
                        "when \(position) was moved to \(place) it did \(done)")
                }
            }
        },
        Law("an added row can be neither deleted nor moved, and is no destination", for: ListSample.any) {
            subject, base in
            let list = try subject.decorate(base)
            // A row that can be moved, so that only the destination is a reason for a refusal.
            let element = list.shownPositions.first { (list as? any MovableRows)?.isMovable(at: $0) ?? false }
            for position in list.shownPositions where list.element(at: position) == nil {
                if let rows = list as? any EditableRows {
                    try require(!rows.isEditable(at: position), "\(position) can be deleted")
                    try await ListSourceLaws.requireRefusal(.notEditable, at: position) {
                        try await rows.delete(at: position)
                    }
                }
                guard let rows = list as? any MovableRows else { continue }
                try require(!rows.isMovable(at: position), "\(position) can be moved")
                try await ListSourceLaws.requireRefusal(.notMovable, at: position) {
                    try await rows.move(from: position, to: element ?? position)
                }
                guard let element else { continue }
                try require(!rows.canMove(from: element, to: position), "\(element) can be moved to \(position)")
                try await ListSourceLaws.requireRefusal(.noDestination, at: position) {
                    try await rows.move(from: element, to: position)
                }
            }
        },
    ]
}
