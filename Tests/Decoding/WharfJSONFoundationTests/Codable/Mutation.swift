import Foundation
import WharfRandom

/// Changes a document: it stays valid, gets a value of another kind, or breaks.
enum Mutation: String, CaseIterable, Sendable {
    case blanks, respelled, otherValue, longNumber, missingKey, repeatedKey, cut, changedByte, insertedByte, removedByte

    func apply(to text: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        let tokens = Token.all(in: text)
        guard !text.isEmpty, !tokens.isEmpty else { return text }
        var result = text
        switch self {
        case .blanks:
            for token in tokens.reversed() where random.chance(2) {
                result.insert(
                    contentsOf: random.pick([" ", "\n", "\t ", "\r\n", "          "]).utf8, at: token.range.lowerBound)
            }
        case .respelled:
            let token = random.pick(tokens)
            result.replaceSubrange(token.range, with: Self.respell(text[token.range], &random))
        case .otherValue:
            let values = tokens.filter { !$0.isKey }
            guard !values.isEmpty else { return text }
            let others = [
                "null", "true", "0", "-1", "1.5", "300", "70000", "3e2", "1e400", "-1e-400", "\"x\"", "\"\"", "{}",
                "[]", "[1]",
                "{\"a\":1}", "\"?\"", "9223372036854775808", "\"2020-02-30T00:00:00Z\"", "1.0",
                "12345678901234567890123",
            ]
            result.replaceSubrange(random.pick(values).range, with: Array(random.pick(others).utf8))
        case .longNumber:
            // Mostly at a location where a number is expected.
            let numbers = Token.numbers(in: text).map(\.range)
            let places = numbers.isEmpty ? tokens.filter { !$0.isKey }.map(\.range) : numbers
            guard !places.isEmpty else { return text }
            result.replaceSubrange(random.pick(places), with: Array(random.number().utf8))
        case .missingKey:
            let keys = tokens.filter(\.isKey)
            guard !keys.isEmpty else { return text }
            result.replaceSubrange(random.pick(keys).range, with: Array("\"other key\"".utf8))
        case .repeatedKey:
            let keys = tokens.filter(\.isKey)
            guard keys.count > 1 else { return text }
            result.replaceSubrange(random.pick(keys).range, with: Array(text[random.pick(keys).range]))
        case .cut: result.removeLast(1 + random.below(result.count))
        case .changedByte: result[random.below(result.count)] = Self.byte(&random)
        case .insertedByte: result.insert(Self.byte(&random), at: random.below(result.count + 1))
        case .removedByte: result.remove(at: random.below(result.count))
        }
        return result
    }

    private static func byte(_ random: inout SeededGenerator) -> UInt8 {
        random.chance(3) ? UInt8(random.below(256)) : random.pick(Array("{}[],:\"\\0123456789.eE+-tfn u/".utf8))
    }

    /// Writes the same value with other characters.
    private static func respell(_ token: ArraySlice<UInt8>, _ random: inout SeededGenerator) -> [UInt8] {
        guard token.first == 0x22, let index = token.dropFirst().dropLast().indices.randomElement(using: &random),
            0x23...0x5B ~= token[index], token[index - 1] != 0x5C, !token.contains(0x5C)
        else {
            if let first = token.first, 0x31...0x39 ~= first, token.allSatisfy({ 0x30...0x39 ~= $0 }) {
                return Array(token) + Array(random.pick([".0", "e0", "E+0", ".000e-0"]).utf8)
            }
            return Array(token)
        }
        let hex = String(token[index], radix: 16)
        return Array(token[..<index]) + Array("\\u00\(hex)".utf8) + Array(token[(index + 1)...])
    }
}

/// A scalar, key or empty container in a valid document.
struct Token {
    let range: Range<Int>
    let isKey: Bool

    static func all(in text: [UInt8]) -> [Token] {
        var tokens: [Token] = []
        var index = 0
        while index < text.count {
            let start = index
            switch text[index] {
            case 0x22:
                index += 1
                while index < text.count, text[index] != 0x22 { index += text[index] == 0x5C ? 2 : 1 }
                index = min(index + 1, text.count)
                tokens.append(Token(range: start..<index, isKey: index < text.count && text[index] == 0x3A))
            case 0x2D, 0x30...0x39, 0x74, 0x66, 0x6E:
                while index < text.count, ![0x2C, 0x5D, 0x7D].contains(text[index]) { index += 1 }
                tokens.append(Token(range: start..<index, isKey: false))
            case 0x5B, 0x7B:
                index += 1
                guard index < text.count, [0x5D, 0x7D].contains(text[index]) else { continue }
                index += 1
                tokens.append(Token(range: start..<index, isKey: false))
            default: index += 1
            }
        }
        return tokens
    }
}
