import WharfChecks
import WharfPresentation

/// A list before and after a change.
struct ListPair: Sendable, CustomStringConvertible {
    var old: [Section]
    var new: [Section]

    var description: String { "\(Self.text(old)) -> \(Self.text(new))" }

    static func text(_ sections: [Section]) -> String {
        let texts = sections.map { "\($0.id)(\($0.header ?? "-")\($0.footer ?? "-"))\($0.elements)" }
        return "[\(texts.joined(separator: " "))]"
    }

    /// Lists of few ids, so that ids repeat and change their section and order.
    static let unlike = Generator { choices in
        ListPair(old: try choices.draw(sections), new: try choices.draw(sections))
    }

    /// The second list is the first one after a few edits.
    static let alike = Generator { choices in
        let old = try choices.draw(sections)
        let edits = try choices.draw(.array(of: Edit.generator, count: 0...8))
        return ListPair(old: old, new: edits.reduce(old) { $1.applied(to: $0) })
    }

    static let any = Generator<ListPair>.oneOf(alike, unlike)

    /// Lists of one section with so many rows that a row's counterpart is far away.
    static let long = Generator { choices in
        let rows = Generator<[Row]>.array(of: row(upTo: 120), count: 0...90)
        return ListPair(
            old: [Section(id: "a", elements: try choices.draw(rows))],
            new: [Section(id: "a", elements: try choices.draw(rows))])
    }

    private static let text = Generator<String>.element(of: ["", "x", "y"])
    private static let margin = Generator<String?>.element(of: [nil, "h", "i"])

    fileprivate static func row(upTo last: Int = 9) -> Generator<Row> {
        Generator { choices in Row(try choices.draw(.int(in: 0...last)), try choices.draw(text)) }
    }

    fileprivate static let section = Generator { choices in
        Section(
            id: try choices.draw(.element(of: ["a", "b", "c", "d", "e"])), header: try choices.draw(margin),
            footer: try choices.draw(margin), elements: try choices.draw(.array(of: row(), count: 0...5)))
    }

    static let sections = Generator<[Section]>.array(of: section, count: 0...5)
}

/// An edit of a list by a user or a server.
private struct Edit: Sendable {
    enum Kind: CaseIterable, Sendable {
        case change, insertRow, deleteRow, moveRow, header, insertSection, deleteSection, moveSection
    }

    let kind: Kind
    let places: (Int, Int, Int, Int)
    let row: Row
    let section: Section

    static let generator = Generator { choices in
        let place = Generator<Int>.int(in: 0...4)
        return Edit(
            kind: try choices.draw(.anyCase()),
            places: (
                try choices.draw(place), try choices.draw(place), try choices.draw(place), try choices.draw(place)
            ),
            row: try choices.draw(ListPair.row()), section: try choices.draw(ListPair.section))
    }

    func applied(to list: [Section]) -> [Section] {
        var list = list
        if kind == .insertSection {
            list.insert(section, at: places.0 % (list.count + 1))
            return list
        }
        guard !list.isEmpty else { return list }
        let from = places.0 % list.count
        switch kind {
        case .insertSection: break
        case .deleteSection: list.remove(at: from)
        case .moveSection:
            let moved = list.remove(at: from)
            list.insert(moved, at: places.1 % (list.count + 1))
        case .header: (list[from].header, list[from].footer) = (section.header, section.footer)
        case .insertRow: list[from].elements.insert(row, at: places.1 % (list[from].elements.count + 1))
        case .change, .deleteRow, .moveRow:
            guard !list[from].elements.isEmpty else { return list }
            let index = places.1 % list[from].elements.count
            if kind == .change {
                list[from].elements[index].text = row.text
                return list
            }
            let taken = list[from].elements.remove(at: index)
            guard kind == .moveRow else { return list }
            let to = places.2 % list.count
            list[to].elements.insert(taken, at: places.3 % (list[to].elements.count + 1))
        }
        return list
    }
}
