internal import WharfPresentation

extension ListSource {
    /// All positions that have a row by the counts.
    var shownPositions: [ListPosition] {
        (0..<sectionCount).flatMap { section in
            (0..<rowCount(inSection: section)).map { ListPosition(section: section, row: $0) }
        }
    }

    /// The places behind the last rows of the sections.
    var endPositions: [ListPosition] {
        (0..<sectionCount).map { ListPosition(section: $0, row: rowCount(inSection: $0)) }
    }

    var otherSections: [Int] { [-1, .min, sectionCount, sectionCount + 1, .max - 1, .max] }

    /// Some of those that have none.
    var otherPositions: [ListPosition] {
        let besides = (0..<sectionCount).flatMap { section in
            [-1, .min, rowCount(inSection: section), .max].map { ListPosition(section: section, row: $0) }
        }
        return besides
            + otherSections.flatMap { section in
                [0, 1, -1, .max, .min].map { ListPosition(section: section, row: $0) }
            }
    }

    func hasRow(at position: ListPosition) -> Bool { row(at: position) != nil }

    /// All that it shows.
    var text: String {
        shownPositions.map { "\($0) \(row(at: $0).map { "\($0)" } ?? "nothing")" }.joined(separator: ", ")
    }
}

extension IdentifiedSections {
    func anyID(of section: Int) -> AnyHashable? { sectionID(section) }
}
