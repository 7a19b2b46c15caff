import Testing
import WharfChecks
import WharfJSON
import WharfMacros

/// Payloads that are `Codable` only.
@Suite struct PlainPayloadTests {
    struct Label: Hashable, Codable {
        let text: String
        var size: Int8?
    }

    @Test func codablePayloadsAreReadAndWrittenDirectly() throws {
        try roundTrip(#"[{"type":"label","value":{"text":"a","size":1}}]"#, [Drawing.label(Label(text: "a", size: 1))])
        try roundTrip(#"[{"type":"label","text":"a"}]"#, [Note.label(Label(text: "a"))])
        #expect(
            try JSON.decode(Drawing.self, from: #"{"value":{"text":"a"},"type":"label"}"#) == .label(Label(text: "a")))
    }

    @Test(arguments: [
        (#"[{"type":"label","value":{"size":1}}]"#, "missingKey [0].value.text 1:26"),
        (#"[{"type":"label","value":{"text":1}}]"#, "typeMismatch [0].value.text 1:34"),
        (#"[{"type":"label","value":{"text":"","size":300}}]"#, "outOfRange [0].value.size 1:44"),
    ])
    func codablePayloadErrorHasItsLocation(text: String, issue: String) {
        #expect(issues(text, as: [Drawing].self) == [issue])
    }
}

@Polymorphic(discriminator: "type", content: "value")
enum Drawing: Hashable { case label(PlainPayloadTests.Label) }

@Polymorphic(discriminator: "type")
enum Note: Hashable { case label(PlainPayloadTests.Label) }
