import WharfPresentation

/// Elements in sections of three. The arithmetic traps at the bounds of `Int`, and is correct
/// elsewhere.
struct AddingSource: ListSource {
    let count: Int

    var sectionCount: Int { (count + 2) / 3 }

    func rowCount(inSection section: Int) -> Int {
        let end = 3 * (section + 1)
        return section < 0 ? 0 : max(0, 3 - max(0, end - count))
    }

    func row(at position: ListPosition) -> ListRow<Int>? {
        let element = 3 * position.section + position.row
        let end = 3 * position.section + rowCount(inSection: position.section)
        guard position.section >= 0, position.row >= 0, element < end else { return nil }
        return .element(element)
    }
}

/// A notice above a list. The arithmetic traps at the bounds of `Int`, and is correct elsewhere.
struct AddingDecorator<Base: ListSource>: ListDecorator {
    let base: Base

    func section(ofBase section: Int) -> Int { section + 1 }

    func baseSection(of section: Int) -> Int? {
        let inner = section - 1
        return inner == -1 ? nil : inner
    }

    var sectionCount: Int { base.sectionCount + 1 }

    func rowCount(inSection section: Int) -> Int {
        baseSection(of: section).map { base.rowCount(inSection: $0) } ?? 1
    }

    func row(at position: ListPosition) -> ListRow<Base.Element>? {
        if let inner = basePosition(of: position) { return base.row(at: inner) }
        return position.row == 0 ? .notice(ListNotice(id: .init(.init("adding"), number: 0), "above")) : nil
    }
}

extension AddingDecorator: IdentifiedSections where Base: IdentifiedSections {
    func sectionID(_ section: Int) -> ListID<Base.SectionKey>? {
        guard let inner = baseSection(of: section) else { return .notice(.init(.init("adding"), number: 0)) }
        return base.sectionID(inner)
    }
}

extension AddingDecorator: SectionHeaders where Base: SectionHeaders {}
extension AddingDecorator: SectionFooters where Base: SectionFooters {}
extension AddingDecorator: ListHeader where Base: ListHeader {}
extension AddingDecorator: ListFooter where Base: ListFooter {}
extension AddingDecorator: EditableRows where Base: EditableRows {}
extension AddingDecorator: MovableRows where Base: MovableRows {}
