import Testing
import WharfChecks
import WharfCore
import WharfPresentation
import WharfPresentationLaws

@Suite struct ListDecoratorLawTests {
    typealias Subject = ListDecoratorLaws.Subject

    static let decorators: [Subject] = [
        Subject("header", own: [.listHeader]) { $0.header("h") },
        Subject("footer", own: [.listFooter]) { $0.footer("f") },
        Subject("sectionHeaders", own: [.sectionHeaders]) { $0.sectionHeaders { "\($0)" } },
        Subject("sectionFooters", own: [.sectionFooters]) { $0.sectionFooters { "\($0)" } },
        Subject("placeholder") { $0.placeholder("none") },
        Subject("loading") { $0.loading(.refreshing) { "\($0)" } },
        Subject("loading, idle") { $0.loading(.idle) { "\($0)" } },
        Subject("staleBanner") { $0.staleBanner(of: .read(0), at: noon + .seconds(60)) { "\($0)" } },
        Subject("staleBanner, fresh") { $0.staleBanner(of: .read(0), at: noon) { "\($0)" } },
        Subject("notice at the bottom") { $0.notice(ListNotice(.init("end"), "that was all"), at: .bottom) },
        Subject("editable", own: [.editing]) { $0.editable { _ in } },
        Subject("movable", own: [.moving]) { $0.movable { _, _, _ in } },
        Subject("a decorator that adds before it compares") { AddingDecorator(base: $0) },
        Subject("adverts") { Adverts(base: $0) },
        Subject("the same twice") { $0.notice(ListNotice(.stale, "a")).notice(ListNotice(.stale, "b")) },
        Subject("all at once", own: Set(ListDecoratorLaws.Role.allCases)) { list in
            Adverts(base: list.editable { _ in }.notice(ListNotice(.stale, "a")))
                .header("h").footer("f").sectionHeaders { "\($0)" }.sectionFooters { "\($0)" }
                .placeholder("none").loading(.paused) { "\($0)" }.movable { _, _, _ in }
                .notice(ListNotice(.stale, "b"), at: .bottom)
        },
    ]

    @Test(arguments: decorators, ListDecoratorLaws.all)
    func decoratorKeepsLaw(decorator: Subject, law: Law<Subject>) async throws {
        try await law.check(decorator)
    }

    @Test(arguments: ListDecoratorLaws.all)
    func eachLawFailsForItsMutantsAlone(law: Law<Subject>) async throws {
        try await law.prove(by: WrongDecorator.mutants, in: ListDecoratorLaws.all)
    }
}

/// A third-party decorator with rows of its own among those of its base: one above every second
/// row.
struct Adverts<Base: ListSource>: ListDecorator {
    let base: Base

    func rowCount(inSection section: Int) -> Int {
        let count = base.rowCount(inSection: section)
        return count + (count + 1) / 2
    }

    func row(at position: ListPosition) -> ListRow<Base.Element>? {
        guard let position = basePosition(of: position) else {
            guard position.row < rowCount(inSection: position.section) else { return nil }
            let number = (0..<position.section).reduce(position.row) { $0 + rowCount(inSection: $1) }
            return .notice(ListNotice(id: .init(.init("advert"), number: number), "Buy!"))
        }
        return base.row(at: position)
    }

    func position(ofBase position: ListPosition) -> ListPosition {
        // The position after the last row follows an advert only if another row follows.
        let isEnd = position.row >= base.rowCount(inSection: position.section)
        guard position.row >= 0, !isEnd else {
            let count = rowCount(inSection: position.section)
            return ListPosition(section: position.section, row: isEnd ? count : position.row)
        }
        return ListPosition(section: position.section, row: position.row + position.row / 2 + 1)
    }

    func basePosition(of position: ListPosition) -> ListPosition? {
        let count = rowCount(inSection: position.section)
        guard (0..<count).contains(position.row) else {
            let isEnd = position.row == count
            return isEnd
                ? ListPosition(section: position.section, row: base.rowCount(inSection: position.section)) : nil
        }
        guard position.row % 3 != 0 else { return nil }
        return ListPosition(section: position.section, row: position.row - position.row / 3 - 1)
    }
}

extension Adverts: IdentifiedSections where Base: IdentifiedSections {}
extension Adverts: SectionHeaders where Base: SectionHeaders {}
extension Adverts: SectionFooters where Base: SectionFooters {}
extension Adverts: ListHeader where Base: ListHeader {}
extension Adverts: ListFooter where Base: ListFooter {}
extension Adverts: EditableRows where Base: EditableRows {}
extension Adverts: MovableRows where Base: MovableRows {}
