import Testing
import WharfGenerate
import WharfJSON

/// The files generated beside the types.
struct PartsTests {
    private func files(
        _ text: String, named name: String, _ options: (inout GenerationOptions) -> Void
    ) throws -> [String: String] {
        var made = GenerationOptions()
        options(&made)
        let files = try Generator.files(for: [JSON.decode(JSONValue.self, from: text)], named: name, made)
        return Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0.text) })
    }

    @Test func domainIsFreeOfCodableAndHasTheGivenName() throws {
        let files = try files(#"{"id": 1, "parts": [{"type": "a", "x": 1}, {"type": "b", "y": 2}]}"#, named: "Page") {
            $0.hasDomain = true
        }
        #expect(files.keys.sorted() == ["Page.swift", "PagePayload.swift"])
        let domain = try #require(files["Page.swift"])
        #expect(domain.contains("struct Page: Identifiable, Hashable, Sendable {"))
        #expect(domain.contains("self.init(id: payload.id, parts: payload.parts.map { Part($0) })"))
        #expect(domain.contains("case .a(let value): self = .a(APayload(value))"))
        #expect(!domain.contains("Codable"))
    }

    @Test(arguments: [#"{"id": "a", "x": 1}"#, #"{"id": 1}"#, #"{"id": "7f3b6c1e-90a1-4b7a-a1a2-0123456789ab"}"#])
    func modelWithAnIDIsIdentifiable(sample: String) throws {
        let files = try files(sample, named: "Blog post") { $0.hasRepository = true }
        #expect(try #require(files["BlogPost.swift"]).contains("struct BlogPost: Identifiable, "))
        let repository = try #require(files["WharfStack+BlogPost.swift"])
        #expect(
            repository.contains("func blogPosts(at path: RequestPath = \"blog-posts\") -> Repository<BlogPost> {")
        )
        #expect(repository.contains("repository(at: path, payload: BlogPostPayload.self) {"))
    }

    @Test(arguments: [#"{"id": 1.5}"#, #"{"id": null}"#, #"{"ident": 1}"#, "[1]", "{}", #"{"a": {"id": 1}}"#])
    func repositoryWithoutAnIDIsRefused(sample: String) {
        #expect(throws: GenerationError.self) { try files(sample, named: "Post") { $0.hasRepository = true } }
    }

    @Test func generatedTestHasTheReencodedSamples() throws {
        let files = try files(
            ##"[{"a": null, "b": "\"#"}, {"b": "x", "c": null}, {"a": 1, "b": "", "c": null}]"##, named: "Rows"
        ) {
            $0.hasTests = true
        }
        let test = try #require(files["RowsTests.swift"])
        // `a` and `c` are null in one place and absent in another.
        #expect(test.contains("        ##\"[{\"b\":\"\\\"#\"},{\"b\":\"x\"},{\"a\":1,\"b\":\"\"}]\"##,\n"))
        #expect(test.contains("let value = try JSONDecoder().decode(Rows.self, from: Data(sample.utf8))"))
    }

    @Test func directTestsNeedNoDecoder() throws {
        let files = try files(#"{"id": 1}"#, named: "Row") { ($0.form, $0.hasTests) = (.direct, true) }
        #expect(try #require(files["RowTests.swift"]).contains("let value = try JSON.decode(Row.self, from: sample)"))
    }
}
