import Testing
import WharfPrimitives
import WharfRandom

@Suite struct HexadecimalTests {
    @Test func everyByteIsWrittenAndReadInBothCases() {
        for byte in UInt8.min...UInt8.max {
            for isUppercase in [true, false] {
                let text = Hexadecimal.text([byte], isUppercase: isUppercase)
                #expect(text.utf8.count == 2 && UInt8(text, radix: 16) == byte)
                #expect((isUppercase ? text.uppercased() : text.lowercased()) == text)
                #expect(Hexadecimal.byte(text.utf8) == byte && Hexadecimal.bytes(text.utf8) == [byte])
            }
        }
    }

    @Test func onlyHexDigitsHaveValues() {
        let digits = (UInt8.min...UInt8.max).filter { Hexadecimal.value(of: $0) != nil }
        #expect(digits == "0123456789abcdefABCDEF".utf8.sorted())
    }

    @Test(arguments: ["0", "0g", "123", "+5", "0x"])
    func invalidTextGivesNoBytes(text: String) { #expect(Hexadecimal.bytes(text.utf8) == nil) }

    @Test func numbersHaveSixteenDigits() {
        #expect(Hexadecimal.text(0) == "0000000000000000" && Hexadecimal.text(.max) == "ffffffffffffffff")
        var random = SeededGenerator(seed: 1)
        for _ in 0..<100 {
            let number = random.next()
            let text = Hexadecimal.text(number)
            #expect(text.utf8.count == 16 && UInt64(text, radix: 16) == number)
        }
    }
}
