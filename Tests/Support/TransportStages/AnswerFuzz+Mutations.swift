import WharfChecks
import WharfCoreLaws

/// A valid answer with its mutations applied.
struct MutatedAnswer: Sendable, CustomStringConvertible {
    let seed: String
    let bytes: [UInt8]
    let mutations: [Mutation]
    var pieces = 1

    /// The bytes in pieces of equal size, followed by the end of the connection.
    var wire: TransportLaws.Wire {
        let size = max(1, (bytes.count + pieces - 1) / pieces)
        let starts = stride(from: 0, to: bytes.count, by: size)
        return TransportLaws.Wire(starts.map { Array(bytes[$0..<min($0 + size, bytes.count)]) }, end: .close)
    }

    var description: String {
        let done = mutations.map(\.description).joined(separator: ", ")
        return "\(seed) with [\(done)] in \(pieces) pieces: \(Self.shown(bytes))"
    }

    /// The bytes as a Swift literal, so that a failure can become a test.
    static func shown(_ bytes: [UInt8]) -> String {
        let text = bytes.map { byte -> String in
            switch byte {
            case 0x0D: "\\r"
            case 0x0A: "\\n"
            case 0x22, 0x5C: "\\\(UnicodeScalar(byte))"
            case 0x20...0x7E: String(UnicodeScalar(byte))
            default: "\\u{\(String(byte, radix: 16))}"
            }
        }
        return "\"\(text.joined())\""
    }
}

/// One mutation. Its numbers are drawn regardless of the length, and taken modulo.
enum Mutation: Sendable, CustomStringConvertible {
    case flip(at: Int, bit: Int)
    case cut(at: Int)
    case remove(at: Int, count: Int)
    case repeats(at: Int, count: Int)
    case move(from: Int, count: Int, to: Int)
    case insert(at: Int, [UInt8])
    case removeLine(Int)
    case repeatLine(Int, at: Int)
    case swapLines(Int, Int)

    var description: String {
        switch self {
        case .flip(let place, let bit): "flip \(bit) at \(place)"
        case .cut(let place): "cut at \(place)"
        case .remove(let place, let count): "remove \(count) at \(place)"
        case .repeats(let place, let count): "repeat \(count) at \(place)"
        case .move(let from, let count, let to): "move \(count) from \(from) to \(to)"
        case .insert(let place, let bytes): "insert \(MutatedAnswer.shown(bytes)) at \(place)"
        case .removeLine(let line): "remove line \(line)"
        case .repeatLine(let line, let place): "repeat line \(line) at line \(place)"
        case .swapLines(let one, let other): "swap lines \(one) and \(other)"
        }
    }

    func apply(to bytes: [UInt8]) -> [UInt8] {
        guard !bytes.isEmpty else { return bytes }
        func place(_ number: Int) -> Int { number % bytes.count }
        func range(_ start: Int, _ count: Int) -> Range<Int> {
            place(start)..<min(bytes.count, place(start) + 1 + count % 16)
        }
        var changed = bytes
        switch self {
        case .flip(let number, let bit): changed[place(number)] ^= 1 << UInt8(bit % 8)
        case .cut(let number): changed.removeSubrange(place(number)...)
        case .remove(let start, let count): changed.removeSubrange(range(start, count))
        case .repeats(let start, let count):
            changed.insert(contentsOf: bytes[range(start, count)], at: range(start, count).upperBound)
        case .move(let start, let count, let target):
            changed.removeSubrange(range(start, count))
            changed.insert(contentsOf: bytes[range(start, count)], at: target % (changed.count + 1))
        case .insert(let number, let new): changed.insert(contentsOf: new, at: place(number))
        case .removeLine, .repeatLine, .swapLines: changed = applyToLines(of: bytes)
        }
        return changed
    }

    private func applyToLines(of bytes: [UInt8]) -> [UInt8] {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        switch self {
        case .removeLine(let line): lines.remove(at: line % lines.count)
        case .repeatLine(let line, let place): lines.insert(lines[line % lines.count], at: place % lines.count)
        case .swapLines(let one, let other): lines.swapAt(one % lines.count, other % lines.count)
        default: return bytes
        }
        return Array(lines.joined(separator: [0x0A]))
    }
}

extension Generator where Value == MutatedAnswer {
    static var mutatedAnswer: Generator<MutatedAnswer> {
        Generator { choices in
            let seed = try choices.draw(.element(of: Array(MutatedAnswer.seeds.indices)))
            let mutations = try choices.draw(.array(of: .mutation, count: 1...4))
            let (name, bytes) = MutatedAnswer.seeds[seed]
            return MutatedAnswer(
                seed: name, bytes: mutations.reduce(bytes) { $1.apply(to: $0) }, mutations: mutations,
                pieces: try choices.draw(.int(in: 1...4)))
        }
    }
}

extension Generator where Value == Mutation {
    fileprivate static var mutation: Generator<Mutation> {
        .oneOf(
            Generator { try .flip(at: place(&$0), bit: $0.draw(.int(in: 0...7))) },
            Generator { try .cut(at: place(&$0)) },
            Generator { try .remove(at: place(&$0), count: $0.draw(.int(in: 0...15))) },
            Generator { try .repeats(at: place(&$0), count: $0.draw(.int(in: 0...15))) },
            Generator { try .move(from: place(&$0), count: $0.draw(.int(in: 0...15)), to: place(&$0)) },
            Generator { try .insert(at: place(&$0), $0.draw(.element(of: tokens))) },
            Generator { try .removeLine(line(&$0)) },
            Generator { try .repeatLine(line(&$0), at: line(&$0)) },
            Generator { try .swapLines(line(&$0), line(&$0)) })
    }

    private static func place(_ choices: inout Choices) throws -> Int { try choices.draw(.int(in: 0...399)) }
    private static func line(_ choices: inout Choices) throws -> Int { try choices.draw(.int(in: 0...15)) }

    /// The tokens on which parsers branch.
    private static let tokens: [[UInt8]] =
        [
            "\r\n", "\n", "\r", "\r\n\r\n", "\u{0}", " ", "\t", ":", ";", ",", "-", "+", "0x", "0", "9", "f", "\"",
            "0\r\n\r\n", "0\r\n", "ffffffffffffffff\r\n", "99999999999999999999", "18446744073709551616",
            "Content-Length: 3\r\n", "Content-Length: 4\r\n", "Content-Length:\r\n", "Content-Length: -1\r\n",
            "Content-Length: 3, 4\r\n", "Content-Length : 3\r\n", "Transfer-Encoding: chunked\r\n",
            "Transfer-Encoding: identity\r\n", "Transfer-Encoding: gzip, chunked\r\n", "Transfer-Encoding: x\r\n",
            "Content-Encoding: gzip\r\n", "Content-Encoding: identity\r\n", "Content-Encoding: gzip, gzip\r\n",
            "Connection: close\r\n", "Connection: keep-alive\r\n", "Connection: upgrade\r\nUpgrade: h2c\r\n",
            "HTTP/1.1 200 OK\r\n", "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 204 No Content\r\n\r\n",
            "HTTP/1.1 101 Switching Protocols\r\n\r\n", "HTTP/1.0 ", "HTTP/2 200\r\n", " folded\r\n",
            "Trailer: X-Law\r\n", "Set-Cookie: a=b\r\n",
        ].map { Array($0.utf8) } + [[0x80], [0xFF], [0xE2, 0x82, 0xAC], [UInt8](repeating: 0x61, count: 70_000)]
}
