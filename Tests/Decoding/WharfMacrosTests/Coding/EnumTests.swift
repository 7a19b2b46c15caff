import Testing
import WharfChecks
import WharfJSON

@Suite struct EnumTests {
    @Test func rawValuesRoundTripAsJSON() throws {
        try roundTrip(#"["hearts","SPADES","café"]"#, [Suit.hearts, .spades, .accented])
        try roundTrip("[1,2]", [Level.low, .high])
        try roundTrip(#"["one"]"#, [Visible.one])
    }

    @Test(arguments: [#"["\u0068earts"]"#, #"["h\u0065arts"]"#])
    func escapesInACaseAreUnderstood(text: String) throws {
        #expect(try JSON.decode([Suit].self, from: text) == [.hearts])
        #expect(try JSON.decode([Color].self, from: #"["\u0072ed","dark\u002dblue"]"#) == [.red, .blue])
    }

    @Test func unknownTextIsReportedWithTheKnownCases() throws {
        #expect(issues(#"["hearts","clubs",1]"#, as: [Suit].self) == ["unknownCase [1] 1:11", "typeMismatch [2] 1:19"])
        #expect(issues("[1,3]", as: [Level].self) == ["unknownCase [1] 1:4"])
        #expect(issues(#"["up"]"#, as: [Direction].self) == ["unknownCase [0] 1:2"])
        let error = #expect(throws: JSONError.self) { try JSON.decode(Direction.self, from: #""up""#) }
        #expect(error?.issues.first?.expected == #"one of "north", "south""#)
    }

    @Test func theUnknownCaseStandsForEverythingElse() throws {
        try roundTrip(#"["open","dunno"]"#, [Status.open, .other], as: #"["open","other"]"#)
        try roundTrip("[200,404]", [Code.fine, .other], as: "[200,-1]")
        try roundTrip(#"["north","up"]"#, [Wind.north, .elsewhere], as: #"["north","elsewhere"]"#)
        #expect(issues("[1]", as: [Status].self) == ["typeMismatch [0] 1:2"])
    }

    @Test func anUnknownTextIsKept() throws {
        try roundTrip(
            #"["red","dark-blue","default","p\nink","unknown"]"#,
            [Color.red, .blue, .default, .unknown("p\nink"), .unknown("unknown")])
    }
}
