public import WharfChecks
public import WharfPresentation

/// What every ``ListSource`` keeps, in each role to which it conforms.
///
/// ```swift
/// @Test(arguments: ListSourceLaws.all)
/// func fetchedFilmsKeep(law: Law<ListSourceLaws.Subject>) async throws {
///     try await law.check(.init("FetchedFilms") { count in FetchedFilms((0..<count).map { Film(id: $0) }) })
/// }
/// ```
///
/// - The laws delete and move only rows of which the source says that this can't be done.
/// - They ask for rows and sections up to a million beside those of the list, and not for the
///   bounds of `Int`: a source may add before it compares.
public enum ListSourceLaws {
    /// A kind of source, as what makes one.
    public struct Subject: Sendable, CustomStringConvertible {
        public let description: String
        let make: @Sendable (Int) async throws -> any ListSource

        /// - Parameter make: a source of so many elements, in whichever sections. Called for each
        ///   input of a law.
        public init(
            _ name: String, _ make: @escaping @Sendable (_ count: Int) async throws -> any ListSource
        ) {
            description = name
            self.make = make
        }
    }

    public static let all: [Law<Subject>] = rows + roles

    static let count = Generator<Int>.int(in: 0...40)

    private static let rows: [Law<Subject>] = [
        Law("all its elements are in its rows", for: count) { subject, count in
            let list = try await subject.make(count)
            let found = list.shownPositions.count { list.element(at: $0) != nil }
            try require(found == count, "of \(count) elements there were \(found)")
        },
        Law("there is a row at each position below the counts", for: count) { subject, count in
            let list = try await subject.make(count)
            for position in list.shownPositions {
                try require(list.hasRow(at: position), "there was none at \(position)")
            }
        },
        Law("there is no row at any other position", for: count) { subject, count in
            let list = try await subject.make(count)
            for position in list.otherPositions {
                try require(!list.hasRow(at: position), "there was one at \(position)")
            }
        },
        Law("a section that is not there has no rows", for: count) { subject, count in
            let list = try await subject.make(count)
            for section in list.otherSections {
                let rows = list.rowCount(inSection: section)
                try require(rows == 0, "section \(section) of \(list.sectionCount) had \(rows)")
            }
        },
        Law("what it says stays true", for: count) { subject, count in
            let list = try await subject.make(count)
            let first = list.text
            for _ in 0..<2 {
                let again = list.text
                try require(again == first, "at first there was \(first), then \(again)")
            }
        },
        Law("a source that does not know its rows has no elements", for: count) { subject, count in
            let list = try await subject.make(count)
            try require(list.isKnown || !list.hasElements, "it has elements, and says that nobody knows of any")
        },
    ]
}
