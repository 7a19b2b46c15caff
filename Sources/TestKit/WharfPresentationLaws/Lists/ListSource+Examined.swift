internal import WharfPresentation

extension ListSource {
    /// The positions of all rows, by the counts.
    var shownPositions: [ListPosition] {
        (0..<sectionCount).flatMap { section in
            (0..<rowCount(inSection: section)).map { ListPosition(section: section, row: $0) }
        }
    }

    /// The places behind the last rows of the sections.
    var endPositions: [ListPosition] {
        (0..<sectionCount).map { ListPosition(section: $0, row: rowCount(inSection: $0)) }
    }

    /// Indices of sections that the list does not have, adjacent and distant.
    ///
    /// Distant means a million, and no bound of `Int`. A conformer that adds before it compares
    /// would trap at a bound. The trap would end the test process without naming the conformer or
    /// the law. No table asks a list for such an index.
    var otherSections: [Int] { [-1, -far, sectionCount, sectionCount + 1, sectionCount + far] }

    /// Positions without a row, adjacent and distant.
    var otherPositions: [ListPosition] {
        let besides = (0..<sectionCount).flatMap { section in
            let count = rowCount(inSection: section)
            return [-1, -far, count, count + far].map { ListPosition(section: section, row: $0) }
        }
        return besides
            + otherSections.flatMap { section in
                [0, 1, -1, far, -far].map { ListPosition(section: section, row: $0) }
            }
    }

    func hasRow(at position: ListPosition) -> Bool { row(at: position) != nil }

    /// The content of all rows.
    var text: String {
        shownPositions.map { "\($0) \(row(at: $0).map { "\($0)" } ?? "nothing")" }.joined(separator: ", ")
    }
}

extension IdentifiedSections {
    func anyID(of section: Int) -> AnyHashable? { sectionID(section) }
}

private let far = 1_000_000
