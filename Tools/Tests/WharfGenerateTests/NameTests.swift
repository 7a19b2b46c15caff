import Testing
import WharfJSON

@testable import WharfGenerate

struct NameTests {
    private func source(_ sample: String, named name: String) throws -> String {
        let value: JSONValue = try JSON.decode(from: Array(sample.utf8))
        return try Generator.files(for: [value], named: name)[0].text
    }

    @Test(arguments: [
        ("CMSPage", "CMSPage"), ("RC", "RC"), ("XMLHTTPRequest", "XMLHTTPRequest"), ("blog post", "BlogPost"),
        ("feed_page", "FeedPage"), ("Citm_catalog", "CitmCatalog"),
    ])
    func givenNameBecomesATypeName(_ name: String, _ type: String) throws {
        #expect(try source(#"{"id": 1}"#, named: name).contains("struct \(type): "))
        #expect(try source("[1]", named: name).contains("typealias \(type) = "))
    }

    @Test(arguments: [
        ("videoURLs", "videoURLs"), ("userIDs", "userIDs"), ("PDFs", "pdfs"), ("IDsOfUsers", "idsOfUsers"),
    ])
    func pluralAcronymIsOneWord(_ key: String, _ property: String) throws {
        let source = try source(#"{"\#(key)": "a"}"#, named: "Page")
        #expect(source.contains("let \(property): "), "\(source)")
    }
}
