import Testing
import WharfRandom

@testable import WharfCore

/// Differences of nested members, and of lists whose elements have ids.
@Suite struct PartChangeTests {
    private typealias Part = CodecMembers.Part

    private static func list(_ elements: KeyValuePairs<String, String>) -> Part {
        .list(elements.map { id, text in .init(Array(id.utf8), .object([.init("text", Array(text.utf8))])) })
    }

    private static func ids(_ part: Part?) -> String {
        guard case .list(let elements)? = part else { return "no list" }
        return elements.map { String(decoding: $0.id, as: UTF8.self) }.joined()
    }

    private static func merged(_ base: Part, _ mine: Part, _ theirs: Part) -> Part? {
        guard let edit = PartChange(from: base, to: mine), let other = PartChange(from: base, to: theirs) else {
            return nil
        }
        return edit.isIndependent(of: other) ? edit.applied(to: theirs) : nil
    }

    @Test func editsOfDifferentElementsAreMerged() {
        let base = Self.list(["a": "1", "b": "1", "c": "1"])
        let mine = Self.list(["a": "2", "b": "1", "c": "1", "d": "1"])
        let theirs = Self.list(["x": "1", "a": "1", "c": "1"])
        #expect(Self.merged(base, mine, theirs) == Self.list(["x": "1", "a": "2", "c": "1", "d": "1"]))
    }

    @Test func additionsAtOnePlaceAreBothKept() {
        let base = Self.list(["a": "1"])
        let merged = Self.merged(base, Self.list(["a": "1", "b": "1"]), Self.list(["a": "1", "c": "1"]))
        #expect(merged == Self.list(["a": "1", "b": "1", "c": "1"]))
    }

    @Test func anEditOfARemovedElementIsAConflict() {
        let base = Self.list(["a": "1", "b": "1"])
        #expect(Self.merged(base, Self.list(["a": "2", "b": "1"]), Self.list(["b": "1"])) == nil)
        #expect(Self.merged(base, Self.list(["b": "1"]), Self.list(["a": "2", "b": "1"])) == nil)
    }

    @Test func twoEditsOfOneElementMergeByMember() {
        func element(_ text: String, _ state: String) -> Part {
            .list([.init([1], .object([.init("state", Array(state.utf8)), .init("text", Array(text.utf8))]))])
        }
        let base = element("1", "1")
        #expect(Self.merged(base, element("2", "1"), element("1", "2")) == element("2", "2"))
        #expect(Self.merged(base, element("2", "1"), element("3", "1")) == nil)
    }

    @Test func anElementAddedTwiceIsAConflictUnlessItIsTheSame() {
        let base = Self.list([:])
        #expect(Self.merged(base, Self.list(["a": "1"]), Self.list(["a": "2"])) == nil)
        #expect(Self.merged(base, Self.list(["a": "1"]), Self.list(["a": "1"])) == Self.list(["a": "1"]))
    }

    /// An earlier attempt has added the element, and the service has added a member to it.
    @Test func anElementAddedBeforeIsMergedWithTheServicesMembers() {
        let mine = Part.list([.init([1], .object([.init("text", [1])]))])
        let theirs = Part.list([.init([1], .object([.init("created", [2]), .init("text", [1])]))])
        #expect(Self.merged(Self.list([:]), mine, theirs) == theirs)
        #expect(Self.merged(Self.list([:]), theirs, mine) == theirs)
    }

    @Test func reorderingIsMergedWithEdits() {
        let base = Self.list(["a": "1", "b": "1", "c": "1"])
        let mine = Self.list(["c": "1", "a": "1", "b": "1"])
        let theirs = Self.list(["a": "1", "x": "1", "b": "2", "c": "1"])
        #expect(Self.merged(base, mine, theirs) == Self.list(["c": "1", "a": "1", "x": "1", "b": "2"]))
        #expect(Self.merged(base, theirs, mine).map(Self.ids) == "caxb")
        #expect(Self.merged(base, mine, Self.list(["b": "1", "a": "1", "c": "1"])) == nil)
    }

