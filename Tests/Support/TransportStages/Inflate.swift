/// A gzip decoder (RFC 1952, RFC 1951) that shares no code with those under test. It is slow,
/// strict and small.
struct Inflate {
    struct Wrong: Error {}

    private let input: ArraySlice<UInt8>
    private var place: Int
    private var bitBuffer: UInt32 = 0
    private var bitCount = 0
    private var output: [UInt8] = []

    private init(_ input: ArraySlice<UInt8>) {
        self.input = input
        place = input.startIndex
    }

    /// Decodes all members. Returns nil if one is cut or damaged, or if other bytes follow.
    static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
        var rest = bytes[...]
        var all: [UInt8] = []
        repeat {
            guard let (member, after) = member(rest) else { return nil }
            all += member
            rest = after
        } while !rest.isEmpty
        return all
    }

    /// Returns the first member, and the bytes after it.
    static func member(_ bytes: ArraySlice<UInt8>) -> (plain: [UInt8], rest: ArraySlice<UInt8>)? {
        var decoder = Inflate(bytes)
        do {
            try decoder.header()
            try decoder.blocks()
            let checksum = try decoder.little(4)
            let size = try decoder.little(4)
            guard checksum == CRC32.of(decoder.output), size == UInt32(truncatingIfNeeded: decoder.output.count) else {
                return nil
            }
            return (decoder.output, bytes[decoder.place...])
        } catch {
            return nil
        }
    }

    private mutating func byte() throws(Wrong) -> UInt8 {
        guard place < input.endIndex else { throw Wrong() }
        defer { place += 1 }
        return input[place]
    }

    private mutating func little(_ count: Int) throws(Wrong) -> UInt32 {
        var value: UInt32 = 0
        for index in 0..<count { value |= UInt32(try byte()) << UInt32(8 * index) }
        return value
    }

    private mutating func header() throws(Wrong) {
        guard try byte() == 0x1F, try byte() == 0x8B, try byte() == 8 else { throw Wrong() }
        let flags = try byte()
        guard flags & 0xE0 == 0 else { throw Wrong() }
        _ = try little(4)
        _ = try little(2)
        if flags & 4 != 0 { for _ in 0..<(try little(2)) { _ = try byte() } }
        if flags & 8 != 0 { while try byte() != 0 {} }
        if flags & 16 != 0 { while try byte() != 0 {} }
        if flags & 2 != 0 {
            let checksum = CRC32.of(Array(input[input.startIndex..<place])) & 0xFFFF
            guard try little(2) == checksum else { throw Wrong() }
        }
    }

    private mutating func bits(_ count: Int) throws(Wrong) -> Int {
        while bitCount < count {
            bitBuffer |= UInt32(try byte()) << UInt32(bitCount)
            bitCount += 8
        }
        let value = bitBuffer & ((1 << UInt32(count)) - 1)
        bitBuffer >>= UInt32(count)
        bitCount -= count
        return Int(value)
    }

    private mutating func blocks() throws(Wrong) {
        var isLast = false
        while !isLast {
            isLast = try bits(1) == 1
            switch try bits(2) {
            case 0: try stored()
            case 1: try compressed(.fixedLengths, .fixedDistances)
            case 2:
                let (lengths, distances) = try dynamicCodes()
                try compressed(lengths, distances)
            default: throw Wrong()
            }
        }
        // Skips the rest of the last byte.
        (bitBuffer, bitCount) = (0, 0)
    }

    private mutating func stored() throws(Wrong) {
        (bitBuffer, bitCount) = (0, 0)
        let length = try little(2)
        guard try little(2) == ~length & 0xFFFF else { throw Wrong() }
        for _ in 0..<length { output.append(try byte()) }
    }

    private mutating func symbol(_ code: PrefixCode) throws(Wrong) -> Int {
        var (value, first, index) = (0, 0, 0)
        for length in 1...15 {
            value |= try bits(1)
            let count = code.counts[length]
            if value - count < first { return code.symbols[index + value - first] }
            index += count
            first = (first + count) << 1
            value <<= 1
        }
        throw Wrong()
    }

    private mutating func compressed(_ lengths: PrefixCode, _ distances: PrefixCode) throws(Wrong) {
        while true {
            let symbol = try symbol(lengths)
            if symbol < 256 {
                output.append(UInt8(symbol))
                continue
            }
            if symbol == 256 { return }
            guard symbol < 286 else { throw Wrong() }
            let length = Self.lengthBases[symbol - 257] + (try bits(Self.lengthExtras[symbol - 257]))
            let code = try self.symbol(distances)
            guard code < 30 else { throw Wrong() }
            let distance = Self.distanceBases[code] + (try bits(Self.distanceExtras[code]))
            guard distance <= output.count, output.count < 1 << 24 else { throw Wrong() }
            for _ in 0..<length { output.append(output[output.count - distance]) }
        }
    }

    private mutating func dynamicCodes() throws(Wrong) -> (PrefixCode, PrefixCode) {
        let (lengthCount, distanceCount, codeCount) = (try bits(5) + 257, try bits(5) + 1, try bits(4) + 4)
        guard lengthCount <= 286, distanceCount <= 30 else { throw Wrong() }
        var sizes = [Int](repeating: 0, count: 19)
        for index in 0..<codeCount {
            sizes[[16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15][index]] = try bits(3)
        }
        let code = PrefixCode(sizes)
        guard code.isComplete else { throw Wrong() }
        var lengths: [Int] = []
        while lengths.count < lengthCount + distanceCount {
            switch try symbol(code) {
            case 16:
                guard let last = lengths.last else { throw Wrong() }
                lengths += [Int](repeating: last, count: 3 + (try bits(2)))
            case 17: lengths += [Int](repeating: 0, count: 3 + (try bits(3)))
            case 18: lengths += [Int](repeating: 0, count: 11 + (try bits(7)))
            case let size: lengths.append(size)
            }
        }
        guard lengths.count == lengthCount + distanceCount, lengths[256] > 0 else { throw Wrong() }
        let literals = PrefixCode(Array(lengths[..<lengthCount]))
        let distances = PrefixCode(Array(lengths[lengthCount...]))
        // A single code may be incomplete (RFC 1951 §3.2.7).
        guard literals.isComplete || literals.isSingle, distances.isComplete || distances.isSingle else {
            throw Wrong()
        }
        return (literals, distances)
    }

    private static let lengthBases = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let lengthExtras = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145, 8193, 12289, 16385, 24577,
    ]
    private static let distanceExtras = [
        0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
    ]
}

/// A canonical prefix code: the number of symbols of each length, and the symbols in order.
private struct PrefixCode {
    private(set) var counts = [Int](repeating: 0, count: 16)
    private(set) var symbols: [Int] = []

    init(_ lengths: [Int]) {
        for length in lengths where length > 0 { counts[length] += 1 }
        for size in 1...15 { symbols += lengths.indices.filter { lengths[$0] == size } }
    }

    var isComplete: Bool { room == 0 }
    var isSingle: Bool { room > 0 && symbols.count <= 1 }

    private var room: Int { (1...15).reduce(1) { room, size in room * 2 - counts[size] } }

    static let fixedLengths = PrefixCode(
        [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112) + [Int](repeating: 7, count: 24)
            + [Int](repeating: 8, count: 8))
    static let fixedDistances = PrefixCode([Int](repeating: 5, count: 30))
}

enum CRC32 {
    static func of(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { (sum: UInt32, byte) in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
    }
}
