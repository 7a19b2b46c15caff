import WharfCache
import WharfCore
import WharfStorage

/// Reads `Age` by RFC 9111 §5.1: the first member counts, and an invalid value is ignored.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzzAge(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let head = head(.age, text(start, count))
    let facts = CachePolicy(.privateClient).facts(head)
    let value = head.response.headerFields[.age] ?? ""
    let expected = seconds(value)
    let age = facts.freshness(at: head.respondedAt).currentAge
    check(age == .seconds(expected), "\(age) of \"\(value)\", expected \(expected) s")
    let later = facts.freshness(at: head.respondedAt + .seconds(9)).currentAge
    check(later == .seconds(expected + 9), "\(later) nine seconds later")
    // RFC 9111 §5.1: the cache generates one number.
    let served = facts.served(at: head.respondedAt).headerFields[values: .age]
    check(served.count == 1 && served.allSatisfy { Int64($0) == expected }, "\(served) of \"\(value)\"")
    return 0
}

/// The value of `Age`; 0 if it is no number. The largest number is 2^31 (RFC 9111 §1.2.2).
private func seconds(_ value: String) -> Int64 {
    var seconds: Int64 = 0
    for member in value.utf8.split(separator: UInt8(ascii: ",")) {
        let bytes = Array(member)
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
        else { continue }
        for byte in bytes[first...last] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return 0 }
            seconds = min(seconds * 10 + Int64(byte - UInt8(ascii: "0")), 1 << 31)
        }
        return seconds
    }
    return 0
}

private func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
