extension ListStage {
    /// Checks that a table can perform this stage.
    ///
    /// A table raises an exception for an inconsistent batch, which ends the app. After an error,
    /// call `reloadData()` instead.
    ///
    /// - Parameters:
    ///   - shown: the number of rows that the table itself reports now, by section:
    ///     `numberOfRows(inSection:)`.
    ///   - source: the number of rows that the data source will report after the batch, by section.
    /// - Throws: a ``ListError`` if the table would raise.
    /// - Complexity: O(*n*) in sections and in named rows.
    public func validate(shown: [Int], source: [Int]) throws(ListError) {
        try checkCombination()
        let origins = try sectionOrigins(shown: shown, source: source)
        try checkRowCounts(shown: shown, source: source, origins)
        try checkRows(shown: shown, source: source, origins)
    }

    private func checkCombination() throws(ListError) {
        let changesSections = !deletedSections.isEmpty || !insertedSections.isEmpty || !movedSections.isEmpty
        let changesRows = !deletedRows.isEmpty || !insertedRows.isEmpty
        let contents = [changedRows.isEmpty, reloadedRows.isEmpty, changedSections.isEmpty].filter { !$0 }.count
        let pairs: [(found: Bool, what: String)] = [
            (changesSections && !movedRows.isEmpty, "both moves of rows and changes of sections"),
            (!movedSections.isEmpty && changesRows, "both moves of sections and rows deleted or inserted"),
            (
                contents > 0 && (changesSections || changesRows || !movedRows.isEmpty),
                "both changed content and changed places"
            ),
            (contents > 1, "two of changed rows, reloaded rows and changed sections"),
        ]
        guard let pair = pairs.first(where: \.found) else { return }
        throw ListError(
            .notTogether, message: "one batch can't have \(pair.what); apply them one after the other, in two batches")
    }

    /// Returns the old index of each section; nil for an inserted section.
    private func sectionOrigins(shown: [Int], source: [Int]) throws(ListError) -> [Int?] {
        let taken = try distinct(deletedSections + movedSections.map(\.from), "removed") {
            shown.indices.contains($0)
        }
        let put = try distinct(insertedSections + movedSections.map(\.to), "inserted") { source.indices.contains($0) }
        _ = try distinct(changedSections, "changed") { shown.indices.contains($0) }
        guard shown.count - deletedSections.count + insertedSections.count == source.count else {
            throw ListError(
                .countMismatch,
                message: """
                    the batch does not lead to the \(source.count) sections of the source: the table has \
                    \(shown.count), of which \(deletedSections.count) are deleted, and \(insertedSections.count) are inserted; \
                    reload the table
                    """)
        }
        var origins = [Int?](repeating: nil, count: source.count)
        for move in movedSections { origins[move.to] = move.from }
        // The sections that are neither deleted nor moved keep their order, and fill the places
        // that are left.
        var stays = shown.indices.lazy.filter { !taken.contains($0) }.makeIterator()
        for section in source.indices where !put.contains(section) { origins[section] = stays.next() }
        return origins
    }

    private func checkRowCounts(shown: [Int], source: [Int], _ origins: [Int?]) throws(ListError) {
        func counts(_ rows: [ListPosition]) -> [Int: Int] { rows.reduce(into: [:]) { $0[$1.section, default: 0] += 1 } }
        let (deleted, inserted) = (counts(deletedRows), counts(insertedRows))
        let (movedOut, movedIn) = (counts(movedRows.map(\.from)), counts(movedRows.map(\.to)))
        for (section, origin) in origins.enumerated() {
            // A section that is inserted as a whole has no rows to compare.
            guard let origin else { continue }
            let gone = (deleted[origin] ?? 0, movedOut[origin] ?? 0)
            let come = (inserted[section] ?? 0, movedIn[section] ?? 0)
            guard shown[origin] - gone.0 - gone.1 + come.0 + come.1 == source[section] else {
                throw ListError(
                    .countMismatch,
                    message: """
                        the batch does not lead to the \(source[section]) rows of section \(section) in the source: the \
                        table has \(shown[origin]), \(gone.0) deleted, \(gone.1) moved out, \(come.0) inserted, \
                        \(come.1) moved in; reload the table
                        """)
            }
        }
    }

    private func checkRows(shown: [Int], source: [Int], _ origins: [Int?]) throws(ListError) {
        func isRow(_ place: ListPosition, of counts: [Int]) -> Bool {
            counts.indices.contains(place.section) && 0..<counts[place.section] ~= place.row
        }
        let deleted = Set(deletedSections)
        _ = try distinct(deletedRows + movedRows.map(\.from), "removed") {
            // A row of a deleted section goes with it. Named again, the table would count it twice.
            isRow($0, of: shown) && !deleted.contains($0.section)
        }
        _ = try distinct(insertedRows + movedRows.map(\.to), "inserted") {
            isRow($0, of: source) && origins[$0.section] != nil
        }
        _ = try distinct(changedRows + reloadedRows, "changed") { isRow($0, of: shown) }
    }

    private func distinct<Place: Hashable>(
        _ places: [Place], _ what: String, isThere: (Place) -> Bool
    ) throws(ListError) -> Set<Place> {
        var once: Set<Place> = []
        for place in places {
            guard isThere(place) else {
                throw ListError(
                    .invalidPosition,
                    message: """
                        \(place) can't be \(what): it is outside the list, or its section is deleted or inserted as a \
                        whole; compute the changes from the shown list
                        """)
            }
            guard once.insert(place).inserted else {
                throw ListError(
                    .conflict, message: "\(place) is \(what) twice in one batch; name each place once")
            }
        }
        return once
    }
}
