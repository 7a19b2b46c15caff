extension ListSource {
    /// Returns up to `count` positions of elements after or before one, nearest first.
    func positions(beyond position: ListPosition, count: Int, isBackwards: Bool) -> [ListPosition] {
        Array(walk(from: position, isBackwards: isBackwards).lazy.filter { element(at: $0) != nil }.prefix(count))
    }

    /// Returns the positions after or before a position, which is excluded.
    private func walk(
        from position: ListPosition, isBackwards: Bool
    ) -> UnfoldSequence<ListPosition, ListPosition> {
        sequence(state: position) { place in
            let next = isBackwards ? self.position(before: place) : self.position(after: place)
            if let next { place = next }
            return next
        }
    }

    private func position(after position: ListPosition) -> ListPosition? {
        if position.row + 1 < rowCount(inSection: position.section) {
            return ListPosition(section: position.section, row: position.row + 1)
        }
        let section = (position.section + 1..<max(position.section + 1, sectionCount)).first {
            rowCount(inSection: $0) > 0
        }
        return section.map { ListPosition(section: $0, row: 0) }
    }

    private func position(before position: ListPosition) -> ListPosition? {
        if position.row > 0 { return ListPosition(section: position.section, row: position.row - 1) }
        let section = (0..<max(0, position.section)).last { rowCount(inSection: $0) > 0 }
        return section.map { ListPosition(section: $0, row: rowCount(inSection: $0) - 1) }
    }
}
