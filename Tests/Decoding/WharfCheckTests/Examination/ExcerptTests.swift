import Testing
import WharfCheck

/// Excerpts show the document's text unchanged.
@Suite struct ExcerptTests {
    struct Post: Decodable { let id: Int }
    struct Feed: Decodable { let posts: [Post] }

    private func findings(_ json: String, strict: Bool = false) -> [Finding] {
        PayloadCheck(Feed.self).findings(in: Array(json.utf8), options: CheckOptions(isStrict: strict))
    }

    @Test(arguments: [
        #"{"posts":[{"id":"x",},],}"#, #"{"posts":[{"é":[0,],"id":"x",},],"b":[[1,],],}"#,
        "{\"posts\":[{\"id\":\n\"x\",},],}",
    ])
    func excerptKeepsTrailingCommas(_ json: String) {
        for strict in [false, true] {
            let found = findings(json, strict: strict)
            #expect(!found.isEmpty)
            for finding in found {
                #expect(json.contains(finding.excerpt.text), "\(finding.excerpt.text)")
            }
        }
    }

    @Test func theCaretOfATrailingCommaPointsAtIt() {
        let commas = findings(#"{"posts":[{"é":"ü","id":1,},],}"#, strict: true)
        #expect(commas.map(\.kind) == [.trailingComma, .trailingComma, .trailingComma])
        for finding in commas { #expect(Array(finding.excerpt.text)[finding.excerpt.caret] == ",") }
    }

    @Test func onlyCommasWithinTheExcerptAreRestored() {
        let json = #"{"posts":[{"id":1,},{"id":""# + String(repeating: "é", count: 100) + #""},{"id":"x",},],}"#
        let found = findings(json)
        #expect(found.count == 2)
        for finding in found { #expect(json.contains(finding.excerpt.text)) }
        #expect(found.last?.excerpt.text.hasSuffix(#""id":"x",},],}"#) == true)
    }

    @Test func syntaxErrorExcerptKeepsEarlierTrailingCommas() {
        let json = #"{"posts":[{"id":1,},], "b": tru}"#
        #expect(findings(json).map(\.excerpt.text) == [json])
    }
}
