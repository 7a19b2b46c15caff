public import WharfChecks
public import WharfPresentation

/// The laws of every ``ListSource``, in each role to which it conforms.
///
/// ```swift
/// @Test(arguments: ListSourceLaws.all)
/// func fetchedFilmsKeep(law: Law<ListSourceLaws.Subject>) async throws {
///     try await law.check(.init("FetchedFilms") { count in FetchedFilms((0..<count).map { Film(id: $0) }) })
/// }
/// ```
///
/// - The laws delete and move only rows for which the source says that this is impossible.
/// - They ask for rows and sections up to a million beyond those of the list. They do not ask for
///   the bounds of `Int`, because a source may add before it compares.
public enum ListSourceLaws {
    /// A kind of source under test, as a function that makes sources.
    public struct Subject: Sendable, CustomStringConvertible {
        public let description: String
        let make: @Sendable (Int) async throws -> any ListSource

        /// Creates a subject from a function that makes a source.
        ///
        /// - Parameter make: makes a source with `count` elements, in any sections. Called for each
        ///   input of a law.
        public init(
            _ name: String, _ make: @escaping @Sendable (_ count: Int) async throws -> any ListSource
        ) {
            description = name
            self.make = make
        }
    }

    /// All laws, for the arguments of a test.
    public static let all: [Law<Subject>] = rows + roles

    static let count = Generator<Int>.int(in: 0...40)

    private static let rows: [Law<Subject>] = [
        Law("all elements of the source are in its rows", for: count) { subject, count in
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
        Law("repeated reads of the source agree", for: count) { subject, count in
            let list = try await subject.make(count)
            let first = list.text
            for _ in 0..<2 {
                let again = list.text
                try require(again == first, "at first there was \(first), then \(again)")
            }
        },
        Law("a source that does not know its rows has no elements", for: count) { subject, count in
            let list = try await subject.make(count)
            try require(list.isKnown || !list.hasElements, "it has elements, although its isKnown is false")
        },
    ]
}
