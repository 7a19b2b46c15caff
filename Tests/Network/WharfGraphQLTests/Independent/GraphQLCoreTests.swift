import ChildPrograms
import Foundation
import Testing
import WharfChecks
import WharfGraphQL
import WharfJSON

/// graphql-core of PyPI, an independent port of graphql-js, agrees on every document.
@Suite(.enabled(GraphQLCore.whereItIsNot) { try await GraphQLCore.isThere.value }) struct GraphQLCoreTests {
    @Test func printedDocumentsAreAcceptedWithTheSameTreeAndTexts() async throws {
        let documents = try Generator<GraphQLDocument>.document.samples(120, seed: 2)
        try await compare(documents.map { try Self.printed($0) })
    }

    @Test func handwrittenTextsAreReadTheSame() async throws {
        try await compare(Generator<String>.source.samples(120, seed: 3).map(Self.read))
    }

    @Test func brokenTextsAreRefusedAtTheSamePlaces() async throws {
        try await compare(Generator<String>.brokenSource.samples(300, seed: 4).map(Self.read))
    }

    private func compare(_ cases: [JSONValue]) async throws {
        let (status, text) = try await GraphQLCore.check(cases)
        #expect(status == 0, "\(text)")
    }

    private static func printed(_ document: GraphQLDocument) throws -> JSONValue {
        let pretty = try document.pretty()
        return [
            "source": JSONValue(.string(pretty)), "tree": Tree.of(document), "pretty": JSONValue(.string(pretty)),
            "compact": JSONValue(.string(try document.compact())),
        ]
    }

    private static func read(_ source: String) throws -> JSONValue {
        let text = JSONValue(.string(source))
        do throws(GraphQLSyntaxError) {
            let document = try GraphQLDocument(parsing: source)
            return [
                "source": text, "tree": Tree.of(document), "pretty": JSONValue(.string(try document.pretty())),
                "compact": JSONValue(.string(try GraphQLDocument.minified(source))),
            ]
        } catch {
            let place = try #require(error.location)
            return [
                "source": text, "message": JSONValue(.string(error.message)),
                "place": [JSONValue(.number(JSONNumber(place.line))), JSONValue(.number(JSONNumber(place.column)))],
            ]
        }
    }
}

/// The script in the folder graphqlcore, run by a Python that has the package.
enum GraphQLCore {
    /// The Python named by CI, where a missing package is a failure.
    private static let named = ProcessInfo.processInfo.environment["WHARF_PYTHON"]

    static let whereItIsNot: Comment = """
        graphql-core is not there: export WHARF_PYTHON=$(scripts/python-peers), or have one of at least 3.3.2 in python3
        """

    static let isThere = Task {
        if named != nil { return true }
        let program = "import graphql, sys; sys.exit(graphql.version_info < (3, 3, 2))"
        return try await RunningProgram.output(of: ["python3", "-c", program]).status == 0
    }

    static func check(_ cases: [JSONValue]) async throws -> (status: Int32, text: String) {
        let text = try JSON.encode(JSONValue(.array(cases)))
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../graphqlcore/check.py")
        return try await TemporaryFolder.run { folder in
            try Data(text).write(to: URL(filePath: folder["cases"]))
            return try await RunningProgram.output(
                of: [named ?? "python3", "-B", script.standardizedFileURL.path, folder["cases"]])
        }
    }
}
