import Testing
import WharfJSON

@Suite struct DepthTests {
    enum Shape: CaseIterable { case arrays, objects, both }

    private func document(_ shape: Shape, _ depth: Int) -> [UInt8] {
        switch shape {
        case .arrays: nested(depth, "[", "]", inmost: "")
        case .objects: nested(depth, #"{"a":"#, "}", inmost: "1")
        case .both:
            nested(depth / 2, #"[{"b":"#, "}]", inmost: depth % 2 == 0 ? "null" : "[1]")
        }
    }

    private func nested(_ count: Int, _ open: String, _ close: String, inmost: String) -> [UInt8] {
        Array((String(repeating: open, count: count) + inmost + String(repeating: close, count: count)).utf8)
    }

    @Test(arguments: Shape.allCases, Way.allCases) func nestingAtTheLimitIsReadAndOneLevelMoreFails(
        _ shape: Shape, _ way: Way
    ) throws {
        #expect(way.breach(document(shape, 512)) == nil)
        let issue = try #require(way.breach(document(shape, 513)))
        #expect(issue.code == .tooDeep)
        #expect(issue.path.steps.count == (way == .beside ? 513 : 512))
        #expect(issue.expected == "at most \(way == .beside ? 513 : 512) levels of arrays and objects")
        if shape == .arrays { #expect(issue.location.offset == 512 + (way == .beside ? 11 : 0)) }
    }

    @Test(arguments: Shape.allCases, [1, 2, 63, 64, 65, 127, 128, 129, 200, 511])
    func allBracketsAreCheckedBelowTheDepthLimit(_ shape: Shape, _ depth: Int) {
        let document = document(shape, depth)
        for way in Way.allCases {
            #expect(way.breach(document) == nil)
            // A single bracket of the other kind in the closing half is a syntax error.
            for back in [1, depth / 2 + 1, depth] where back <= depth {
                var broken = document
                let place = document.count - back
                guard let other = [0x5D: 0x7D, 0x7D: 0x5D][document[place]] as UInt8? else { continue }
                broken[place] = other
                #expect(way.breach(broken) != nil)
            }
        }
    }

    @Test(arguments: Shape.allCases, Way.allCases) func aHundredThousandLevelsAreAnErrorAndNoCrash(
        _ shape: Shape, _ way: Way
    ) {
        #expect(way.breach(document(shape, 100_000))?.code == .tooDeep)
    }

    @Test(arguments: Way.allCases) func theLimitCanBeChosen(_ way: Way) {
        let one = JSONReadingOptions(maximumDepth: 1)
        #expect(way.breach(Array("[1]".utf8), options: one) == nil)
        #expect(way.breach(Array("[[]]".utf8), options: one)?.code == .tooDeep)
        #expect(way.breach(Array("[[],[]]".utf8), options: one)?.location.column == (way == .beside ? 13 : 2))
    }

    @Test func theLimitIsAtLeastOneLevel() {
        var options = JSONReadingOptions(maximumDepth: -5)
        #expect(options.maximumDepth == 1)
        options.maximumDepth = 0
        #expect(options.maximumDepth == 1)
    }

    @Test func levelsThatAreClosedDoNotCount() {
        let document = "[" + Array(repeating: #"[{"a":[]}]"#, count: 2000).joined(separator: ",") + "]"
        let four = JSONReadingOptions(maximumDepth: 4)
        for way in Way.allCases { #expect(way.breach(Array(document.utf8), options: four) == nil) }
    }
}
