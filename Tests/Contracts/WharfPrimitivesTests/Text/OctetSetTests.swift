import Testing
import WharfPrimitives
import WharfRandom

@Suite struct OctetSetTests {
    private static func octets(_ set: OctetSet) -> [UInt8] { (UInt8.min...UInt8.max).filter(set.contains) }

    @Test func namedSetsHaveTheCharactersOfTheirGrammar() {
        let rows: [(OctetSet, String)] = [
            (.digits, "0123456789"), (.hexDigits, "0123456789ABCDEFabcdef"),
            (.subDelimiters, "!$&'()*+,;="), (.generalDelimiters, "#/:?@[]"),
            (.unreserved.subtracting(.alphanumerics), "-._~"), (.scheme.subtracting(.alphanumerics), "+-."),
            (.hostName.subtracting(.alphanumerics), "-._"), (.ipv6Address.subtracting(.hexDigits), ".:"),
            (.pathSegment.subtracting(.unreserved), "!$&'()*+,:;=@"), (.path.subtracting(.pathSegment), "/"),
            (.query.subtracting(.path), "?"), (.token.subtracting(.alphanumerics), "!#$%&'*+-.^_`|~"),
        ]
        for (set, text) in rows { #expect(Self.octets(set) == text.utf8.sorted()) }
        #expect(Self.octets(.letters).count == 52 && Self.octets(.alphanumerics).count == 62)
    }

    @Test func uriSetHasAllASCIIThatTheGrammarAllows() {
        let excluded = Set("%\"<>\\^`{|}".utf8)
        #expect(Self.octets(.uri) == (0x21...0x7E).filter { !excluded.contains($0) })
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func octetSetAgreesWithASet(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func draw() -> Set<UInt8> {
            Set((0..<Int.random(in: 0...200, using: &random)).map { _ in .random(in: 0...255, using: &random) })
        }
        let (a, b) = (draw(), draw())
        #expect(Self.octets(OctetSet(a)) == a.sorted())
        #expect(Self.octets(OctetSet(a).union(OctetSet(b))) == a.union(b).sorted())
        #expect(Self.octets(OctetSet(a).subtracting(OctetSet(b))) == a.subtracting(b).sorted())
        #expect(Self.octets(OctetSet(a).complement) == Set(UInt8.min...UInt8.max).subtracting(a).sorted())
    }
}