    @Test func changeOfMissingPartAddsTheWhole() {
        let base = Self.list(["a": "1", "b": "1"])
        let mine = Self.list(["a": "2", "b": "1"])
        let edit = PartChange(from: base, to: mine)
        #expect(edit?.applied(to: .value([])) == mine)
        #expect(edit?.applied(to: nil) == mine)
        let text = Part.object([.init("text", Array("2".utf8))])
        #expect(edit?.applied(to: Self.list(["b": "1"])) == .list([.init([UInt8(ascii: "a")], text)] + Self.b))
    }

    private static let b: [CodecMembers.Element] = [
        .init([UInt8(ascii: "b")], .object([.init("text", [UInt8(ascii: "1")])]))
    ]

    @Test func changeAppliedToItsBaseGivesItsTarget() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<2000 {
            let (before, after) = (Self.part(3, &random), Self.part(3, &random))
            #expect((PartChange(from: before, to: after)?.applied(to: before) ?? before) == after)
        }
    }

    @Test func independentChangesCommute() {
        var random = SeededGenerator(seed: 6)
        var merged = 0
        for _ in 0..<4000 {
            let base = Self.part(3, &random)
            let (one, other) = (Self.edited(base, &random), Self.edited(base, &random))
            guard let mine = PartChange(from: base, to: one), let theirs = PartChange(from: base, to: other) else {
                continue
            }
            #expect(mine.isIndependent(of: theirs) == theirs.isIndependent(of: mine))
            guard mine.isIndependent(of: theirs) else { continue }
            merged += 1
            let both = mine.applied(to: other)
            #expect(Self.unordered(both) == Self.unordered(theirs.applied(to: one)))
            // The merge contains both changes: applying either one again has no effect.
            #expect(both.map { Self.unordered(mine.applied(to: $0)) == Self.unordered($0) } ?? true)
            #expect(both.map { Self.unordered(theirs.applied(to: $0)) == Self.unordered($0) } ?? true)
        }
        #expect(merged > 400)
    }

    private static func part(_ depth: Int, _ random: inout SeededGenerator) -> Part {
        let count = Int.random(in: 0...4, using: &random)
        switch Int.random(in: 0..<(depth > 0 ? 4 : 1), using: &random) {
        case 0: return .value([UInt8.random(in: 0...3, using: &random)])
        case 1:
            let names = ["a", "b", "c", "d", "e"].shuffled(using: &random).prefix(count).sorted()
            return .object(names.map { .init($0, part(depth - 1, &random)) })
        default:
            let ids = (0..<5).shuffled(using: &random).prefix(count)
            return .list(ids.map { .init([UInt8($0)], part(depth - 1, &random)) })
        }
    }

    private static func edited(_ part: Part, _ random: inout SeededGenerator) -> Part {
        switch part {
        case .value: return Int.random(in: 0...3, using: &random) == 0 ? Self.part(1, &random) : part
        case .object(let members):
            return .object(
                members.compactMap { member in
                    Int.random(in: 0...9, using: &random) == 0 ? nil : .init(member.name, edited(member.part, &random))
                })
        case .list(let elements):
            var edited = elements.compactMap { element -> CodecMembers.Element? in
                Int.random(in: 0...9, using: &random) == 0 ? nil : .init(element.id, Self.edited(element.part, &random))
            }
            if Int.random(in: 0...2, using: &random) == 0 {
                let place = Int.random(in: 0...edited.count, using: &random)
                edited.insert(.init([UInt8.random(in: 5...9, using: &random)], Self.part(1, &random)), at: place)
            }
            if Int.random(in: 0...5, using: &random) == 0 { edited.shuffle(using: &random) }
            return .list(edited)
        }
    }

    /// The same value with the elements of each list in a canonical order.
    private static func unordered(_ part: Part?) -> Part? {
        switch part {
        case .object(let members)?:
            .object(members.map { member in .init(member.name, unordered(member.part) ?? member.part) })
        case .list(let elements)?:
            .list(
                elements.map { element in .init(element.id, unordered(element.part) ?? element.part) }
                    .sorted { $0.id.lexicographicallyPrecedes($1.id) })
        default: part
        }
    }
}
