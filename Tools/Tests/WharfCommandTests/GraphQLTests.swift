import Testing

@testable import WharfCommand

@Suite struct GraphQLTests {
    private let session: Session

    init() throws { session = try Session() }

    private func file(_ name: String, _ text: String) throws -> String {
        try session.folder.write(text, to: name)
        return session.folder.path(name)
    }

    @Test func documentsAreFormattedInOrder() async throws {
        let path = try file("film.graphql", "query Film { # what\n film { title } }")
        let result = await session.run(["graphql", "format", path, "-"], "{ a }")
        #expect(result.status == .delivered)
        #expect(result.text == "query Film {\n  film {\n    title\n  }\n}\n\n{\n  a\n}\n")
        #expect(result.error.isEmpty)
    }

    @Test func aDocumentIsMinifiedFromStandardInput() async {
        let result = await session.run(["graphql", "minify"], "{ a(b: \"\\u0061\"), c }\n")
        #expect(result.text == "{a(b:\"\\u0061\")c}\n")
    }

    @Test func aCheckedDocumentIsNotPrinted() async {
        let result = await session.run(["graphql", "check"], "{ a }")
        #expect(result.status == .delivered)
        #expect(result.output.isEmpty)
        #expect(result.error.isEmpty)
    }

    @Test(arguments: ["format", "minify", "check"])
    func invalidDocumentsAreLocatedAndNothingIsPrinted(_ name: String) async throws {
        let (wrong, right) = (try file("wrong.graphql", "{\n  a(b: 01)\n}"), try file("right.graphql", "{ a }"))
        let result = await session.run(["graphql", name, wrong, right, "-"], "type A { b: C }")
        #expect(result.status == .payloadErrors)
        #expect(result.output.isEmpty)
        #expect(
            result.error == """
                \(wrong):2:9: expected a number without leading zeros, found "1" after 0
                standard input:1:1: expected an operation or a fragment, found "type", which belongs in a schema

                """)
    }

    @Test func unreadableFileIsReported() async throws {
        let wrong = try file("wrong.graphql", "{")
        let path = session.folder.path("nowhere.graphql")
        let result = await session.run(["graphql", "check", path, wrong])
        #expect(result.status == .inputNotRead)
        #expect(result.error.contains("wharf: '\(path)' could not be read: "), "\(result.error)")
        #expect(result.error.contains("\(wrong):1:2: expected a selection"), "\(result.error)")
    }

    @Test func invalidCommandLineIsRefused() async {
        let several = await session.run(["graphql", "check", "-", "-"])
        #expect(several.status == .usage)
        #expect(several.error.contains("expected - once"))
        let none = await session.run(["graphql"])
        #expect(none.status == .usage)
        #expect(none.error.contains("expected a subcommand of graphql"))
    }
}
