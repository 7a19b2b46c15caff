public import WharfChecks
public import WharfPresentation

/// The laws of every list decorator, and of every stack of decorators.
///
/// ```swift
/// @Test(arguments: ListDecoratorLaws.all)
/// func advertsKeep(law: Law<ListDecoratorLaws.Subject>) async throws {
///     try await law.check(.init("Adverts") { list in Adverts(base: list, every: 3) })
/// }
/// ```
///
/// The decorated sample has every role, so the decorator must take over every role.
public enum ListDecoratorLaws {
    /// A role that a decorator fills itself, instead of asking its base.
    public enum Role: Sendable, Hashable, CaseIterable {
        case sectionHeaders, sectionFooters, listHeader, listFooter, editing, moving
    }

    /// A kind of decorator under test, as a function that decorates a list.
    public struct Subject: Sendable, CustomStringConvertible {
        public let description: String
        let own: Set<Role>
        let decorate: @Sendable (ListSample) throws -> any ListSource<Int>

        /// Creates a subject from a function that decorates a sample.
        ///
        /// - Parameters:
        ///   - name: the name in the messages of violations.
        ///   - own: the roles that it does not take over from its base.
        ///   - decorate: decorates a list. Called for each input of a law.
        public init(
            _ name: String, own: Set<Role> = [],
            _ decorate: @escaping @Sendable (ListSample) throws -> any ListSource<Int>
        ) {
            description = name
            self.own = own
            self.decorate = decorate
        }
    }

    /// All laws, for the arguments of a test.
    public static let all: [Law<Subject>] = positions + captions + changes

    static let positions: [Law<Subject>] = [
        Law("each row of the base is unchanged at its position", for: ListSample.any) { subject, base in
            let list = try subject.decorate(base)
            for position in base.shownPositions {
                let row = list.row(at: list.position(ofSource: position))
                try require(
                    row == base.row(at: position), "the row at \(position) was \(row.map { "\($0)" } ?? "gone")")
            }
        },
        Law("a position that is mapped there and back is the same", for: ListSample.any) { subject, base in
            let list = try subject.decorate(base)
            for position in base.shownPositions {
                let back = list.sourcePosition(of: list.position(ofSource: position))
                try require(back == position, "\(position) came back as \(text(back))")
            }
            for position in list.shownPositions {
                guard let source = list.sourcePosition(of: position) else { continue }
                let back = list.position(ofSource: source)
                try require(back == position, "\(position) of the decorated list came back as \(back)")
            }
        },
        Law("the position after the last row of a section maps back to itself", for: ListSample.any) { subject, base in
            let list = try subject.decorate(base)
            for position in base.endPositions {
                let back = list.sourcePosition(of: list.position(ofSource: position))
                try require(back == position, "\(position) came back as \(text(back))")
            }
        },
        Law("an added row is no element", for: ListSample.any) { subject, base in
            let list = try subject.decorate(base)
            for position in list.shownPositions where list.sourcePosition(of: position) == nil {
                try require(list.element(at: position) == nil, "at \(position) there was an element of its own")
            }
        },
        Law("each notice has a unique id", for: ListSample.any) { subject, base in
            let list = try subject.decorate(base)
            var seen: [ListNotice.ID: ListPosition] = [:]
            for position in list.shownPositions {
                guard let notice = list.row(at: position)?.notice else { continue }
                let other = seen.updateValue(position, forKey: notice.id)
                try require(
                    other == nil,
                    "those at \(text(other)) and \(position) were both \(notice.kind), number \(notice.id.number)")
            }
        },
        Law("the rows of the base keep their order", for: ListSample.any) { subject, base in
            let list = try subject.decorate(base)
            let shown = base.shownPositions.map { list.position(ofSource: $0) }
            try require(shown == shown.sorted(), "they were at \(shown)")
        },
        Law("a position outside of the list maps to no row of the base", for: ListSample.any) { subject, base in
            let list = try subject.decorate(base)
            for position in list.otherPositions {
                guard let source = list.sourcePosition(of: position) else { continue }
                try require(base.row(at: source) == nil, "\(position) came back as \(source)")
            }
        },
        Law("a decorator that adds no row changes no position", for: ListSample.any) { subject, base in
            let list = try subject.decorate(base)
            // With an added row the positions after it have to differ.
            guard list.shownPositions.count == base.shownPositions.count else { return }
            try require(
                list.sectionCount == base.sectionCount,
                "of \(base.sectionCount) sections it made \(list.sectionCount)")
            for position in base.shownPositions {
                let shown = list.position(ofSource: position)
                try require(shown == position, "\(position) was at \(shown)")
            }
        },
        Law("the rows are known exactly if those of the base are", for: ListSample.any) { subject, base in
            let list = try subject.decorate(base)
            try require(
                list.isKnown == base.isKnown, "they are \(base.isKnown ? "" : "not ")known, and it says otherwise")
        },
    ]

    private static func text(_ position: ListPosition?) -> String { position.map { "\($0)" } ?? "none" }
}
