import Testing
import WharfCoreLaws

@testable import WharfCore

/// The effect of a change on encoded bytes.
@Suite struct OverlayTests {
    private let members = WriteLaws.Note.codec.members

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func shown(_ overlay: Overlay, over base: String?, _ members: CodecMembers? = nil) -> String? {
        overlay.applied(to: base.map { (bytes($0), 1) }, members).map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    @Test func overlayHasChangedMembersOnly() {
        let overlay = Overlay(from: bytes("a=1\nb=1"), to: bytes("a=2\nb=1"), schema: 1, members)
        #expect(shown(overlay, over: "a=1\nb=9", members) == "a=2\nb=9")
        #expect(shown(overlay, over: "b=9", members) == "b=9\na=2")
    }

    @Test func overlayRemovesAndAddsMembers() {
        let overlay = Overlay(from: bytes("a=1\nb=1"), to: bytes("b=1\nc=1"), schema: 1, members)
        #expect(shown(overlay, over: "a=1\nb=2\nd=3", members) == "b=2\nd=3\nc=1")
    }

    @Test func overlayWithoutMembersReplacesTheWhole() {
        let overlay = Overlay(from: bytes("a=1\nb=1"), to: bytes("a=2\nb=1"), schema: 1, nil)
        #expect(shown(overlay, over: "a=1\nb=9") == "a=2\nb=1")
        #expect(shown(overlay, over: nil) == "a=2\nb=1")
    }

    @Test func additionNeedsNoBaseButAnEditDoes() {
        #expect(shown(Overlay(from: nil, to: bytes("a=1"), schema: 1, members), over: nil, members) == "a=1")
        let edit = Overlay(from: bytes("a=1"), to: bytes("a=2"), schema: 1, members)
        #expect(shown(edit, over: nil, members) == nil)
    }

    @Test func aDeletionShowsNothing() {
        #expect(shown(.deletion, over: "a=1", members) == nil)
    }
}
