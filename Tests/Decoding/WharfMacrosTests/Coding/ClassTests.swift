import Testing
import WharfChecks
import WharfJSON

@Suite struct ClassTests {
    @Test func aRecursiveClassIsReadAndWritten() throws {
        let text = #"{"name":"a","children":[{"name":"b","children":[]},{"name":"c","children":[],"parentName":"a"}]}"#
        let node = try JSON.decode(Node.self, from: text)
        #expect(node.children.map(\.name) == ["b", "c"] && node.children[1].parentName == "a")
        #expect(try JSON.text(node) == text)
        #expect(
            issues(#"{"name":"a","children":[{"name":1}]}"#, as: Node.self).sorted() == [
                "missingKey children[0].children 1:25", "typeMismatch children[0].name 1:33",
            ])
    }

    @Test func aClassWithDefaultsKeepsItsInitialiser() throws {
        #expect(try JSON.text(Settings()) == #"{"volume":7}"#)
        #expect(try JSON.decode(Settings.self, from: #"{"language":"de"}"#).language == "de")
    }

    @Test func aGenericClassHoldsItself() throws {
        let text = #"{"item":1,"inner":{"item":2}}"#
        let box = try JSON.decode(Box<Int>.self, from: text)
        #expect(box.item == 1 && box.inner?.item == 2)
        #expect(try JSON.text(box) == text)
    }

    @Test func genericStructIsDecodableOnlyIfItsParameterIs() throws {
        let text = #"{"items":[1,2],"next":"/2","index":{"a":3}}"#
        let page = try JSON.decode(Page<Int>.self, from: text)
        #expect(page.items == [1, 2] && page.next == "/2")
        #expect(try JSON.text(page) == text)
        let unreadable: Any.Type = Page<ClassTests>.self
        #expect(!(unreadable is any JSONDecodable.Type))
    }

    @Test func genericKeyAndMemberTypesAreRead() throws {
        struct Owner: Identifiable { let id: String }
        let text = #"{"values":{"7":1},"owner":"o"}"#
        let lookup = try JSON.decode(Lookup<Int, Owner>.self, from: text)
        #expect(lookup.values == [7: 1] && lookup.owner == "o")
        #expect(try JSON.text(lookup) == text)
    }
}
