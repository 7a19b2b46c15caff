import Foundation
import Testing
import WharfJSON
import WharfJSONFoundation

/// A `Decimal` that JSON can't represent.
@Suite struct NotANumberTests {
    @Test func decimalNaNIsAnEncodingErrorWithItsPath() throws {
        func path(_ value: some Encodable) throws -> [String] {
            let error = try #require(throws: EncodingError.self) { try CodableJSONEncoder().encode(value) as [UInt8] }
            guard case .invalidValue(let value, let context) = error else { return ["\(error)"] }
            #expect((value as? Decimal)?.isNaN == true)
            let cause = try #require(context.underlyingError as? JSONError)
            #expect(cause.code == .notEncodable)
            #expect(cause.path.steps.count == context.codingPath.count)
            return context.codingPath.map(\.stringValue)
        }
        #expect(try path([Decimal.nan]) == ["Index 0"])
        #expect(try path([1, Decimal.quietNaN]) == ["Index 1"])
        #expect(try path(["a": [Decimal?.none, .nan]]) == ["a", "Index 1"])
        #expect(try path(Decimal.nan) == [])
    }

    @Test func otherDecimalsAreWritten() throws {
        let bytes: [UInt8] = try CodableJSONEncoder().encode([Decimal(1) / 8, .zero, -2])
        #expect(String(decoding: bytes, as: UTF8.self) == "[0.125,0,-2]")
    }
}
